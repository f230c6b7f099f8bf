// Goal: a row that a series or a file makes has the same id wherever it is made, and is made once. Method: the vectors of
// `Docs/Format.md`; periods of every unit; two ledgers that do the same; rows with ids of former versions.

import DaybookEntities
import Foundation
import Testing

@testable import DaybookBookkeeping

@Suite struct NamedIDTests {
  private func series(_ schedule: Schedule, from anchor: String) throws -> Series {
    Series(
      id: SeriesID(EntityID(high: 0x0001_0203_0405_0607, low: 0x0809_0a0b_0c0d_0e0f)), name: "Rent",
      template: SeriesTemplate(type: .expense, amount: try money("1", "KZT")),
      schedule: schedule, anchor: try day(anchor))
  }

  private func period(_ schedule: Schedule, _ due: String, from anchor: String) throws -> String {
    schedule.period(of: try day(due), from: try day(anchor)).description
  }

  /// The line of a block of `Docs/Format.md`.
  private func vector(_ name: String) throws -> String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/Format.md"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    return lines.firstIndex(of: "```text \(name)").map { String(lines[$0 + 1]) }
  }

  @Test func theFormatsVectors() throws {
    let monthly = try series(Schedule(.month), from: "2026-01-15")
    let row = TransactionID(of: monthly, due: try day("2026-03-15"))
    #expect(try vector("row-of-series") == row.description)
    let print = EntityID(high: 0x1011_1213_1415_1617, low: 0x1819_1a1b_1c1d_1e1f)
    let account = AccountID(EntityID(high: 0x2021_2223_2425_2627, low: 0x2829_2a2b_2c2d_2e2f))
    let file = TransactionID(
      ofFile: print, on: try day("2026-03-15"), account: account, ordinal: 1)
    #expect(try vector("row-of-file") == file.description)
    #expect(file.rawValue.isNamed && !TransactionID.random().rawValue.isNamed)
  }

  @Test func aPeriodIsThatWhichTheDueDayStandsFor() throws {
    #expect(try period(Schedule(.day), "2026-03-04", from: "2026-01-01") == "2026-03-04")
    #expect(try period(Schedule(.week), "2026-03-04", from: "2026-01-07") == "2026-03-02")
    #expect(try period(Schedule(.week), "2026-03-08", from: "2026-01-04") == "2026-03-02")
    #expect(try period(Schedule(.month), "2026-03-04", from: "2026-01-04") == "2026-03-01")
    #expect(try period(Schedule(.year), "2026-03-04", from: "2020-03-04") == "2026-01-01")
    // The first of March stands for February, where that has no such day.
    let late = Schedule(.month, monthEnd: .nextDay)
    #expect(try period(late, "2026-03-01", from: "2026-01-30") == "2026-02-01")
    #expect(try period(late, "2026-03-01", from: "2026-01-01") == "2026-03-01")
    #expect(try period(late, "2026-03-30", from: "2026-01-30") == "2026-03-01")
    #expect(try period(Schedule(.month), "2026-03-01", from: "2026-01-30") == "2026-03-01")
  }

  @Test func dueDaysOfOneScheduleHaveIdsOfTheirOwn() throws {
    let last = try day("2080-01-01")
    for unit in ScheduleUnit.allCases {
      for monthEnd in MonthEndPolicy.allCases {
        let series = try series(Schedule(every: 1, unit, monthEnd: monthEnd), from: "2024-01-31")
        let days = Array(series.scheduledDays.prefix(while: { $0 < last }))
        #expect(Set(days.map { TransactionID(of: series, due: $0) }).count == days.count)
      }
    }
  }

  private func withRent() throws -> (Fixture, Series) {
    var ledger = try Fixture()
    var rent = try series(Schedule(.month), from: "2026-01-05")
    rent.template.account = ledger.cash
    rent.template.category = ledger.food
    try ledger.state.run(.putSeries(rent))
    return (ledger, rent)
  }

  private func rows(_ ledger: Fixture) throws -> [String] {
    try ledger.state.transactions().map(\.day.description).sorted()
  }

  @Test func twoLedgersGenerateTheSameIDs() throws {
    var (first, _) = try withRent()
    var second = first
    second.state.ids = 5_000
    try first.state.run(.generateDue(through: first.today))
    try second.state.run(.generateDue(through: first.today.adding(days: 60)))
    let ids = try Set(second.state.transactions().map(\.id))
    #expect(try first.state.transactions().count == 3)
    #expect(try first.state.transactions().allSatisfy { ids.contains($0.id) })
  }

  @Test func whatWasDeletedIsNotGeneratedAgainUntilAsked() throws {
    var (ledger, rent) = try withRent()
    let march = SeriesLink(rent.id, due: try day("2026-03-05"))
    try ledger.state.run(.generateDue(through: ledger.today))
    #expect(try rows(ledger) == ["2026-01-05", "2026-02-05", "2026-03-05"])
    try ledger.state.run(.delete(TransactionID(of: rent, due: try day("2026-02-05"))))
    try ledger.state.run(.skipOccurrence(march))
    try ledger.state.run(.generateDue(through: ledger.today))
    #expect(try rows(ledger) == ["2026-01-05", "2026-04-05"])
    #expect(try ledger.state.all(Series.self).first?.skipped == [])
    try ledger.state.run(.unskipOccurrence(march))
    try ledger.state.run(.generateDue(through: ledger.today))
    #expect(try rows(ledger) == ["2026-01-05", "2026-03-05", "2026-04-05"])
  }

  @Test func aMovedDueDayIsStillThatOfItsMonth() throws {
    var (ledger, rent) = try withRent()
    try ledger.state.run(.generateDue(through: ledger.today))
    rent.anchor = try day("2026-01-10")
    try ledger.state.run(.amendSeries(rent, .seriesOnly))
    try ledger.state.run(.generateDue(through: day("2026-03-20")))
    #expect(try rows(ledger) == ["2026-01-05", "2026-02-05", "2026-03-05", "2026-04-10"])
  }

  /// What a former version has left: rows under ids that follow from nothing, skipped days in the series.
  @Test func rowsOfFormerVersionsAreNotMadeAgain() throws {
    var (ledger, rent) = try withRent()
    for due in ["2026-01-05", "2026-02-05"] {
      var draft = Draft.expense(
        try money("1", "KZT"), from: ledger.cash, category: ledger.food, on: try day(due))
      draft.series = SeriesLink(rent.id, due: try day(due))
      _ = try ledger.record(draft)
    }
    rent.skipped = [try day("2026-03-05")..<day("2026-03-06")]
    try ledger.state.run(.putSeries(rent))
    try ledger.state.run(.generateDue(through: ledger.today))
    #expect(try rows(ledger) == ["2026-01-05", "2026-02-05", "2026-04-05"])

    var files = try Fixture()
    let row = try ImportTests.row(files, "5")
    // Two equal rows, of which one was changed and one deleted.
    for _ in 0..<2 { try ImportTests.run(&files, [row], ImportOptions(keepsDuplicates: true)) }
    let ids = try files.state.transactions().map(\.id)
    #expect(ids.allSatisfy { !$0.rawValue.isNamed })
    #expect(try ImportTests.run(&files, [row, row]).duplicates == [0, 1])
    try files.state.run(.amend(ids[0], Amendment(amount: try money("6", "KZT"))))
    try files.state.run(.delete(ids[1]))
    #expect(try ImportTests.run(&files, [row, row]).duplicates == [0, 1])
    #expect(try ImportTests.run(&files, [row, row, row]).recorded.count == 1)
  }

  @Test func aFilesRowsHaveTheSameIDsInAnyLedger() throws {
    var (first, second) = (try Fixture(), try Fixture())
    second.state.ids = 5_000
    let rows = try ["5", "5", "7"].map { try ImportTests.row(first, $0) }
    let ids = try ImportTests.run(&first, rows).recorded
    #expect(Set(ids).count == 3)
    #expect(
      try ImportTests.run(&second, [rows[2], rows[0], rows[1]]).recorded == [
        ids[2], ids[0], ids[1],
      ])
    try first.state.run(.delete(ids[0]))
    #expect(try first.state.all(Fingerprint.self).map(\.id) == [ids[0].rawValue])
    let again = try ImportTests.run(&first, rows, ImportOptions(restoresDeleted: true))
    #expect(again.recorded == [ids[0]] && again.duplicates == [1, 2])
    #expect(try first.state.all(Fingerprint.self).isEmpty)
  }
}
