import Foundation
import GRDB

/// A style of using GRDB: how the work is written, and the type of a page's rows.
protocol GRDBStyle: SQLWriter, SendableMetatype {
  associatedtype PageValue: Sendable = PageRow
  static var name: String { get }
  /// Whether the style takes part in the import benchmark.
  static var imports: Bool { get }
  init(_ database: Database) throws
  static func page(
    _ database: Database, _ statement: SQLStatement, _ arguments: StatementArguments
  ) throws -> [PageValue]
  static func neutral(_ value: PageValue) -> PageRow
}

extension GRDBStyle where PageValue == PageRow {
  static func neutral(_ value: PageRow) -> PageRow { value }
}

/// GRDB with a pool of connections, in one of two styles.
final class GRDBEngine<Style: GRDBStyle, Texts: TextChoice>: Engine {
  typealias Row = Style.PageValue
  static var name: String { Texts.indexesTexts ? Style.name + " with texts" : Style.name }
  static var imports: Bool { Style.imports }

  private let pool: DatabasePool
  /// Invariant: both are accessed only inside the pool's writes, which are serialised.
  private nonisolated(unsafe) var work = SQLWork()
  private nonisolated(unsafe) var style: Style?
  private let folder: String

  init(opening folder: String) async throws {
    self.folder = folder
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: SQLSchema.settings) }
    pool = try DatabasePool(path: folder + "/store.sqlite", configuration: configuration)
    work = try Self.prepare(pool)
  }

  private static func prepare(_ pool: DatabasePool) throws -> SQLWork {
    // GRDB sets a pool to NORMAL, which doesn't flush commits.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return try pool.write { database in
      if try !database.tableExists("calendar") {
        try database.execute(sql: SQLSchema.creation(indexesTexts: Texts.indexesTexts))
      }
      let text = SQLStatement.checkpoint.text
      guard let row = try GRDB.Row.fetchOne(database, sql: text) else { return SQLWork() }
      let link: Data = row[2]
      return SQLWork(commit: row[0], event: row[1], link: Array(link))
    }
  }

  func append(_ events: ArraySlice<WorkEvent>) async throws { try appendNow(events) }

  /// Appends from the calling thread, which avoids a thread switch.
  private func appendNow(_ events: ArraySlice<WorkEvent>) throws {
    try pool.write { try apply(events, $0) }
  }

  private func apply(_ events: ArraySlice<WorkEvent>, _ database: Database) throws {
    let style = try style ?? Style(database)
    self.style = style
    try work.apply(events, to: style)
  }

  func appendConcurrently(_ events: [[WorkEvent]]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for list in events {
        group.addTask { @concurrent in
          for event in list {
            try await self.pool.write { try self.apply([event], $0) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func rebuild() async throws { try rebuildNow() }

  private func rebuildNow() throws {
    try pool.writeWithoutTransaction {
      try $0.execute(sql: SQLSchema.rebuild(indexesTexts: Texts.indexesTexts))
    }
  }

  func page(newest count: Int) throws -> [Row] {
    try pool.read { try Style.page($0, .pageNewest, [count]) }
  }

  func page(after row: Row, _ count: Int) throws -> [Row] {
    let row = Style.neutral(row)
    return try pool.read { try Style.page($0, .pageAfter, [row.day, row.number, count]) }
  }

  func page(offset: Int, _ count: Int) throws -> [Row] {
    try pool.read { try Style.page($0, .pageOffset, [count, offset]) }
  }

  func search(_ text: String, _ count: Int) throws -> [Row]? {
    guard Texts.indexesTexts else { return nil }
    return try pool.read { try Style.page($0, .search, [text, count]) }
  }

  func neutral(_ row: Row) throws -> PageRow { Style.neutral(row) }

  func balance(account: Int, day: Int) throws -> Int64 {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: SQLStatement.balance.text)
      let values = SQLQuestions.balance(account: account, day: day)
      return try Int64.fetchOne(statement, arguments: StatementArguments(values)) ?? 0
    }
  }

  func months(_ range: Range<Int>) throws -> [MonthTotal] {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: SQLStatement.months.text)
      let rows = try GRDB.Row.fetchCursor(
        statement, arguments: [range.lowerBound, range.upperBound])
      var months: [MonthTotal] = []
      while let row = try rows.next() {
        months.append(
          MonthTotal(
            month: row[0], currency: row[1], income: row[2], expense: row[3], transfers: row[4],
            count: row[5]))
      }
      return months
    }
  }

  func breakdown(month: Int) throws -> [CategoryTotal] {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: SQLStatement.breakdown.text)
      let categories = Work.expenseSubcategories
      let rows = try GRDB.Row.fetchCursor(
        statement, arguments: [month, categories.lowerBound, categories.upperBound])
      var totals: [CategoryTotal] = []
      while let row = try rows.next() {
        totals.append(
          CategoryTotal(
            category: row[0], currency: row[1], inflow: row[2], outflow: row[3], count: row[4]))
      }
      return totals
    }
  }

  func importFile(_ path: String) async throws { try importNow(path) }

  /// Imports all rows in one transaction, as Daybook does.
  private func importNow(_ path: String) throws {
    let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    try pool.write { database in
      var reader = ImportFileReader(file)
      while let events = try reader.next(1_000) { try apply(events, database) }
    }
  }

  func compactByteCount() async throws -> Int { try compactNow() }

  private func compactNow() throws -> Int {
    let path = folder + "/compact.sqlite"
    try pool.vacuum(into: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try fileByteCount(path)
  }

  func close() async throws {
    style = nil
    try pool.close()
  }
}
