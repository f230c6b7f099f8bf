import Daybook
import DaybookTerminal

/// The names of entities by their ids, including deleted accounts and categories.
struct Names {
  private var accounts: [AccountID: Account] = [:]
  private var rules: [RuleID: String] = [:]
  /// The names of budgets, recurring transactions and mappings.
  private var others: [EntityID: String] = [:]
  /// The entities that history refers to, including deleted ones; see `Ledger.subjects`.
  var subjects: [EntityID: HistorySubject] = [:]
  let tree: CategoryTree

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts(includingDeleted: true) { accounts[account.id] = account }
    for rule in try snapshot.rules() { rules[rule.id] = rule.name }
    for budget in try snapshot.budgets() { others[budget.id.rawValue] = budget.name }
    for series in try snapshot.series() { others[series.id.rawValue] = series.name }
    for terms in try snapshot.terms() { others[terms.entityID] = accounts[terms.account]?.name }
    for mapping in try snapshot.mappings() { others[mapping.id.rawValue] = mapping.name }
    tree = try CategoryTree(snapshot, includingDeleted: true)
  }

  /// Returns the name of an entity, or the path of a category; `nil` if it has no name.
  func name(of id: EntityID) -> String? {
    let account = AccountID(id)
    if let name = Account.builtinName(account) ?? accounts[account]?.name { return name }
    return tree.knownPath(of: CategoryID(id)) ?? rules[RuleID(id)] ?? others[id]
  }

  /// The name of an account.
  func name(of account: AccountID) -> String {
    switch account {
    case .opening: "Opening"
    case .exchange: "Exchange"
    case .outside: "Outside"
    default: accounts[account]?.name ?? "\(account)"
    }
  }

  /// The path of a category.
  func path(of category: CategoryID) -> String { tree.path(of: category) }

  /// The name of a rule, or `nil` if the rule was removed.
  func name(of rule: RuleID) -> String? { rules[rule] }

  /// Returns the rule that chose a transaction's category, in words; empty if no rule chose it.
  func chooser(of row: Transaction) -> String {
    guard let rule = row.categorizedBy else { return "" }
    return name(of: rule).map { "rule “\($0)”" } ?? "a deleted rule"
  }

  /// Returns the payee of a transaction, its description, or the name of its recurring transaction;
  /// empty if it has none of them.
  func title(of row: Transaction) -> String {
    let texts = [row.payee, row.description, row.series.flatMap { others[$0.rawValue] } ?? ""]
    return texts.first { !$0.isEmpty } ?? ""
  }

  /// The name of a posting's account or category.
  func name(of account: PostingAccount) -> String {
    switch account {
    case .account(let id): name(of: id)
    case .category(let id): path(of: id)
    }
  }

  /// Whether users see the account in lists.
  func isListed(_ account: AccountID) -> Bool {
    accounts[account].map { $0.kind != .equity } ?? false
  }
}

/// A transaction as one line of a list.
struct RowSummary {
  /// The account, or both accounts of a transfer, such as `Checking → Savings`.
  var account: String
  /// The account, or the source account of a transfer.
  var source: String
  /// The destination account of a transfer; empty for other types.
  var destination = ""
  /// The paths of the categories.
  var category: String
  /// The gain, which is negative for an expense; for a transfer, the moved amount.
  var amount: Total?
  /// The change of the account in its currency, or the amount received of a transfer, if that is
  /// another currency.
  var exchanged: Total?
  /// Whether the amount is moved between accounts rather than earned or spent.
  var isNeutral: Bool

  /// Summarises a transaction.
  ///
  /// - Parameter viewpoint: The accounts by which the list is filtered. If it isn't empty, the
  ///   amount is the change of these accounts' total balance.
  /// - Parameter parts: The categories by which the list is filtered. If it isn't empty, and no
  ///   accounts are given, the amount is the sum of the parts in these categories.
  init(
    _ transaction: Transaction, _ names: Names, seenFrom viewpoint: [AccountID] = [],
    parts: Set<CategoryID> = []
  ) {
    var sources: [String] = []
    var targets: [String] = []
    var categories: [String] = []
    var own: [Currency: Int128] = [:]
    var gained: [Currency: Int128] = [:]
    var moved: Total?
    var received: Total?
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
        if total.units > 0, received == nil { received = total }
      case .category(let id):
        let path = names.path(of: id)
        if !categories.contains(path) { categories.append(path) }
        if parts.isEmpty || parts.contains(id) {
          gained[total.currency, default: 0] -= total.units
        }
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
      // In a transfer from outside, no money leaves a listed account, so use the received amount.
      amount = moved ?? received ?? transaction.postings.first.map { Total($0.amount) }
    }
    let arrived = received ?? moved.map { Total(units: -$0.units, currency: $0.currency) }
    if let arrived, viewpoint.isEmpty, arrived.currency != amount?.currency { exchanged = arrived }
  }
}

extension Transaction {
  /// The transaction's place in lists, such as `2026-02-14#123`.
  var place: String { "\(day)#\(number)" }
}
