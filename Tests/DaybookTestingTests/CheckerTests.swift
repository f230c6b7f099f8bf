import Daybook
import DaybookEngine
import DaybookLMDB
/// Goal: the checker finds what is wrong, and nothing where all is right. Method: households are lived in and
/// checked; then projections that overlook some changes stand in for the right ones, and rows are taken out of
/// the views' files.
import DaybookProjections
import DaybookSampleData
import Foundation
import Testing

@testable import DaybookTesting

private let today = Day(year: 2026, month: 2, day: 15) ?? .min

/// A projection that overlooks every seventh entity, and every third deletion.
private struct Careless<Original: Projection>: StandIn {
  static var standsFor: any Projection.Type { Original.self }
  static var name: String { Original.name }
  static var version: UInt32 { Original.version }
  static var tables: [TableDefinition] { Original.tables }

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    if change.number % 7 == 3 { return }
    if change.after == nil, change.number % 3 == 0 { return }
    try Original().apply(change, reading: state, to: &tables)
  }
}

/// Ledgers that are checked.
@Suite struct CheckerTests {
  /// A household that has amended, deleted, taken back and generated.
  private func lived(_ ledger: Ledger, seed: UInt64) async throws {
    try await SampleHousehold(seed: seed, transactionCount: 400, years: 2, through: today)
      .record(in: ledger)
    try await ledger.append(.generateDue(through: today.adding(days: 90)))
    let rows = try ledger.read { try $0.transactions(limit: 200) }
    var random = SeededGenerator(seed: seed)
    for row in rows where random.next() % 4 == 0 {
      if random.next() % 2 == 0 {
        try await ledger.append(.delete(row.id))
      } else {
        var amendment = Amendment(note: "amended")
        amendment.day = row.day.adding(days: -3)
        try await ledger.append(.amend(row.id, amendment))
      }
    }
    try await ledger.undo(commit: ledger.token.sequence)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func nothingIsFoundWhereAllIsRight(seed: UInt64)
    async throws
  {
    let ledger = try await Ledger.inMemory()
    #expect(try await LedgerChecker(seed: seed).differences(in: ledger) == [])
    try await lived(ledger, seed: seed)
    #expect(try await LedgerChecker(seed: seed, today: today).differences(in: ledger) == [])
    try await ledger.rebuild()
    #expect(try await LedgerChecker(seed: seed &+ 9).differences(in: ledger) == [])
    try await ledger.close()
  }

  @Test func nothingIsFoundInALargerHousehold() async throws {
    let ledger = try await SampleHousehold(transactionCount: 3_000, years: 3, through: today)
      .ledger()
    #expect(try await LedgerChecker().differences(in: ledger) == [])
    try await ledger.close()
  }

  static let careless: [any StandIn.Type] = [
    Careless<Transactions>.self, Careless<Balances>.self, Careless<MonthlyTotals>.self,
    Careless<CategoryTotals>.self, Careless<Recurring>.self, Careless<Search>.self,
    Careless<PayeesAndTags>.self,
  ]

  @Test(arguments: careless.indices) func carelessProjectionsAreFound(index: Int) async throws {
    let projection = CheckerTests.careless[index]
    var options = Ledger.Options()
    options.builtins = Ledger.projections.map {
      $0 == projection.standsFor ? projection : $0
    }
    let ledger = try await Ledger.inMemory(options: options)
    try await lived(ledger, seed: 4)
    let found = try LedgerChecker(today: today).countedAnew(ledger)
    #expect(!found.isEmpty, "\(projection.name)")
    #expect(found.allSatisfy { $0.count < 5_000 && $0.contains("the ledger") })
    try await ledger.close()
  }

  @Test func anAppsOwnProjectionIsProvenToo() async throws {
    let ledger = try await Ledger.inMemory(options: Ledger.Options(projections: [Moody.self]))
    try await SampleHousehold(transactionCount: 50, years: 1, through: today).record(in: ledger)
    let row = try #require(try ledger.read { try $0.transactions(limit: 1) }.first)
    #expect(try await LedgerChecker().differences(in: ledger) == [])
    // It keeps the path that led to a row, which breaks the law.
    try await ledger.append(.amend(row.id, Amendment(note: "again")))
    let found = try await LedgerChecker().differences(in: ledger)
    #expect(found.contains { $0.contains("moody") }, "\(found)")
    try await ledger.close()
  }

  @Test(arguments: ["balances.flows", "transactions.by-account"]) func rowsThatAreGoneAreFound(
    table: String
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-testing-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let household = SampleHousehold(transactionCount: 200, years: 1, through: today)
    try await Ledger.withLedger(at: folder) { try await household.record(in: $0) }
    try removeSomeRows(of: table, in: folder + "/views-0001")
    try await Ledger.withLedger(at: folder) { ledger in
      let found = try LedgerChecker().countedAnew(ledger)
      #expect(!found.isEmpty)
      let all = try await LedgerChecker().differences(in: ledger)
      #expect(all.count > found.count, "verify says nothing: \(all)")
      try await ledger.rebuild()
      #expect(try await LedgerChecker().differences(in: ledger) == [])
    }
  }

  private func removeSomeRows(of table: String, in views: String) throws {
    let environment = try Environment.open(path: views)
    defer { try? environment.close() }
    let database = try environment.database(named: table)
    var keys: [[UInt8]] = []
    try environment.read { transaction in
      try transaction.forEach(in: database) { key, _ in
        keys.append(key.copied())
        return true
      }
    }
    try #require(keys.count > 3)
    try environment.write { transaction in
      for key in keys.enumerated().filter({ $0.offset % 3 == 1 }).map(\.element) {
        _ = try transaction.delete(key, in: database)
      }
    }
  }
}

/// Counts changes, not rows.
private struct Moody: Projection {
  static let name = "moody"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("changes", .sums(fields: 1))]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    var key = TableKey()
    key.append(u8: 1)
    tables.add(0, key, Sums(1))
  }
}
