// Goal: an imported row that pays a due date of a recurring transaction is that due date, generated or not, and it
// counts once. Method: rent is due each month, rows of a bank are imported before and after it is generated.
import Daybook
import DaybookFormats
import DaybookInterchange
import Testing

@Suite struct DueDateRowTests {
  private static let giro = AccountID.random()
  private static let home = CategoryID.random()
  private static let rent = SeriesID.random()

  private func ledger(
    _ adjust: (inout Series) -> Void = { _ in }
  ) async throws -> Ledger {
    let ledger = try await Ledger.inMemory()
    var template = SeriesTemplate(
      type: .expense, amount: money("900", eur), account: Self.giro, category: Self.home)
    template.payee = "Landlord"
    template.tags = ["flat"]
    var series = Series(
      id: Self.rent, name: "Rent", template: template, schedule: Schedule(.month),
      anchor: day("2026-02-01"))
    series.ahead = 0
    adjust(&series)
    try await ledger.append([
      .openAccount(
        NewAccount(id: Self.giro, name: "Giro", currency: eur, opening: money("2000", eur))),
      .createCategory(NewCategory(id: Self.home, name: "Home", kind: .expense)),
      .putSeries(series),
    ])
    return ledger
  }

  private func run(
    _ ledger: Ledger, _ rows: [(String, String, String)], reference: String = ""
  ) async throws -> ImportSummary {
    var statement = Statement(line: 1, account: StatementAccount(name: "Giro", currency: eur))
    statement.rows = rows.map { text, amount, payee in
      var row = StatementRow(line: 1, day: day(text), amount: money(amount, eur), payee: payee)
      row.reference = "camt:" + reference
      return row
    }
    var file = FileContents()
    file.statements = [statement]
    return try await StatementImporter().run(file, into: ledger)
  }

  private func balance(_ ledger: Ledger) throws -> String {
    try ledger.read { "\(try $0.balance(of: Self.giro, on: day("2026-12-31")))" }
  }

  /// The bank's row of posted interest is the posted interest.
  @Test func aRowIsPostedInterest() async throws {
    let ledger = try await ledger { $0.anchor = day("2027-02-01") }
    let terms = AccountTerms(
      of: Self.giro, rate: try #require(InterestRate("12")), from: day("2026-01-01"))
    try await ledger.append(.setTerms(terms))
    try await ledger.append(.postInterest(through: day("2026-02-01")))
    for _ in 0..<2 {
      let summary = try await run(ledger, [("2026-02-02", "20.38", "Bank")])
      #expect(summary.imported == 0)
      #expect(try balance(ledger) == "2020.38 EUR")
      try await ledger.append(.postInterest(through: day("2026-02-01")))
    }
    #expect(
      try ledger.read { try $0.accruedInterest(of: Self.giro, on: day("2026-02-02"))?.due } == [])
    try await ledger.close()
  }

  @Test(arguments: [true, false], ["", "B-1"])
  func theRowIsTheDueDate(isGenerated: Bool, reference: String) async throws {
    let ledger = try await ledger()
    let generate = Command.generateDue(through: day("2026-02-02"))
    if isGenerated { try await ledger.append([generate]) }
    let rows = [("2026-02-02", "-900", "LANDLORD GMBH"), ("2026-02-03", "-20", "Rewe")]
    let summary = try await run(ledger, rows, reference: reference)
    #expect(summary.matches.map(\.due) == [day("2026-02-01")])
    #expect(summary.imported == (isGenerated ? 1 : 2))
    for _ in 0..<2 {
      #expect(try balance(ledger) == "1080.00 EUR")
      let found = try ledger.read { try $0.occurrences(of: Self.rent) }
      #expect(found.map(\.due) == [day("2026-02-01")])
      let paid = try #require(try ledger.read { try $0.transaction(found[0].transaction) })
      #expect(paid.day == day("2026-02-02") && paid.payee == "LANDLORD GMBH")
      #expect(paid.category == Self.home && paid.tags == ["flat"] && paid.status == .cleared)
      // Neither generating nor importing again adds it once more.
      try await ledger.append([generate])
      let again = try await run(ledger, rows, reference: reference)
      #expect(again.imported == 0 && again.duplicates == 2 && again.matches.isEmpty)
    }
    try await ledger.close()
  }

  @Test func amountsWithinTheToleranceMatch() async throws {
    let ledger = try await ledger { $0.tolerance = 1_000 }
    try await ledger.append([.generateDue(through: day("2026-03-01"))])
    let summary = try await run(
      ledger, [("2026-02-01", "-909.99", "Landlord"), ("2026-03-01", "-910.01", "Landlord")])
    #expect(summary.matches.map(\.due) == [day("2026-02-01")])
    // 2,000 − 909.99 − 900 generated in March − 910.01.
    #expect(try balance(ledger) == "-720.00 EUR" && summary.imported == 1)
    let found = try ledger.read { try $0.occurrences(of: Self.rent) }
    #expect(found.map(\.due) == [day("2026-02-01"), day("2026-03-01")])
    let paid = try ledger.read { try $0.transaction(found[0].transaction) }
    #expect(paid?.amount == money("-909.99", eur) && paid?.category == Self.home)
    try await ledger.close()
  }

  @Test func otherAmountsDaysAndDirectionsDoNot() async throws {
    let ledger = try await ledger()
    try await ledger.append([.generateDue(through: day("2026-02-02"))])
    let summary = try await run(
      ledger,
      [
        ("2026-02-02", "-899.99", "Landlord"), ("2026-02-12", "-900", "Landlord"),
        ("2026-02-02", "900", "Landlord"), ("2026-02-06", "-900", "Car dealer"),
      ])
    #expect(summary.imported == 4 && summary.matches.isEmpty)
    try await ledger.close()
  }

  @Test func theNearestDueDateIsTakenOnce() async throws {
    let ledger = try await ledger {
      $0.schedule = Schedule(.week)
      $0.template.payee = ""
    }
    try await ledger.append([.generateDue(through: day("2026-02-08"))])
    let summary = try await run(
      ledger,
      [
        ("2026-02-09", "-900", "Hausverwaltung"), ("2026-02-03", "-900", "Hausverwaltung"),
        ("2026-02-03", "-900", "Hausverwaltung"), ("2026-02-15", "-900", "Hausverwaltung"),
      ])
    #expect(
      summary.matches.map(\.due) == [day("2026-02-08"), day("2026-02-01"), day("2026-02-15")])
    #expect(summary.imported == 2)
    try await ledger.close()
  }

  @Test func skippedAndPaidDueDatesAreLeftAlone() async throws {
    let ledger = try await ledger()
    try await ledger.append([
      .generateDue(through: day("2026-03-01")),
      .skipOccurrence(SeriesLink(Self.rent, due: day("2026-03-01"))),
    ])
    let paid = try ledger.read { try $0.occurrences(of: Self.rent) }[0].transaction
    try await ledger.append([.reconcile([paid])])
    let summary = try await run(
      ledger, [("2026-02-01", "-900", "Landlord"), ("2026-03-02", "-900", "Landlord")])
    #expect(summary.matches.isEmpty)
    try await ledger.close()
  }
}
