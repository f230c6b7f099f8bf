// Goal: closing the books is an entry like others: what was placed before it stays and is told. Method: as for
// postings, with the days that stand and the rows that are listed.

import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import Testing

@Suite struct ClosingTests {
  private let march = LedgerSettings(closedThrough: day(2026, 3, 31))

  private func settings(_ through: Day?) -> LedgerSettings {
    LedgerSettings(closedThrough: through)
  }

  /// What stands of two values that had not seen each other, in either order; the clocks of both orders.
  private func standing(
    _ begun: LedgerSettings, _ first: LedgerSettings, _ second: LedgerSettings
  ) throws -> [Day?] {
    try [(first, second), (second, first)].map { first, second in
      var log = Log()
      log.place(1, base: 0, clock: 10, .change(nil, begun))
      log.place(2, base: 1, clock: 90, .change(begun, first))
      log.place(3, base: 1, clock: 20, .change(begun, second))
      return try log.folded().entity(begun)?.closedThrough
    }
  }

  @Test func ofTwoClosingsTheLaterDayStands() throws {
    let april = day(2026, 4, 30)
    #expect(try standing(settings(nil), march, settings(april)) == [april, april])
  }

  @Test func ofClosingAndReopeningTheLaterDayStands() throws {
    let april = day(2026, 4, 30)
    #expect(try standing(march, settings(nil), settings(april)) == [april, april])
    let january = settings(day(2026, 1, 31))
    #expect(try standing(march, january, settings(april)) == [april, april])
    // Who had seen the closing reopens.
    #expect(try standing(march, january, march) == [day(2026, 1, 31), day(2026, 1, 31)])
  }

  @Test func theDayThatLostIsTold() throws {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, settings(nil)))
    log.place(2, base: 1, clock: 20, .change(settings(nil), march))
    log.place(3, base: 1, clock: 30, .change(settings(nil), settings(day(2026, 4, 30))))
    let folded = try log.folded()
    #expect(folded.rules == [.valueLost])
    #expect(folded.findings.values.first?.values.first?.lost.writer?.position == 2)
  }

  private func dated(_ number: UInt64, _ day: Day, _ units: Int64) -> Transaction {
    var row = expense(units)
    row.id = TransactionID(EntityID(high: 1, low: number))
    row.day = day
    return row
  }

  /// Rows of the days 15 January, 31 March and 1 April, placed by 2; 3 closes March without having seen them.
  @Test func whatWasClosedUnseenStaysAndIsListed() throws {
    let rows = [
      dated(1, day(2026, 1, 15), 1_000), dated(2, day(2026, 3, 31), 2_000),
      dated(3, day(2026, 4, 1), 4_000),
    ]
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, settings(nil)))
    log.place(
      2, base: 1, clock: 20, .change(nil, rows[0]), .change(nil, rows[1]), .change(nil, rows[2]))
    log.place(3, base: 1, clock: 30, .change(settings(nil), march))
    let folded = try log.folded()
    let sum = try rows.compactMap { try folded.entity($0)?.postings[0].amount.minorUnits }
    #expect(sum == [-1_000, -2_000, -4_000])
    #expect(try folded.entity(march)?.closedThrough == day(2026, 3, 31))
    #expect(folded.rules == [.closedUnseen])
    let listed = folded.findings.values.first?.entities.map(\.id.low)
    #expect(listed == [1, 2])
    #expect(folded.findings.values.first?.id.key.kind == .settings)
  }

  @Test func whatWasSeenOrIsNoFigureIsNotListed() throws {
    let row = dated(1, day(2026, 3, 1), 1_000)
    var noted = row
    noted.note = "lunch"
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, settings(nil)), .change(nil, row))
    log.place(2, base: 1, clock: 20, .change(row, noted))
    log.place(3, base: 1, clock: 30, .change(settings(nil), march))
    #expect(try log.folded().findings.isEmpty)
  }

  @Test func anAmountThatChangedAnOpeningAndADeletionAreListed() throws {
    let row = dated(1, day(2026, 3, 1), 1_000)
    let gone = dated(2, day(2026, 3, 2), 1_000)
    let checking = Account(id: account(1), name: "Checking", kind: .asset, currency: .eur)
    var opened = checking
    opened.openingBalance = 5_000
    var log = Log()
    log.place(
      1, base: 0, clock: 10, .change(nil, settings(nil)), .change(nil, row), .change(nil, gone),
      .change(nil, checking))
    log.place(
      2, base: 1, clock: 20, .change(row, dated(1, row.day, 1_200)), .change(gone, nil),
      .change(checking, opened))
    log.place(3, base: 1, clock: 30, .change(settings(nil), march))
    let folded = try log.folded()
    #expect(folded.rules == [.closedUnseen])
    let listed = folded.findings.values.first?.entities
    #expect(listed?.map(\.kind) == [.account, .transaction, .transaction])
    #expect(listed?.map(\.id.low) == [1, 1, 2])
  }

  /// Of the period that was closed before nothing is listed where nothing more is closed.
  @Test func reopeningListsNothing() throws {
    let row = dated(1, day(2026, 1, 15), 1_000)
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, settings(nil)))
    log.place(1, base: 0, clock: 20, .change(settings(nil), march))
    log.place(2, base: 2, clock: 30, .change(nil, row))
    log.place(1, base: 2, clock: 40, .change(march, settings(day(2026, 1, 31))))
    #expect(try log.folded().findings.isEmpty)
  }
}
