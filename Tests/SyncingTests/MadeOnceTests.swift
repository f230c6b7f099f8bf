// Goal: what several devices generate or import alike is there once, with nothing to tell, whatever one of them did to its
// copy before. Method: a household whose devices do so offline; rows, findings and what a further run makes.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookMerging
import DaybookReplicas
import Testing

@testable import DaybookSync

@Suite struct MadeOnceTests {
  private let bank = AccountID(EntityID(high: 1, low: 1))
  private let rent = SeriesID(EntityID(high: 2, low: 1))
  private let today = Day(year: 2026, month: 3, day: 10) ?? .min

  private func day(_ month: Int, _ day: Int = 5) -> Day {
    Day(year: 2026, month: month, day: day) ?? .min
  }

  /// Two devices with an account and a monthly series that begins in January.
  private func household() async throws -> (Household, Ledger, Ledger) {
    let (first, second) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    var series = Series(
      id: rent, name: "Rent",
      template: SeriesTemplate(type: .expense, amount: Money(90_000, .eur), account: bank),
      schedule: Schedule(.month), anchor: day(1))
    series.ahead = 0
    try await first.append([
      .openAccount(NewAccount(id: bank, name: "Bank", currency: .eur)), .putSeries(series),
    ])
    var household = Household()
    try await household.start(first)
    try await household.join(second, name: "laptop")
    return (household, first, second)
  }

  private func rows(_ ledger: Ledger) throws -> [Transaction] {
    try ledger.read { snapshot in
      var rows: [Transaction] = []
      try snapshot.forEach(Transaction.self) { rows.append($0) }
      return rows.sorted { $0.id < $1.id }
    }
  }

  /// Sees that both have the same rows, and nothing to tell.
  private func expectEqual(_ household: Household, _ first: Ledger, _ second: Ledger) async throws {
    for device in household.devices { #expect(try await device.findings().isEmpty) }
    let (here, there) = (try rows(first), try rows(second))
    #expect(here.map { $0.record() } == there.map { $0.record() })
    #expect(here.map(\.id) == there.map(\.id))
    #expect(try await first.verify().findings.isEmpty)
    #expect(try await second.verify().findings.isEmpty)
  }

  private func notes(_ ledger: Ledger) throws -> [String] { try rows(ledger).map(\.note).sorted() }

  @Test func bothGenerate() async throws {
    let (household, first, second) = try await household()
    try await first.append(.generateDue(through: today))
    household.pass(seconds: 10)
    try await second.append(.generateDue(through: day(4)))
    try await household.settle()
    #expect(try rows(first).map(\.day).sorted() == [day(1), day(2), day(3), day(4)])
    try await expectEqual(household, first, second)
  }

  /// Whoever is first in the log: what a person did to a row stands, on both.
  @Test(arguments: [false, true]) func oneHasChangedAndDeletedItsCopies(isFirst: Bool) async throws
  {
    let (household, first, second) = try await household()
    try await first.append(.generateDue(through: today))
    try await second.append(.generateDue(through: today))
    let (busy, idle) = isFirst ? (first, second) : (second, first)
    for row in try rows(busy) {
      switch row.day {
      case day(1): try await busy.append(.delete(row.id))
      case day(2):
        try await busy.append(.amend(row.id, Amendment(amount: Money(80_000, .eur), note: "less")))
      default: break
      }
    }
    try await busy.append(.skipOccurrence(SeriesLink(rent, due: day(4))))
    try await idle.append(.generateDue(through: day(4)))
    try await household.settle()
    #expect(try rows(idle).map(\.day).sorted() == [day(2), day(3)])
    #expect(try notes(idle) == ["", "less"])
    try await expectEqual(household, first, second)
    for ledger in [first, second] {
      #expect(
        try await ledger.append(.generateDue(through: day(4))).generations.flatMap(\.recorded) == []
      )
      #expect(try ledger.read { try $0.isSkipped(SeriesLink(rent, due: day(1))) })
    }
    // Who wants it after all gets it, on both.
    try await idle.append([
      .unskipOccurrence(SeriesLink(rent, due: day(1))), .generateDue(through: today),
    ])
    try await household.settle()
    #expect(try rows(busy).map(\.day).sorted() == [day(1), day(2), day(3)])
    try await expectEqual(household, first, second)
  }

  private func file(_ days: ClosedRange<Int>, reference: Bool = false) -> Command {
    .importRows(
      days.flatMap { number -> [ImportRow] in
        let draft = Draft.expense(
          Money(Int64(number) * 100, .eur), from: bank, on: day(2, number), note: "Shop")
        // Two equal rows a day.
        return (0..<2).map { ImportRow(draft, reference: reference ? "ofx:\(number)-\($0)" : "") }
      }, ImportOptions())
  }

  @Test(arguments: [false, true]) func bothImportFilesThatOverlap(reference: Bool) async throws {
    let (household, first, second) = try await household()
    try await first.append(file(1...10, reference: reference))
    try await second.append(file(6...15, reference: reference))
    let ninth = try rows(first).filter { $0.day == day(2, 9) }
    try await first.append(.delete(ninth[0].id))
    try await first.append(.amend(ninth[1].id, Amendment(day: day(3), note: "Book")))
    try await household.settle()
    #expect(try rows(second).count == 29)
    #expect(try rows(second).count { $0.note == "Book" && $0.day == day(3) } == 1)
    try await expectEqual(household, first, second)
    for ledger in [first, second] {
      let report = try await ledger.append(file(1...15, reference: reference)).imports.first
      #expect(report?.recorded == [])
    }
    try await household.settle()
    try await expectEqual(household, first, second)
  }

  @Test func whatAProgramMadeIsMarked() async throws {
    let (household, first, _) = try await household()
    try await first.append(.generateDue(through: today))
    try await first.append(.record(.expense(Money(1, .eur), from: bank, on: today)))
    let sync = household.devices[0]
    let pending = try await sync.connected().replica.pending()
    #expect(pending.map(\.hasIndependentChanges) == [true, false])
    #expect(pending.map { $0.changes.map(\.isMade) } == [[true, true, true], [false]])
  }
}
