import Foundation
import Synchronization

typealias SQLiteEngine = SQLiteStore<WithoutTexts>
/// SQLite with its full-text index, FTS5.
typealias SQLiteWithTextsEngine = SQLiteStore<WithTexts>

/// SQLite through its C interface.
final class SQLiteStore<Texts: TextChoice>: Engine {
  static var name: String { Texts.indexesTexts ? "SQLite with texts" : "SQLite" }

  /// Invariant: both are accessed only while `lock` is held.
  private nonisolated(unsafe) let connection: SQLiteConnection
  private nonisolated(unsafe) var work = SQLWork()
  private let lock = Mutex(())
  private let folder: String

  init(opening folder: String) async throws {
    self.folder = folder
    connection = try SQLiteConnection(
      path: folder + "/store.sqlite", indexesTexts: Texts.indexesTexts)
    try connection.query(.checkpoint) { _ in
    } _: {
      work = SQLWork(
        commit: $0.integer(0), event: $0.integer(1), link: $0.withBytes(2) { Array($0) })
    }
  }

  private func locked<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
    // The closure captures unchecked state, so its result can't be returned through the mutex's
    // generic signature.
    nonisolated(unsafe) var result: Result<R, any Error>?
    lock.withLock { _ in result = Result { try body(connection) } }
    guard let result else { throw BenchmarkError("nothing was done") }
    return try result.get()
  }

  func append(_ events: ArraySlice<WorkEvent>) async throws { try appendNow(events) }

  private func appendNow(_ events: ArraySlice<WorkEvent>) throws {
    try locked { connection in
      try connection.run(.begin)
      do {
        try work.apply(events, to: connection)
        try connection.run(.commit)
      } catch {
        try connection.run(.rollback)
        throw error
      }
    }
  }

  func appendConcurrently(_ events: [[WorkEvent]]) async throws {
    try await appendFromTasks(events)
  }

  func rebuild() async throws {
    try locked { try $0.execute(SQLSchema.rebuild(indexesTexts: Texts.indexesTexts)) }
  }

  func page(newest count: Int) throws -> [PageRow] {
    try rows(.pageNewest, Int64(count))
  }

  func page(after row: PageRow, _ count: Int) throws -> [PageRow] {
    try rows(.pageAfter, Int64(row.day), row.number, Int64(count))
  }

  func page(offset: Int, _ count: Int) throws -> [PageRow] {
    try rows(.pageOffset, Int64(count), Int64(offset))
  }

  func search(_ text: String, _ count: Int) throws -> [PageRow]? {
    guard Texts.indexesTexts else { return nil }
    return try rows(.search) { binder in
      binder.bind(1, text)
      binder.bind(2, Int64(count))
    }
  }

  private func rows(_ statement: SQLStatement, _ values: Int64...) throws -> [PageRow] {
    try rows(statement) { binder in
      for (index, value) in values.enumerated() { binder.bind(Int32(index + 1), value) }
    }
  }

  private func rows(
    _ statement: SQLStatement, _ bind: (borrowing SQLiteConnection.Binder) -> Void
  ) throws -> [PageRow] {
    try locked { connection in
      var rows: [PageRow] = []
      try connection.query(statement, binding: bind) { row in
        rows.append(
          PageRow(
            id: row.id(1), day: Int(row.integer(2)), number: row.integer(0),
            kind: WorkKind(rawValue: Int(row.integer(3))) ?? .expense, account: Int(row.integer(4)),
            counter: Int(row.integer(5)), amount: row.integer(6), description: row.text(7)))
      }
      return rows
    }
  }

  func balance(account: Int, day: Int) throws -> Int64 {
    try locked { connection in
      var balance: Int64 = 0
      try connection.query(.balance) { binder in
        for (index, value) in SQLQuestions.balance(account: account, day: day).enumerated() {
          binder.bind(Int32(index + 1), value)
        }
      } _: {
        balance = $0.integer(0)
      }
      return balance
    }
  }

  func months(_ range: Range<Int>) throws -> [MonthTotal] {
    try locked { connection in
      var months: [MonthTotal] = []
      try connection.query(.months) { binder in
        binder.bind(1, Int64(range.lowerBound))
        binder.bind(2, Int64(range.upperBound))
      } _: { row in
        months.append(
          MonthTotal(
            month: Int(row.integer(0)), currency: Int(row.integer(1)), income: row.integer(2),
            expense: row.integer(3), transfers: row.integer(4), count: row.integer(5)))
      }
      return months
    }
  }

  func breakdown(month: Int) throws -> [CategoryTotal] {
    try locked { connection in
      var totals: [CategoryTotal] = []
      try connection.query(.breakdown) { binder in
        binder.bind(1, Int64(month))
        binder.bind(2, Int64(Work.expenseSubcategories.lowerBound))
        binder.bind(3, Int64(Work.expenseSubcategories.upperBound))
      } _: { row in
        totals.append(
          CategoryTotal(
            category: Int(row.integer(0)), currency: Int(row.integer(1)), inflow: row.integer(2),
            outflow: row.integer(3), count: row.integer(4)))
      }
      return totals
    }
  }

  func compactByteCount() async throws -> Int {
    let path = folder + "/compact.sqlite"
    try locked { try $0.execute("VACUUM INTO '\(path)'") }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try fileByteCount(path)
  }

  func close() async throws { try locked { $0.close() } }
}

/// Parameters of queries that have to be computed.
enum SQLQuestions {
  /// The bounds of whole years, of whole months in the last year, and of days in the last month.
  static func balance(account: Int, day: Int) -> [Int64] {
    let month = Work.month(ofDay: day)
    return [
      Int64(account), Int64(month / 12), Int64(month / 12 * 12), Int64(month),
      Int64(Work.firstDay(ofMonth: month)), Int64(day),
    ]
  }
}

/// The size of a file in bytes.
func fileByteCount(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.size] as? NSNumber)?.intValue ?? 0
}

extension SQLiteConnection: SQLWriter {
  func insertCommit(seq: Int64, time: Int64, digest: [UInt8], link: [UInt8]) throws {
    try run(.insertCommit) { binder in
      binder.bind(1, seq)
      binder.bind(2, time)
      binder.bind(3, "benchmark")
      binder.bind(4, "benchmarks")
      binder.bind(5, digest)
      binder.bind(6, link)
    }
  }

  func insert(_ event: SQLEvent) throws {
    try run(.insertEvent) { binder in
      binder.bind(1, event.seq)
      binder.bind(2, event.commit)
      binder.bind(3, event.op)
      binder.bind(4, event.id)
      binder.bind(5, event.day)
      binder.bind(6, event.counter)
      binder.bind(7, event.amount)
      binder.bind(8, event.beforeDay)
      binder.bind(9, event.beforeCounter)
      binder.bind(10, event.beforeAmount)
      binder.bind(11, event.kind)
      binder.bind(12, event.account)
      binder.bind(13, event.description)
      binder.bind(14, event.salt)
      binder.bind(15, event.digest)
    }
  }

  func insert(_ row: SQLRow) throws {
    try run(.insertRow) { binder in
      binder.bind(1, row.seq)
      binder.bind(2, row.id)
      binder.bind(3, row.day)
      binder.bind(4, Int64(row.kind.rawValue))
      binder.bind(5, row.account)
      binder.bind(6, row.counter)
      binder.bind(7, Int64(Work.currency(ofAccount: Int(row.account))))
      binder.bind(8, row.amount)
      binder.bind(9, row.description)
    }
  }

  func find(_ id: [UInt8]) throws -> SQLRow? {
    var found: SQLRow?
    try query(.findRow) { binder in
      binder.bind(1, id)
    } _: { row in
      found = SQLRow(
        seq: row.integer(0), id: id, day: row.integer(2),
        kind: WorkKind(rawValue: Int(row.integer(3))) ?? .expense, account: row.integer(4),
        counter: row.integer(5), amount: row.integer(6), description: row.text(7))
    }
    return found
  }

  func update(_ row: SQLRow) throws {
    try run(.updateRow, row.day, row.counter, row.amount, row.seq)
  }

  func delete(_ row: SQLRow) throws { try run(.deleteRow, row.seq) }

  func addTotals(
    level: Int64, period: Int64, currency: Int64, income: Int64, expense: Int64, transfers: Int64,
    count: Int64
  ) throws {
    try run(.addTotals, level, period, currency, income, expense, transfers, count)
  }

  func addCategory(
    level: Int64, period: Int64, category: Int64, currency: Int64, inflow: Int64, outflow: Int64,
    count: Int64
  ) throws {
    try run(.addCategory, level, period, category, currency, inflow, outflow, count)
  }

  func addBalance(
    account: Int64, level: Int64, period: Int64, inflow: Int64, outflow: Int64, count: Int64
  ) throws {
    try run(.addBalance, account, level, period, inflow, outflow, count)
  }

  func addBudget(category: Int64, currency: Int64, month: Int64, spent: Int64) throws {
    try run(.addBudget, category, currency, month, spent)
  }

  func setCheckpoint(commit: Int64, event: Int64, link: [UInt8]) throws {
    try run(.setCheckpoint) { binder in
      binder.bind(1, commit)
      binder.bind(2, event)
      binder.bind(3, link)
    }
  }
}
