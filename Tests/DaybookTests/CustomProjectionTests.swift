/// Goal: an app's own projection is kept beside the built-in ones, and may be added later. Method: a
/// projection that counts transactions by weekday is registered with a ledger that is new, and with
/// one that has rows already; its numbers follow amendments and deletions.
import Daybook
import DaybookEngine
import Testing

/// How many transactions there are on each day of the week.
private struct Weekdays: Projection {
  static let name = "weekdays"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("counts", .sums(fields: 1))]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    if let record = change.before { try add(record, -1, to: &tables) }
    if let record = change.after { try add(record, 1, to: &tables) }
  }

  private func add(_ record: Record, _ sign: Int128, to tables: inout ProjectionTables) throws {
    let day = try TransactionFigures(record.bytes.span.bytes).day
    tables.add(0, Weekdays.key(day.weekday), Sums(sign))
  }

  static func key(_ weekday: Int) -> TableKey {
    var key = TableKey()
    key.append(u8: UInt8(weekday))
    return key
  }

  static func count(on weekday: Int, in ledger: Ledger) throws -> Int {
    try ledger.read { snapshot throws in
      try snapshot.withView { view throws in
        let table = try view.tables(of: Weekdays.self)[0]
        return Int(try view.sums(key(weekday), in: table)?[0] ?? 0)
      }
    }
  }
}

@Suite struct CustomProjectionTests {
  @Test func itIsBuiltWhenAddedAndKeptUpToDate() async throws {
    let house = try await House()
    let a = try await house.account("A")
    // 2026-02-15 is a Sunday.
    let row = try await house.expense(money("1"), from: a, on: "2026-02-15")
    let error = #expect(throws: DaybookError.self) { try Weekdays.count(on: 7, in: house.ledger) }
    #expect(error?.code == .projectionUnavailable)
    try await house.ledger.close()
    house.ledger = try await Ledger.open(
      at: house.path, options: House.options(projections: [Weekdays.self]))
    #expect(try Weekdays.count(on: 7, in: house.ledger) == 1)
    try await house.expense(money("1"), from: a, on: "2026-02-08")
    #expect(try Weekdays.count(on: 7, in: house.ledger) == 2)
    try await house.append(.amend(row, Amendment(day: day("2026-02-16"))))
    #expect(try Weekdays.count(on: 7, in: house.ledger) == 1)
    #expect(try Weekdays.count(on: 1, in: house.ledger) == 1)
    try await house.append(.delete(row))
    #expect(try Weekdays.count(on: 1, in: house.ledger) == 0)
    try await house.ledger.rebuild()
    #expect(try Weekdays.count(on: 7, in: house.ledger) == 1)
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @Test func whatAProcessWithoutItRecordsIsCaughtUpWith() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.ledger.close()
    house.ledger = try await Ledger.open(
      at: house.path, options: House.options(projections: [Weekdays.self]))
    try await house.expense(money("1"), from: a, on: "2026-02-15")
    try await house.reopen()
    try await house.expense(money("1"), from: a, on: "2026-02-15")
    try await house.ledger.close()
    house.ledger = try await Ledger.open(
      at: house.path, options: House.options(projections: [Weekdays.self]))
    #expect(try Weekdays.count(on: 7, in: house.ledger) == 2)
    try await house.end()
  }
}
