import GRDB

/// A record of sums, which are added to those of the row with its key.
protocol SumsRecord: Codable, EncodableRecord {
  /// Inserts the record, or adds its sums to the row that is there.
  static var statement: String { get }
}

extension SumsRecord {
  func add(to database: Database) throws {
    let statement = try database.cachedStatement(sql: Self.statement)
    try statement.execute(arguments: StatementArguments(databaseDictionary))
  }
}

/// A row of `totals`.
struct TotalsRecord: SumsRecord {
  var level: Int64
  var period: Int64
  var currency: Int64
  var income: Int64
  var expense: Int64
  var transfers: Int64
  var count: Int64

  static let statement = """
    INSERT INTO totals VALUES(:level, :period, :currency, :income, :expense, :transfers, :count)
      ON CONFLICT DO UPDATE SET
      income = income + excluded.income, expense = expense + excluded.expense,
      transfers = transfers + excluded.transfers, count = count + excluded.count
    """
}

/// A row of `categoryTotals`.
struct CategoryTotalsRecord: SumsRecord {
  var level: Int64
  var period: Int64
  var category: Int64
  var currency: Int64
  var inflow: Int64
  var outflow: Int64
  var count: Int64

  static let statement = """
    INSERT INTO categoryTotals
      VALUES(:level, :period, :category, :currency, :inflow, :outflow, :count)
      ON CONFLICT DO UPDATE SET
      inflow = inflow + excluded.inflow, outflow = outflow + excluded.outflow,
      count = count + excluded.count
    """
}

/// A row of `balances`.
struct BalanceRecord: SumsRecord {
  var account: Int64
  var level: Int64
  var period: Int64
  var inflow: Int64
  var outflow: Int64
  var count: Int64

  static let statement = """
    INSERT INTO balances VALUES(:account, :level, :period, :inflow, :outflow, :count)
      ON CONFLICT DO UPDATE SET
      inflow = inflow + excluded.inflow, outflow = outflow + excluded.outflow,
      count = count + excluded.count
    """
}

/// A row of `budgets`.
struct BudgetRecord: SumsRecord {
  var category: Int64
  var currency: Int64
  var month: Int64
  var spent: Int64

  static let statement = """
    INSERT INTO budgets VALUES(:category, :currency, :month, :spent)
      ON CONFLICT DO UPDATE SET spent = spent + excluded.spent
    """
}
