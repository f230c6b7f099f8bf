import DaybookBookkeeping
import DaybookFormats

/// The rows of Actual's tables by id, without deleted rows.
struct ActualTables {
  struct Account {
    var id: String
    var name: String
    var order: Int
    var isClosed: Bool
    /// Whether the budget ignores the account; transfers to it have a category.
    var isOffBudget: Bool
  }

  struct Category {
    var path: CategoryPath
    var kind: CategoryKind
    var isHidden: Bool
  }

  struct Transaction {
    var id: String
    /// The row number in the table, from 1.
    var line: Int
    var isParent: Bool
    /// The id of the split to which this part belongs.
    var parent: String?
    var account: String
    var category: String?
    /// The amount in hundredths; `nil` if it isn't an integer.
    var units: Int64?
    var payee: String
    var notes: String
    /// The date in the form `yyyymmdd`.
    var date: Int64
    var bankID: String
    var bankText: String
    var isOpening: Bool
    var transfer: String?
    var isCleared: Bool
    var isReconciled: Bool
  }

  var accounts: [String: Account] = [:]
  var accountOrder: [String] = []
  var categories: [String: Category] = [:]
  var categoryOrder: [String] = []
  /// The names of the groups of expense categories, by id.
  var groups: [(id: String, name: String)] = []
  /// The names of payees, with the account if the payee represents one.
  var payees: [String: (name: String, account: String?)] = [:]
  var transactions: [Transaction] = []
  var notes: [String: String] = [:]
  var preferences: [String: String] = [:]
  private var categoryTargets: [String: String] = [:]
  private var payeeTargets: [String: String] = [:]

  init(_ database: SQLiteDatabase) throws(InterchangeError) {
    try readAccounts(database)
    try readCategories(database)
    try readPayees(database)
    try readTransactions(database)
    var notes: [String: String] = [:]
    try database.read("notes", ["id", "note"]) { notes[$0.text(0)] = $0.text(1) }
    self.notes = notes
    var preferences: [String: String] = [:]
    try database.read("preferences", ["id", "value"]) { preferences[$0.text(0)] = $0.text(1) }
    self.preferences = preferences
  }

  /// Returns the category with an id.
  ///
  /// The id of a merged category leads to its replacement.
  func category(_ id: String?) -> Category? {
    guard let id else { return nil }
    return categories[categoryTargets[id] ?? id]
  }

  /// Returns the payee with an id.
  func payee(_ id: String) -> (name: String, account: String?)? {
    payees[payeeTargets[id] ?? id]
  }

  private mutating func readAccounts(_ database: SQLiteDatabase) throws(InterchangeError) {
    var found: [Account] = []
    let columns = ["id", "name", "closed", "tombstone", "offbudget"]
    let isThere = try database.read("accounts", columns) { row in
      guard !row.flag(3) else { return }
      found.append(
        Account(
          id: row.text(0), name: row.text(1), order: found.count + 1, isClosed: row.flag(2),
          isOffBudget: row.flag(4)))
    }
    guard isThere else {
      throw InterchangeError(
        .format, "The database has no table of accounts: it is not from Actual.",
        remedy: "Export the budget in Actual: Settings, Export data.")
    }
    for account in found where accounts[account.id] == nil {
      accounts[account.id] = account
      accountOrder.append(account.id)
    }
  }

  private mutating func readCategories(_ database: SQLiteDatabase) throws(InterchangeError) {
    var groups: [String: (name: String, isIncome: Bool, isHidden: Bool)] = [:]
    try database.read("category_groups", ["id", "name", "is_income", "hidden"]) {
      groups[$0.text(0)] = ($0.text(1), $0.flag(2), $0.flag(3))
    }
    var found: [String: Category] = [:]
    var order: [String] = []
    var used: Set<String> = []
    let columns = ["id", "name", "is_income", "cat_group", "hidden", "tombstone"]
    try database.read("categories", columns) { row in
      let id = row.text(0)
      guard !row.flag(5), found[id] == nil else { return }
      let group = groups[row.text(3)]
      let isIncome = row.flag(2) || group?.isIncome == true
      // The name of the income group is left out if there is only one.
      let names = isIncome ? [row.text(1)] : [group?.name ?? "", row.text(1)]
      let path = names.map(ActualTables.trimmed).filter { !$0.isEmpty }
      if path.count > 1, used.insert(row.text(3)).inserted {
        self.groups.append((row.text(3), path[0]))
      }
      found[id] = Category(
        path: CategoryPath(path), kind: isIncome ? .income : .expense,
        isHidden: row.flag(4) || group?.isHidden == true)
      order.append(id)
    }
    categories = found
    categoryOrder = order
    var targets: [String: String] = [:]
    try database.read("category_mapping", ["id", "transferId"]) { row in
      if !row.isNull(1) { targets[row.text(0)] = row.text(1) }
    }
    categoryTargets = targets
  }

  private mutating func readPayees(_ database: SQLiteDatabase) throws(InterchangeError) {
    var found: [String: (name: String, account: String?)] = [:]
    try database.read("payees", ["id", "name", "transfer_acct"]) {
      found[$0.text(0)] = ($0.text(1), $0.isNull(2) ? nil : $0.text(2))
    }
    payees = found
    var targets: [String: String] = [:]
    try database.read("payee_mapping", ["id", "targetId"]) { row in
      if !row.isNull(1) { targets[row.text(0)] = row.text(1) }
    }
    payeeTargets = targets
  }

  private mutating func readTransactions(_ database: SQLiteDatabase) throws(InterchangeError) {
    let columns = [
      "id", "isParent", "isChild", "parent_id", "acct", "category", "amount", "description",
      "notes", "date", "financial_id", "imported_description", "starting_balance_flag",
      "transferred_id", "cleared", "reconciled", "tombstone",
    ]
    var found: [Transaction] = []
    var line = 0
    let hasCleared = try database.columns("transactions").contains("cleared")
    try database.read("transactions", columns) { row in
      line += 1
      let isChild = row.flag(2)
      guard !row.flag(16), !row.isNull(4), !row.isNull(9), !isChild || !row.isNull(3) else {
        return
      }
      found.append(
        Transaction(
          id: row.text(0), line: line, isParent: row.flag(1),
          parent: isChild ? row.text(3) : nil, account: row.text(4),
          category: row.isNull(5) ? nil : row.text(5),
          units: row.isNull(6) ? 0 : row.number(6), payee: row.text(7), notes: row.text(8),
          date: row.number(9) ?? 0, bankID: row.text(10), bankText: row.text(11),
          isOpening: row.flag(12), transfer: row.isNull(13) ? nil : row.text(13),
          isCleared: hasCleared ? row.flag(14) : true, isReconciled: row.flag(15)))
    }
    transactions = found
  }

  /// Returns the day for a number such as 20240131.
  static func day(_ number: Int64) -> Day? {
    guard (1_01_01...9999_12_31).contains(number) else { return nil }
    return Day(
      year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
  }

  /// Returns the text with runs of white space collapsed and without leading or trailing white
  /// space.
  static func trimmed(_ text: String) -> String {
    text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
  }
}
