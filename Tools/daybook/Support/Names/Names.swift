import Daybook
import Terminal

/// The names behind the ids of a ledger's accounts and categories, deleted ones too, and of its plans.
struct Names {
  private var accounts: [AccountID: Account] = [:]
  private var rules: [RuleID: String] = [:]
  /// Those of budgets, series and mappings.
  private var others: [EntityID: String] = [:]
  private let tree: CategoryTree

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts(includingDeleted: true) { accounts[account.id] = account }
    for rule in try snapshot.rules() { rules[rule.id] = rule.name }
    for budget in try snapshot.budgets() { others[budget.id.rawValue] = budget.name }
    for series in try snapshot.series() { others[series.id.rawValue] = series.name }
    for mapping in try snapshot.mappings() { others[mapping.id.rawValue] = mapping.name }
    tree = try CategoryTree(snapshot, includingDeleted: true)
  }

  /// The name of whatever has an id: an account's, a category's path, …; `nil` where it has none.
  func name(of id: EntityID) -> String? {
    let account = AccountID(id)
    if let name = Account.builtinName(account) ?? accounts[account]?.name { return name }
    return tree.knownPath(of: CategoryID(id)) ?? rules[RuleID(id)] ?? others[id]
  }

  /// An account's name.
  func name(of account: AccountID) -> String {
    switch account {
    case .opening: "Opening"
    case .exchange: "Exchange"
    case .outside: "Outside"
    default: accounts[account]?.name ?? "\(account)"
    }
  }

  /// A category's path.
  func path(of category: CategoryID) -> String { tree.path(of: category) }

  /// A rule's name; `nil` where it has been removed.
  func name(of rule: RuleID) -> String? { rules[rule] }

  /// Which rule chose a row's category, in words; empty where no rule did.
  func chooser(of row: Transaction) -> String {
    guard let rule = row.categorizedBy else { return "" }
    return name(of: rule).map { "rule “\($0)”" } ?? "a deleted rule"
  }

  /// The name of a posting's account or category.
  func name(of account: PostingAccount) -> String {
    switch account {
    case .account(let id): name(of: id)
    case .category(let id): path(of: id)
    }
  }

  /// Whether an account is one that people see.
  func isListed(_ account: AccountID) -> Bool {
    accounts[account].map { $0.kind != .equity } ?? false
  }
}

/// A transaction as one line of a list.
struct RowSummary {
  /// The account, or for a transfer both: `Checking → Savings`.
  var account: String
  /// The account it is in, or for a transfer the one it leaves.
  var source: String
  /// The account that a transfer goes to; empty where it is none.
  var destination = ""
  /// The categories.
  var category: String
  /// What the line adds to what one has: an expense takes away; a transfer shows what was moved.
  var amount: Total?
  /// Whether the amount is moved rather than gained or spent.
  var isNeutral: Bool

  /// - Parameter viewpoint: The accounts under whose filter the list stands, whose own movement is
  ///   then the amount.
  init(_ transaction: Transaction, _ names: Names, seenFrom viewpoint: [AccountID] = []) {
    var sources: [String] = []
    var targets: [String] = []
    var categories: [String] = []
    var own: [Currency: Int128] = [:]
    var gained: [Currency: Int128] = [:]
    var moved: Total?
    for posting in transaction.postings {
      let total = Total(posting.amount)
      switch posting.account {
      case .account(let id):
        if viewpoint.contains(id) { own[total.currency, default: 0] += total.units }
        guard names.isListed(id) else { continue }
        let name = names.name(of: id)
        if total.units > 0 { targets.append(name) } else { sources.append(name) }
        if total.units < 0, moved == nil {
          moved = Total(units: -total.units, currency: total.currency)
        }
      case .category(let id):
        let path = names.path(of: id)
        if !categories.contains(path) { categories.append(path) }
        gained[total.currency, default: 0] -= total.units
      }
    }
    category = categories.joined(separator: ", ")
    isNeutral = gained.isEmpty
    if sources.isEmpty || targets.isEmpty || !isNeutral {
      account = (sources + targets).joined(separator: ", ")
      source = account
    } else {
      source = sources.joined(separator: ", ")
      destination = targets.joined(separator: ", ")
      account = "\(source) → \(destination)"
    }
    let figures = viewpoint.isEmpty ? gained : own
    if let first = figures.min(by: { $0.key < $1.key }) {
      amount = Total(units: first.value, currency: first.key)
      isNeutral = false
    } else {
      amount = moved ?? transaction.postings.first.map { Total($0.amount) }
    }
  }
}

extension Transaction {
  /// Where it stands in every list, as people write it: `2026-02-14#123`.
  var place: String { "\(day)#\(number)" }
}
