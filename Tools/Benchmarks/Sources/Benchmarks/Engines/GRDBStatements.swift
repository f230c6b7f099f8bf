import Foundation
import GRDB

typealias GRDBStatementsEngine = GRDBEngine<GRDBStatements, WithoutTexts>
typealias GRDBStatementsWithTextsEngine = GRDBEngine<GRDBStatements, WithTexts>

/// GRDB with hand-written SQL and cached statements.
struct GRDBStatements: GRDBStyle {
  static let name = "GRDB statements"
  static let imports = true

  private let statements: [Statement]

  init(_ database: Database) throws {
    statements = try SQLStatement.writes.map { try database.makeStatement(sql: $0.text) }
  }

  private func run(_ statement: SQLStatement, _ arguments: StatementArguments) throws {
    let statement = statements[statement.rawValue]
    statement.setUncheckedArguments(arguments)
    try statement.execute()
  }

  func insertCommit(seq: Int64, time: Int64, digest: [UInt8], link: [UInt8]) throws {
    try run(
      .insertCommit, [seq, time, "benchmark", "benchmarks", Data(digest), Data(link)])
  }

  func insert(_ event: SQLEvent) throws {
    try run(
      .insertEvent,
      [
        event.seq, event.commit, event.op, Data(event.id), event.day, event.counter, event.amount,
        event.beforeDay, event.beforeCounter, event.beforeAmount, event.kind, event.account,
        event.description, Data(event.salt), Data(event.digest),
      ])
  }

  func insert(_ row: SQLRow) throws {
    try run(
      .insertRow,
      [
        row.seq, Data(row.id), row.day, row.kind.rawValue, row.account, row.counter,
        Work.currency(ofAccount: Int(row.account)), row.amount, row.description,
      ])
  }

  func find(_ id: [UInt8]) throws -> SQLRow? {
    let statement = statements[SQLStatement.findRow.rawValue]
    let rows = try Row.fetchCursor(statement, arguments: [Data(id)])
    guard let row = try rows.next() else { return nil }
    return SQLRow(
      seq: row[0], id: id, day: row[2], kind: WorkKind(rawValue: row[3]) ?? .expense,
      account: row[4], counter: row[5], amount: row[6], description: row[7])
  }

  func update(_ row: SQLRow) throws {
    try run(.updateRow, [row.day, row.counter, row.amount, row.seq])
  }

  func delete(_ row: SQLRow) throws { try run(.deleteRow, [row.seq]) }

  func addTotals(
    level: Int64, period: Int64, currency: Int64, income: Int64, expense: Int64, transfers: Int64,
    count: Int64
  ) throws {
    try run(.addTotals, [level, period, currency, income, expense, transfers, count])
  }

  func addCategory(
    level: Int64, period: Int64, category: Int64, currency: Int64, inflow: Int64, outflow: Int64,
    count: Int64
  ) throws {
    try run(.addCategory, [level, period, category, currency, inflow, outflow, count])
  }

  func addBalance(
    account: Int64, level: Int64, period: Int64, inflow: Int64, outflow: Int64, count: Int64
  ) throws {
    try run(.addBalance, [account, level, period, inflow, outflow, count])
  }

  func addBudget(category: Int64, currency: Int64, month: Int64, spent: Int64) throws {
    try run(.addBudget, [category, currency, month, spent])
  }

  func setCheckpoint(commit: Int64, event: Int64, link: [UInt8]) throws {
    try run(.setCheckpoint, [commit, event, Data(link)])
  }

  static func page(
    _ database: Database, _ statement: SQLStatement, _ arguments: StatementArguments
  ) throws -> [PageRow] {
    let statement = try database.cachedStatement(sql: statement.text)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var page: [PageRow] = []
    while let row = try rows.next() {
      let id = try row.withUnsafeData(atIndex: 1) { data in
        data.map { $0.withUnsafeBytes(WorkID.init(bytes:)) } ?? WorkID(high: 0, low: 0)
      }
      page.append(
        PageRow(
          id: id, day: row[2], number: row[0], kind: WorkKind(rawValue: row[3]) ?? .expense,
          account: row[4], counter: row[5], amount: row[6], description: row[7]))
    }
    return page
  }
}
