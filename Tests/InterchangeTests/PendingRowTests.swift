// Goal: a booked row settles the pending transaction that it is, whatever reference the bank gives it, and later
// imports of either row change nothing. Method: statements are imported in several orders, and the ledger is compared
// with the transactions that a person would see.
import Daybook
import DaybookFormats
import DaybookInterchange
import DaybookRandom
import Testing

@Suite struct PendingRowTests {
  private static let account = StatementAccount(iban: "DE89370400440532013000", currency: eur)

  private static func row(
    _ dayText: String, _ amount: String, _ payee: String, _ reference: String = "",
    pending: Bool = false, valueDay: String? = nil
  ) -> StatementRow {
    var row = StatementRow(
      line: 1, day: day(dayText), amount: money(amount, eur), description: "Card", payee: payee)
    row.reference = "camt:" + reference
    row.isPending = pending
    row.valueDay = valueDay.map(day)
    return row
  }

  private static func file(_ rows: [StatementRow]) -> FileContents {
    var statement = Statement(line: 1, account: account)
    statement.rows = rows
    var file = FileContents()
    file.statements = [statement]
    return file
  }

  private static let importer = StatementImporter(
    accounts: AccountChoice(all: "Giro"), takesPending: true)

  private func run(
    _ rows: [StatementRow], _ ledger: Ledger, _ importer: StatementImporter = importer
  ) async throws -> ImportSummary {
    try await importer.run(Self.file(rows), into: ledger)
  }

  private func words(_ ledger: Ledger) throws -> [String] {
    try ledger.read { try $0.transactions(limit: 100) }.map {
      "\($0.day) \($0.payee) \($0.amount?.minorUnits ?? 0) \($0.status)"
    }.sorted()
  }

  private static let pending = [
    row("2026-03-10", "-12.50", "Cafe", pending: true),
    row("2026-03-10", "-8", "Kino", "P-1", pending: true),
    row("2026-03-10", "-30", "Laden", "SAME", pending: true),
    row("2026-03-10", "-40", "Tank AG", "HOLD", pending: true),
  ]
  private static let booked = [
    row("2026-03-11", "-12.50", "CAFE BERLIN", "B-9", valueDay: "2026-03-10"),
    row("2026-03-12", "-8", "Kino", "B-1"),
    row("2026-03-10", "-30", "Laden", "SAME"),
    row("2026-03-12", "-42.70", "TANK AG", "HOLD"),
  ]
  private static let settled = [
    "2026-03-10 Laden -3000 cleared", "2026-03-11 CAFE BERLIN -1250 cleared",
    "2026-03-12 Kino -800 cleared", "2026-03-12 TANK AG -4270 cleared",
  ]

  @Test func bookedRowsSettlePendingOnes() async throws {
    let ledger = try await Ledger.inMemory()
    #expect(try await run(Self.pending, ledger).imported == 4)
    let before = try ledger.read { try $0.transactions(limit: 9) }.map(\.id).sorted()
    var preview = Self.importer
    preview.settings.isDryRun = true
    #expect(try await run(Self.booked, ledger, preview).matches.count == 4)
    #expect(try words(ledger).allSatisfy { $0.hasSuffix("pending") })
    let summary = try await run(Self.booked, ledger)
    #expect(summary.imported == 0 && summary.matches.count == 4 && summary.duplicates == 0)
    #expect(summary.stillPending.isEmpty)
    #expect(try words(ledger) == Self.settled)
    #expect(try ledger.read { try $0.transactions(limit: 9) }.map(\.id).sorted() == before)
    // Both files are known, in either order, with and without their pending rows.
    for rows in [Self.booked, Self.pending, Self.pending + Self.booked, Self.booked] {
      let again = try await run(rows, ledger)
      #expect(again.imported == 0 && again.matches.isEmpty)
      #expect(again.duplicates == rows.count)
      #expect(try words(ledger) == Self.settled)
    }
    try await ledger.close()
  }

  @Test func theOrderOfTheFilesDoesNotMatter() async throws {
    let orders = [
      [Self.booked, Self.pending], [Self.pending + Self.booked], [Self.booked + Self.pending],
    ]
    for order in orders {
      let ledger = try await Ledger.inMemory()
      for rows in order { _ = try await run(rows, ledger) }
      #expect(try words(ledger) == Self.settled)
      try await ledger.close()
    }
  }

  /// Pending and booked rows of one bank, in files that overlap, in any order and repeatedly.
  @Test(arguments: 0..<24) func anyOrderOfOverlappingFilesGivesTheSameLedger(seed: Int) async throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    var pending: [StatementRow] = []
    var booked: [StatementRow] = []
    var expected: [String] = []
    for index in 0..<10 {
      let first = day("2026-03-01").adding(days: Int.random(in: 0..<20, using: &random))
      let last = first.adding(days: Int.random(in: 0...4, using: &random))
      let keepsReference = Bool.random(using: &random)
      let units = Int.random(in: 1...3, using: &random) * 5
      // A bank may change the amount if it keeps the reference.
      let change = keepsReference && Bool.random(using: &random) ? 1 : 0
      let pendingReference = Bool.random(using: &random) ? "P-\(index)" : ""
      let reference = keepsReference ? "S-\(index)" : pendingReference
      let isPending = Int.random(in: 0..<4, using: &random) > 0
      let isBooked = !isPending || Int.random(in: 0..<4, using: &random) > 0
      let name = "Shop\(index)"
      if isPending {
        pending.append(Self.row("\(first)", "-\(units)", name, reference, pending: true))
      }
      if isBooked {
        booked.append(
          Self.row(
            "\(last)", "-\(units + change)", "\(name) Berlin",
            keepsReference ? reference : "B-\(index)"))
        expected.append("\(last) \((units + change) * 100) cleared")
      } else {
        expected.append("\(first) \(units * 100) pending")
      }
    }
    var files = [pending, booked, pending + booked]
    for rows in [pending, booked] where rows.count > 2 {
      let cut = Int.random(in: 1..<rows.count, using: &random)
      // Both parts contain the row at the cut.
      files += [Array(rows[...cut]), Array(rows[cut...])]
    }
    let ledger = try await Ledger.inMemory()
    for rows in (files + files).shuffled(using: &random) { _ = try await run(rows, ledger) }
    let found = try ledger.read { try $0.transactions(limit: 100) }.map {
      "\($0.day) \(-($0.amount?.minorUnits ?? 0)) \($0.status)"
    }
    #expect(found.sorted() == expected.sorted())
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
  }

  @Test func otherPurchasesAreLeftAlone() async throws {
    let ledger = try await Ledger.inMemory()
    _ = try await run(
      [
        Self.row("2026-03-10", "-9.99", "Netflix", "P-1", pending: true),
        Self.row("2026-03-10", "-5", "Cafe", "P-2", pending: true),
        Self.row("2026-03-10", "-6", "Cafe", "P-3", pending: true),
      ], ledger)
    let summary = try await run(
      [
        Self.row("2026-03-11", "-9.99", "Spotify", "B-1"),
        Self.row("2026-03-30", "-5", "Cafe", "B-2"), Self.row("2026-03-11", "6", "Cafe", "B-3"),
        // The bank still lists this one.
        Self.row("2026-03-10", "-6", "Cafe", "P-3", pending: true),
      ], ledger)
    #expect(summary.imported == 3 && summary.matches.isEmpty)
    #expect(summary.stillPending.map(\.payee).sorted() == ["Cafe", "Netflix"])
    #expect(summary.stillPending.allSatisfy { $0.status == .pending })
    try await ledger.close()
  }

  @Test func eachRowSettlesOneTransactionAndTheNearestFirst() async throws {
    let ledger = try await Ledger.inMemory()
    _ = try await run(
      [
        Self.row("2026-03-09", "-3", "Cafe", "P-1", pending: true),
        Self.row("2026-03-10", "-3", "Cafe", "P-2", pending: true),
      ], ledger)
    let first = [Self.row("2026-03-11", "-3", "Cafe", "B-2", valueDay: "2026-03-10")]
    #expect(try await run(first, ledger).matches.map(\.transaction?.day) == [day("2026-03-10")])
    // The same row again doesn't settle the other one.
    #expect(try await run(first, ledger).matches.isEmpty)
    #expect(
      try words(ledger) == ["2026-03-09 Cafe -300 pending", "2026-03-11 Cafe -300 cleared"])
    let second = first + [Self.row("2026-03-12", "-3", "Cafe", "B-1")]
    #expect(try await run(second, ledger).matches.count == 1)
    #expect(
      try words(ledger) == ["2026-03-11 Cafe -300 cleared", "2026-03-12 Cafe -300 cleared"])
    try await ledger.close()
  }

  @Test func whatAPersonChoseStays() async throws {
    let ledger = try await Ledger.inMemory()
    _ = try await run(Array(Self.pending.prefix(2)), ledger)
    let food = CategoryID.random()
    try await ledger.append([.createCategory(NewCategory(id: food, name: "Food", kind: .expense))])
    let cafe = try #require(
      try ledger.read { try $0.transactions(limit: 9) }.first { $0.payee == "Cafe" })
    try await ledger.append([
      .amend(cafe.id, Amendment(category: food, payee: "Café Mitte", tags: ["work"]))
    ])
    _ = try await run(Self.booked, ledger)
    let now = try #require(try ledger.read { try $0.transaction(cafe.id) })
    #expect(now.payee == "Café Mitte" && now.tags == ["work"] && now.status == .cleared)
    #expect(now.day == day("2026-03-11") && now.category == food)
    #expect(try await run(Self.booked, ledger).imported == 0)
    try await ledger.close()
  }

  @Test func aTransactionEnteredByHandIsSettled() async throws {
    for reference in ["", "B-1"] {
      let ledger = try await Ledger.inMemory()
      let giro = AccountID.random()
      try await ledger.append([
        .openAccount(NewAccount(id: giro, name: "Giro", currency: eur)),
        .record(
          .expense(
            money("25", eur), from: giro, on: day("2026-03-09"), payee: "Garage",
            status: .pending)),
      ])
      let rows = [
        Self.row("2026-03-10", "-25", "GARAGE MUELLER", reference),
        Self.row("2026-03-10", "-25", "GARAGE MUELLER", reference.isEmpty ? "" : "B-2"),
      ]
      let summary = try await run(rows, ledger)
      #expect(summary.imported == 1 && summary.matches.count == 1)
      for _ in 0..<2 {
        let again = try await run(rows, ledger)
        #expect(again.imported == 0 && again.duplicates == 2)
      }
      #expect(try words(ledger).count == 2)
      #expect(try words(ledger).allSatisfy { $0.hasSuffix("cleared") })
      try await ledger.close()
    }
  }

  @Test func aSettledTransactionStaysDeletedUntilItIsRestored() async throws {
    let ledger = try await Ledger.inMemory()
    _ = try await run(Self.pending, ledger)
    _ = try await run(Self.booked, ledger)
    let all = try ledger.read { try $0.transactions(limit: 9) }
    try await ledger.append(all.map { .delete($0.id) })
    #expect(try await run(Self.booked, ledger).duplicates == 4)
    #expect(try await run(Self.pending, ledger).imported == 0)
    var restoring = Self.importer
    restoring.settings.restoresDeleted = true
    #expect(try await run(Self.booked, ledger, restoring).imported == 4)
    #expect(try words(ledger) == Self.settled)
    #expect(try await run(Self.booked, ledger, restoring).imported == 0)
    try await ledger.close()
  }

  @Test func withoutMatchingEveryRowIsNew() async throws {
    let ledger = try await Ledger.inMemory()
    var importer = Self.importer
    importer.settings.findsMatches = false
    _ = try await run(Self.pending, ledger, importer)
    let summary = try await run(Self.booked, ledger, importer)
    // The row with the same reference, day and amount is the same row in any case.
    #expect(summary.imported == 3 && summary.duplicates == 1)
    try await ledger.close()
  }

  @Test func undoBringsThePendingTransactionBack() async throws {
    let ledger = try await Ledger.inMemory()
    _ = try await run(Self.pending, ledger)
    let before = try words(ledger)
    let summary = try await run(Self.booked, ledger)
    let sequence = try #require(summary.token).sequence
    try await ledger.undo(commit: sequence)
    #expect(try words(ledger) == before)
    #expect(try await run(Self.booked, ledger).matches.count == 4)
    #expect(try words(ledger) == Self.settled)
    try await ledger.close()
  }
}
