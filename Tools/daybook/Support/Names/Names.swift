import Daybook
import Terminal

/// The names behind the ids of a ledger's accounts and categories, deleted ones too, and of its rules.
struct Names {
  private var accounts: [AccountID: Account] = [:]
  private var rules: [RuleID: String] = [:]
  private let tree: CategoryTree

  init(_ snapshot: borrowing Snapshot) throws {
    for account in try snapshot.accounts(includingDeleted: true) { accounts[account.id] = account }
    for rule in try snapshot.rules() { rules[rule.id] = rule.name }
    tree = try CategoryTree(snapshot, includingDeleted: true)
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
    return name(of: rule).map { "rule “\($0)”" } ?? "a rule that has been removed"
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

extension JSON {
  /// A transaction with all its postings.
  static func transaction(_ transaction: Transaction, _ names: Names) -> JSON {
    let postings: [JSON] = transaction.postings.map { posting in
      var members: [(String, JSON)] =
        switch posting.account {
        case .account(let id):
          [("account", .string(names.name(of: id))), ("accountID", .string("\(id)"))]
        case .category(let id):
          [("category", .string(names.path(of: id))), ("categoryID", .string("\(id)"))]
        }
      members += [
        ("amount", .string(posting.amount.text)),
        ("currency", .string(posting.amount.currency.code)),
      ]
      if !posting.note.isEmpty { members.append(("note", .string(posting.note))) }
      return .object(of: members)
    }
    return .object(of: [
      ("id", .string("\(transaction.id)")), ("place", .string(transaction.place)),
      ("number", .count(transaction.number)), ("day", .day(transaction.day)),
      ("type", .string("\(transaction.type)")), ("status", .string("\(transaction.status)")),
      ("description", .string(transaction.description)), ("payee", .string(transaction.payee)),
      ("note", .string(transaction.note)),
      ("code", .string(transaction.code)), ("valueDay", .day(transaction.valueDay)),
      ("tags", .array(transaction.tags.map { .string($0) })), ("postings", .array(postings)),
      ("categorizedBy", .optional(transaction.categorizedBy.flatMap { names.name(of: $0) })),
      ("categorizedByID", .optional(transaction.categorizedBy.map { "\($0)" })),
    ])
  }
}

extension Transaction {
  /// Where it stands in every list, as people write it: `2026-02-14#123`.
  var place: String { "\(day)#\(number)" }
}
