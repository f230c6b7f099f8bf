// Goal: rows of a file are recorded once, however often it is imported and whatever became of them.
// Method: the import scenarios and rule 16, each by counting what is recorded, with amended, deleted and
// hand-entered rows between two imports; bad rows by line.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct ImportTests {
  static func row(
    _ ledger: Fixture, _ amount: String, note: String = "Coffee", offset: Int = 0, line: Int = 0,
    income: Bool = false
  ) throws -> ImportRow {
    let money = try money(amount, "KZT")
    let day = ledger.today.adding(days: offset)
    let draft: Draft =
      income
      ? .income(money, into: ledger.cash, on: day, note: note)
      : .expense(money, from: ledger.cash, on: day, note: note)
    return ImportRow(draft, line: line)
  }

  @discardableResult
  static func run(
    _ ledger: inout Fixture, _ rows: [ImportRow], _ options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try #require(try ledger.state.run(.importRows(rows, options)).report)
  }

  @Test func theSameFileAgain() throws {
    var ledger = try Fixture()
    let rows = try (0..<100).map { try Self.row(ledger, "\($0 + 1)", offset: $0 % 7) }
    for round in 0..<3 {
      let report = try Self.run(&ledger, rows)
      #expect(report.recorded.count == (round == 0 ? 100 : 0))
      #expect(report.duplicates.count == (round == 0 ? 0 : 100))
    }
    let more = try rows + (0..<50).map { try Self.row(ledger, "\($0 + 1000)") }
    #expect(try Self.run(&ledger, more).recorded.count == 50)
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
  }

  @Test func whatIsADuplicate() throws {
    var ledger = try Fixture()
    try Self.run(&ledger, [Self.row(ledger, "500", note: "Café au lait")])
    let again = try Self.run(&ledger, [Self.row(ledger, "500", note: "  cAFE\u{301}  au LAIT ")])
    #expect(again.recorded.isEmpty)
    let others = try Self.run(
      &ledger,
      [
        Self.row(ledger, "500", note: "Café au lait", income: true),
        Self.row(ledger, "500.01", note: "Café au lait"),
        Self.row(ledger, "500", note: "Cafe au lait"),
        Self.row(ledger, "500", note: "Café au lait", offset: 1),
        ImportRow(.expense(money("500", "USD"), from: ledger.dollars, on: ledger.today)),
        ImportRow(
          .refund(money("500", "KZT"), into: ledger.cash, on: ledger.today, note: "Café au lait")),
        ImportRow(
          .expense(money("500", "KZT"), from: ledger.bank, on: ledger.today, note: "Café au lait")),
      ])
    #expect(others.recorded.count == 7)
  }

  @Test func identicalRowsAreCounted() throws {
    var ledger = try Fixture()
    let twice = try [Self.row(ledger, "5"), Self.row(ledger, "5")]
    #expect(try Self.run(&ledger, twice).recorded.count == 2)
    #expect(try Self.run(&ledger, twice).recorded.count == 0)
    #expect(try Self.run(&ledger, twice + [Self.row(ledger, "5")]).recorded.count == 1)
    #expect(
      try Self.run(&ledger, twice, ImportOptions(keepsDuplicates: true)).recorded.count == 2)
  }

  @Test func rowsEnteredByHandCountToo() throws {
    var ledger = try Fixture()
    let id = try ledger.record(Self.row(ledger, "5").draft)
    let report = try Self.run(&ledger, [Self.row(ledger, "5"), Self.row(ledger, "5")])
    #expect(report.recorded.count == 1 && report.duplicates == [0])
    #expect(try ledger.stored(id).importIdentity == nil)
  }

  @Test func anAmendedRowCountsAsImported() throws {
    var ledger = try Fixture()
    let id = try Self.run(&ledger, [Self.row(ledger, "5")]).recorded[0]
    for amendment in [
      Amendment(amount: try money("6", "KZT")), Amendment(note: "Tea"),
      Amendment(day: ledger.today.adding(days: 3)), Amendment(account: ledger.bank),
    ] {
      try ledger.state.run(.amend(id, amendment))
      #expect(try Self.run(&ledger, [Self.row(ledger, "5")]).recorded.isEmpty)
    }
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
    // A row that equals what the amended one now says is not the imported one.
    let other = try ImportRow(
      .expense(
        money("6", "KZT"), from: ledger.bank, on: ledger.today.adding(days: 3), note: "Tea"))
    #expect(try Self.run(&ledger, [other]).recorded.count == 1)
    // A category and tags are no part of it.
    try ledger.state.run(.amend(id, Amendment(category: ledger.food, tags: ["x"])))
    try ledger.state.run(
      .amend(
        id,
        Amendment(
          day: ledger.today, amount: money("5", "KZT"), account: ledger.cash, note: "Coffee")))
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
    #expect(try ledger.stored(id).importIdentity == ImportIdentity())
    #expect(try Self.run(&ledger, [Self.row(ledger, "5")]).recorded.isEmpty)
  }

  @Test func aDeletedRowReturnsOnlyWhenAsked() throws {
    var ledger = try Fixture()
    let rows = try [Self.row(ledger, "5"), Self.row(ledger, "5"), Self.row(ledger, "7")]
    let ids = try Self.run(&ledger, rows).recorded
    try ledger.state.run(.delete(ids[0]))
    try ledger.state.run(.amend(ids[2], Amendment(note: "changed")))
    try ledger.state.run(.delete(ids[2]))
    #expect(try Self.run(&ledger, rows).recorded.isEmpty)
    let restored = try Self.run(&ledger, rows, ImportOptions(restoresDeleted: true))
    #expect(restored.recorded.count == 2)
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
    #expect(try Self.run(&ledger, rows).recorded.isEmpty)
  }

  @Test func movedRowsAreStillKnown() throws {
    var ledger = try Fixture()
    try Self.run(&ledger, [Self.row(ledger, "5")])
    try ledger.state.run(.deleteAccount(ledger.cash, .move(to: ledger.bank)))
    #expect(try ledger.state.all(Fingerprint.self).isEmpty)
    #expect(try Self.run(&ledger, [Self.row(ledger, "5")]).duplicates == [0])
  }

  @Test func transfersAreKnownByBothAccounts() throws {
    var ledger = try Fixture()
    let rows = try [
      ImportRow(.transfer(money("5", "KZT"), from: ledger.cash, to: ledger.bank, on: ledger.today)),
      ImportRow(.transfer(money("5", "KZT"), from: ledger.bank, to: ledger.cash, on: ledger.today)),
      ImportRow(
        .transfer(money("5", "USD"), from: ledger.dollars, to: ledger.cash, on: ledger.today)),
    ]
    #expect(try Self.run(&ledger, rows).recorded.count == 3)
    #expect(try Self.run(&ledger, rows).recorded.count == 0)
  }

  @Test func badRowsRefuseTheFileByLine() throws {
    var ledger = try Fixture()
    let rows = try [
      Self.row(ledger, "5", line: 2), Self.row(ledger, "-5", line: 3),
      Self.row(ledger, "6", line: 4),
      ImportRow(.expense(money("1", "JPY"), from: ledger.cash, on: ledger.today), line: 5),
    ]
    let refusal = try #require(ledger.state.refusal(.importRows(rows)))
    #expect(refusal.code == .rows)
    #expect(refusal.rows.map(\.line) == [3, 5])
    #expect(refusal.rows.map(\.code) == [.negative, .noRate])
    #expect(refusal.message.contains("line 3") && refusal.message.contains("line 5"))
    let report = try Self.run(&ledger, rows, ImportOptions(skipsBadRows: true))
    #expect(report.recorded.count == 2 && report.skipped.map(\.index) == [1, 3])
  }

  @Test func theClosedPeriodTakesNoNewRows() throws {
    var ledger = try Fixture()
    try Self.run(&ledger, [Self.row(ledger, "5")])
    try ledger.state.run(.closePeriod(through: ledger.today))
    #expect(try Self.run(&ledger, [Self.row(ledger, "5")]).duplicates == [0])
    let refusal = ledger.state.refusal(.importRows([try Self.row(ledger, "6")]))
    #expect(refusal?.rows.map(\.code) == [.closedPeriod])
  }

  @Test func aFileOfAClosedAccountIsStillKnown() throws {
    var ledger = try Fixture()
    let rows = try [Self.row(ledger, "5")]
    try Self.run(&ledger, rows)
    try ledger.state.run(.closeAccount(ledger.cash))
    #expect(try Self.run(&ledger, rows).duplicates == [0])
    let refusal = ledger.state.refusal(.importRows(rows + rows))
    #expect(refusal?.rows.map(\.code) == [.closed] && refusal?.rows[0].index == 1)
  }

  @Test func aRowWithTheIdOfAStoredOneIsThere() throws {
    var ledger = try Fixture()
    let id = TransactionID(EntityID(high: 4, low: 4))
    let row = try ImportRow(.expense(money("1", "KZT"), on: ledger.today, id: id), reference: "r")
    #expect(try Self.run(&ledger, [row]).recorded == [id])
    #expect(try Self.run(&ledger, [row]).duplicates == [0])
    #expect(try ledger.stored(id).importIdentity?.reference == "r")
  }
}
