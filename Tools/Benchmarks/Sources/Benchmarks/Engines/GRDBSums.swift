import GRDB

/// A record of sums, which are added to those of the row with the same key.
protocol SumsRecord: Codable, EncodableRecord {
  /// The columns in the order of the table.
  static var columns: [String] { get }
}

/// Inserts records of sums, or adds them to existing rows.
struct SumsStatement<Sums: SumsRecord> {
  private let statement: Statement

  init(_ statement: SQLStatement, _ database: Database) throws {
    self.statement = try database.makeStatement(sql: statement.text)
  }

  func add(_ sums: Sums) throws {
    let values = try sums.databaseDictionary
    statement.setUncheckedArguments(StatementArguments(Sums.columns.map { values[$0] }))
    try statement.execute()
  }
}

/// A row of `totals`.
struct TotalsRecord: SumsRecord {
  static let columns = [
    "level", "period", "currency", "income", "expense", "transfers", "count",
  ]

  var level: Int64
  var period: Int64
  var currency: Int64
  var income: Int64
  var expense: Int64
  var transfers: Int64
  var count: Int64
}

/// A row of `categoryTotals`.
struct CategoryTotalsRecord: SumsRecord {
  static let columns = [
    "level", "period", "category", "currency", "inflow", "outflow", "count",
  ]

  var level: Int64
  var period: Int64
  var category: Int64
  var currency: Int64
  var inflow: Int64
  var outflow: Int64
  var count: Int64
}

/// A row of `balances`.
struct BalanceRecord: SumsRecord {
  static let columns = ["account", "level", "period", "inflow", "outflow", "count"]

  var account: Int64
  var level: Int64
  var period: Int64
  var inflow: Int64
  var outflow: Int64
  var count: Int64
}

/// A row of `budgets`.
struct BudgetRecord: SumsRecord {
  static let columns = ["category", "currency", "month", "spent"]

  var category: Int64
  var currency: Int64
  var month: Int64
  var spent: Int64
}
