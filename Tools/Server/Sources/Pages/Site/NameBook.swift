import Daybook

/// The names of accounts, categories and budgets.
struct NameBook {
  let accounts: [Account]
  let categories: [Category]
  private let budgetNames: [BudgetID: String]
  private let accountNames: [AccountID: String]
  private let categoryPaths: [CategoryID: String]
  /// The entities that history refers to, including deleted ones; see `Ledger.subjects`.
  var subjects: [EntityID: HistorySubject] = [:]

  init(_ snapshot: borrowing Snapshot) throws {
    accounts = try snapshot.accounts(includingClosed: true, includingDeleted: true)
    categories = try snapshot.categories(includingDeleted: true)
    budgetNames = Dictionary(
      try snapshot.budgets().map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    accountNames = Dictionary(accounts.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let byID = Dictionary(categories.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    categoryPaths = byID.mapValues { category in
      var names = [category.name]
      var parent = category.parent
      // A category tree has no cycles; the limit protects against damaged data.
      while let id = parent, let above = byID[id], names.count < 32 {
        names.append(above.name)
        parent = above.parent
      }
      return names.reversed().joined(separator: " › ")
    }
  }

  func name(_ id: AccountID) -> String {
    accountNames[id] ?? Account.builtinName(id) ?? former(id.rawValue)
  }

  /// Returns the name of a posting's account, including the built-in accounts.
  func name(_ id: AccountID, _ context: PageContext) -> String {
    switch id {
    case .opening: context[.opening]
    case .exchange: context[.exchange]
    case .outside: context[.outside]
    default: name(id)
    }
  }

  func name(_ id: CategoryID, _ context: PageContext) -> String {
    id.isBuiltin ? context[.uncategorized] : categoryPaths[id] ?? former(id.rawValue)
  }

  /// Whether a category is for income.
  func isIncome(_ id: CategoryID) -> Bool {
    id == .uncategorizedIncome || categories.contains { $0.id == id && $0.kind == .income }
  }

  /// Returns the name of an account, category or budget, including the built-in ones.
  func name(_ id: EntityID, _ context: PageContext) -> String {
    if let known = known(id) { return known }
    if CategoryID(id).isBuiltin { return context[.uncategorized] }
    return name(AccountID(id), context)
  }

  /// Returns the name of an entity in `subjects`.
  private func former(_ id: EntityID) -> String { subjects[id]?.name ?? "\(id)" }

  /// Returns the name of an account, category or budget, or `nil` if none of them has this id.
  func known(_ id: EntityID) -> String? {
    accountNames[AccountID(id)] ?? categoryPaths[CategoryID(id)] ?? budgetNames[BudgetID(id)]
  }

  /// Returns a transaction's payee, or else its description, or else its other side.
  func title(_ transaction: Transaction, _ context: PageContext) -> String {
    let texts = [transaction.payee, transaction.description]
    return texts.first { !$0.isEmpty } ?? counterpart(transaction, context)
  }

  /// Returns the other side of a transaction: its category, its parts, or the other account.
  func counterpart(_ transaction: Transaction, _ context: PageContext) -> String {
    if transaction.isSplit {
      let names = transaction.postings.compactMap(\.categoryID).map { name($0, context) }
      return "\(context[.split]): " + names.joined(separator: ", ")
    }
    if let category = transaction.category { return name(category, context) }
    if let other = transaction.otherAccount { return "→ \(name(other))" }
    return context[.transfer]
  }
}
