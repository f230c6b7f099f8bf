import Foundation
import GRDB

typealias GRDBRecordsEngine = GRDBEngine<GRDBRecords, WithoutTexts>
typealias GRDBRecordsWithTextsEngine = GRDBEngine<GRDBRecords, WithTexts>

/// GRDB with a Codable record for every written row.
///
/// Rows with an identity are inserted, updated and deleted as records. Sums are also records, but a
/// cached statement with values bound by position adds them to existing rows. With GRDB's own
/// `upsertAndFetch`, or with fetching, changing and saving, an event takes more than twice as long.
struct GRDBRecords: GRDBStyle {
  static let name = "GRDB records"
  /// `false`, because no target ratio concerns the import of this style.
  static let imports = false

  private let database: Database
  private let totals: SumsStatement<TotalsRecord>
  private let categoryTotals: SumsStatement<CategoryTotalsRecord>
  private let balances: SumsStatement<BalanceRecord>
  private let budgets: SumsStatement<BudgetRecord>

  init(_ database: Database) throws {
    self.database = database
    totals = try SumsStatement(.addTotals, database)
    categoryTotals = try SumsStatement(.addCategory, database)
    balances = try SumsStatement(.addBalance, database)
    budgets = try SumsStatement(.addBudget, database)
  }

  func insertCommit(seq: Int64, time: Int64, digest: [UInt8], link: [UInt8]) throws {
    try CommitRecord(
      seq: seq, time: time, author: "benchmark", source: "benchmarks", digest: Data(digest),
      link: Data(link)
    ).insert(database)
  }

  func insert(_ event: SQLEvent) throws {
    try EventRecord(
      seq: event.seq, commit: event.commit, op: event.op, id: Data(event.id), day: event.day,
      counter: event.counter, amount: event.amount, beforeDay: event.beforeDay,
      beforeCounter: event.beforeCounter, beforeAmount: event.beforeAmount, kind: event.kind,
      account: event.account, description: event.description, salt: Data(event.salt),
      digest: Data(event.digest)
    ).insert(database)
  }

  func insert(_ row: SQLRow) throws { try TransactionRecord(row).insert(database) }

  func find(_ id: [UInt8]) throws -> SQLRow? {
    let statement = try database.cachedStatement(sql: SQLStatement.findRow.text)
    guard let found = try TransactionRecord.fetchOne(statement, arguments: [Data(id)]) else {
      return nil
    }
    return SQLRow(
      seq: found.seq, id: id, day: found.day, kind: WorkKind(rawValue: found.kind) ?? .expense,
      account: found.account, counter: found.counter, amount: found.amount,
      description: found.description)
  }

  func update(_ row: SQLRow) throws {
    try TransactionRecord(row).update(database, columns: ["day", "counter", "amount"])
  }

  func delete(_ row: SQLRow) throws { try TransactionRecord(row).delete(database) }

  func addTotals(
    level: Int64, period: Int64, currency: Int64, income: Int64, expense: Int64, transfers: Int64,
    count: Int64
  ) throws {
    try totals.add(
      TotalsRecord(
        level: level, period: period, currency: currency, income: income, expense: expense,
        transfers: transfers, count: count))
  }

  func addCategory(
    level: Int64, period: Int64, category: Int64, currency: Int64, inflow: Int64, outflow: Int64,
    count: Int64
  ) throws {
    try categoryTotals.add(
      CategoryTotalsRecord(
        level: level, period: period, category: category, currency: currency, inflow: inflow,
        outflow: outflow, count: count))
  }

  func addBalance(
    account: Int64, level: Int64, period: Int64, inflow: Int64, outflow: Int64, count: Int64
  ) throws {
    try balances.add(
      BalanceRecord(
        account: account, level: level, period: period, inflow: inflow, outflow: outflow,
        count: count))
  }

  func addBudget(category: Int64, currency: Int64, month: Int64, spent: Int64) throws {
    try budgets.add(
      BudgetRecord(category: category, currency: currency, month: month, spent: spent))
  }

  func setCheckpoint(commit: Int64, event: Int64, link: [UInt8]) throws {
    try CheckpointRecord(id: 1, commit: commit, event: event, link: Data(link)).save(database)
  }

  static func page(
    _ database: Database, _ statement: SQLStatement, _ arguments: StatementArguments
  ) throws -> [TransactionRecord] {
    let statement = try database.cachedStatement(sql: statement.text)
    return try TransactionRecord.fetchAll(statement, arguments: arguments)
  }

  static func neutral(_ value: TransactionRecord) -> PageRow {
    PageRow(
      id: value.id.withUnsafeBytes(WorkID.init(bytes:)), day: Int(value.day), number: value.seq,
      kind: WorkKind(rawValue: value.kind) ?? .expense, account: Int(value.account),
      counter: Int(value.counter), amount: value.amount, description: value.description)
  }
}

/// A row of `transactions`.
struct TransactionRecord: Codable, FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "transactions"

  var seq: Int64
  var id: Data
  var day: Int64
  var kind: Int
  var account: Int64
  var counter: Int64
  var currency: Int?
  var amount: Int64
  var description: String

  fileprivate init(_ row: SQLRow) {
    seq = row.seq
    id = Data(row.id)
    day = row.day
    kind = row.kind.rawValue
    account = row.account
    counter = row.counter
    currency = Work.currency(ofAccount: Int(row.account))
    amount = row.amount
    description = row.description
  }
}

private struct CommitRecord: Codable, PersistableRecord {
  static let databaseTableName = "commits"
  var seq: Int64
  var time: Int64
  var author: String
  var source: String
  var digest: Data
  var link: Data
}

private struct EventRecord: Codable, PersistableRecord {
  static let databaseTableName = "events"
  var seq: Int64
  var commit: Int64
  var op: Int64
  var id: Data
  var day: Int64?
  var counter: Int64?
  var amount: Int64?
  var beforeDay: Int64?
  var beforeCounter: Int64?
  var beforeAmount: Int64?
  var kind: Int64?
  var account: Int64?
  var description: String?
  var salt: Data
  var digest: Data
}

private struct CheckpointRecord: Codable, PersistableRecord {
  static let databaseTableName = "checkpoint"
  var id: Int64
  var commit: Int64
  var event: Int64
  var link: Data
}
