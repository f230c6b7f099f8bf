// Goal: what is exported imports again: CSV to equal figures, JSON lines to an equal ledger. Method:
// a ledger with every kind of transaction and entity is exported and imported into an empty one; the
// figures, and for JSON lines the second export, must be the same.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct RoundTripTests {
  /// A ledger with something of everything.
  static func household() async throws -> Home {
    let home = try await Home()
    let ledger = home.ledger
    let points = try #require(Currency(code: "PTS1", digits: 1))
    func open(_ new: NewAccount) async throws -> AccountID {
      try #require(try await ledger.append(.openAccount(new)).accounts.first)
    }
    func create(_ name: String, _ kind: CategoryKind, _ parent: CategoryID? = nil) async throws
      -> CategoryID
    {
      let new = NewCategory(name: name, kind: kind, parent: parent)
      return try #require(try await ledger.append(.createCategory(new)).categories.first)
    }
    try await ledger.append(
      .setSettings(SettingsChange(baseCurrency: .some(kzt), firstWeekday: 7)),
      .defineCurrency(CurrencyDefinition(currency: points, name: "Points")),
      .setRate(
        ExchangeRate(base: usd, quoted: kzt, day: day("2000-01-01"), quote: try Quote("450.25"))))
    let cash = try await open(
      NewAccount(name: "Cash", currency: kzt, opening: Money(5_000_000, kzt)))
    let card = try await open(
      NewAccount(
        name: "Card: \"gold\", old; 2", kind: .liability, currency: usd,
        opening: Money(-10_050, usd), openingDay: day("2025-03-01"), note: "a, note", order: 3))
    let bonus = try await open(NewAccount(name: "Bonus", currency: points))
    let debt = try await open(NewAccount(name: "Debt", currency: kzt))
    let food = try await create("Food", .expense)
    let fruit = try await create("Fruit: \\ fresh", .expense, food)
    let shop = try await create("Shop", .expense)
    let pay = try await create("Pay", .income)
    let tax = try await create("Tax", .expense)
    try await ledger.append(
      .record(
        .expense(
          money("1234.56"), from: cash, category: fruit, on: day("2026-01-05"),
          description: "Apples, \"red\"", payee: "(Market)",
          note: "one, \"two\"\nthree; [2020-01-01]",
          tags: ["a,b", "c\\d"])),
      .record(.income(money("500000"), into: cash, category: pay, on: day("2026-01-06"))),
      .record(.refund(money("34.56"), into: cash, category: fruit, on: day("2026-01-07"))),
      .record(.transfer(money("25000"), from: cash, to: debt, on: day("2026-01-08"))),
      .record(
        .transfer(
          money("100", usd), from: card, to: cash, on: day("2026-01-09"),
          targetAmount: money("45000"))),
      .record(
        .expense(
          money("5000"), from: card, category: shop, on: day("2026-01-10"),
          accountAmount: money("11.11", usd), status: .pending)),
      .record(
        .split(
          into: cash,
          parts: [.init(money("900"), pay, note: "gross"), .init(money("100"), tax)],
          on: day("2026-01-11"), description: "date: not a date")),
      .record(.expense(money("0"), from: cash, on: day("2026-01-12"))),
      .record(.income(money("7.5", points), into: bonus, on: day("2026-03-01"))),
      .record(.expense(money("10"), on: day("2025-12-31"), description: "account:: unknown")))
    let imported = try await home.importing(
      ImportTests.header + "2026-02-01,Cash,-1,Food,,x\n2026-02-01,Cash,-2,Food,,y\n")
    try await ledger.append(
      .amend(imported.transactions[0], Amendment(amount: money("1.50"))),
      .delete(imported.transactions[1]),
      .deleteAccount(debt, .keepRows), .deleteCategory(shop, .keepRows))
    _ = try await open(NewAccount(name: "debt", currency: kzt, opening: Money(100, kzt)))
    _ = try await create("Shop", .expense)
    try await Self.plans(ledger, cash: cash, food: food)
    return home
  }

  private static func plans(_ ledger: Ledger, cash: AccountID, food: CategoryID) async throws {
    func id() -> EntityID { EntityID(high: 7, low: .random(in: 1...UInt64.max)) }
    var budget = Budget(
      id: BudgetID(id()), name: "Eating", categories: [food], amount: money("500"),
      period: .monthly(resetDay: 31))
    budget.rollover = .surplus
    budget.steps = [BudgetStep(day: day("2026-02-01"), amount: money("600"))]
    budget.start = day("2026-01-01")
    var template = SeriesTemplate(type: .expense, amount: money("15"), account: cash)
    template.tags = ["t"]
    template.category = food
    var series = Series(
      id: SeriesID(id()), name: "Rent", template: template,
      schedule: Schedule(every: 2, .month, monthEnd: .lastDay), anchor: day("2026-01-31"))
    series.skipped = [day("2026-03-01")..<day("2026-04-01")]
    var rule = CategoryRule(
      id: RuleID(id()), name: "Uber",
      conditions: [
        .text(.description, .contains, "uber"), .type(.expense), .account(cash),
        .amount(from: nil, through: Money(10_000, kzt)),
      ], category: food)
    rule.tags = ["ride"]
    rule.isEnabled = false
    let card = AccountID(id())
    try await ledger.append(
      .openAccount(NewAccount(id: card, name: "Card", kind: .liability, currency: kzt)),
      .putBudget(budget), .putSeries(series), .putRule(rule),
      .putMapping(
        SavedMapping(
          id: MappingID(id()), name: "Bank", contents: "{\n  \"date\": 1\n}",
          look: ImportLook(delimiter: "tab", header: ["Day", "Sum"], columnCount: 2),
          account: cash)),
      .assertBalance(
        cash, Money(-5, kzt), on: day("2026-01-31"), note: "n", id: AssertionID(id())),
      .assign(Money(500, kzt), to: food, in: day("2026-02-01").monthOf),
      .assignPayment(Money(7, kzt), to: card, in: day("2026-02-01").monthOf),
      .setGoal(EnvelopeGoal(.byDay(day("2026-08-01")), Money(9_000, kzt)), for: food),
      .moveMoney(Money(5, kzt), from: food, to: nil, in: day("2026-02-01").monthOf, note: "n"),
      .setTerms(AccountTerms(of: cash, rate: .zero, from: day("2026-02-01"), category: nil)),
      .closeAccount(cash), .closePeriod(through: day("2026-01-31")))
  }

  @Test("JSON lines restore an equal ledger")
  func lines() async throws {
    let home = try await Self.household()
    let export = try home.export(.jsonLines)
    let other = try await Home()
    let summary = try await LedgerRestorer.run(Array(export.utf8), into: other.ledger)
    #expect(summary.counts["transaction"] == 11)
    #expect(try other.export(.jsonLines) == export)
    let figures = try home.ledger.read { try Figures($0) }
    #expect(try other.ledger.read { try Figures($0) } == figures)
    // What was deleted does not come back, and what was amended is known.
    try await other.ledger.append(.reopenPeriod(after: nil))
    let cash = try #require(try other.ledger.read { try $0.account(named: "Cash") })
    try await other.ledger.append(.reopenAccount(cash.id))
    let again = try await other.importing(
      ImportTests.header + "2026-02-01,Cash,-1,Food,,x\n2026-02-01,Cash,-2,Food,,y\n")
    #expect(again.duplicates == 2)
    try await other.ledger.append(
      .record(.expense(money("1"), from: cash.id, on: day("2026-02-03"))))
    try await home.end()
    try await other.ends { snapshot throws in #expect(try snapshot.count() == 12) }
  }

  @Test("CSV by posting imports to equal figures, and a second time to none")
  func csv() async throws {
    let home = try await Self.household()
    let export = try home.export(.csv)
    let other = try await Home()
    try await other.ledger.append(
      .defineCurrency(
        CurrencyDefinition(currency: try #require(Currency(code: "PTS1", digits: 1)))))
    let summary = try await PostingsImporter().run(CSVFile(export), into: other.ledger)
    #expect(summary.imported == 11)
    let renamed = { (text: String) in text.replacing("debt ", with: "Debt ") }
    let figures = try home.ledger.read { try Figures($0) }
    let found = try other.ledger.read { try Figures($0) }
    #expect(found.count == figures.count)
    #expect(found.months == figures.months)
    #expect(found.rows == figures.rows)
    #expect(
      found.balances.map { $0.replacing(" (2)", with: "") }.map(renamed).sorted()
        == figures.balances.map(renamed).sorted())
    #expect(
      found.categories.map { $0.replacing(" (2)", with: "") }.sorted() == figures.categories)
    let again = try await PostingsImporter().run(CSVFile(export), into: other.ledger)
    #expect(again.imported == 0)
    #expect(again.duplicates == 11)
    #expect(again.createdAccounts == [])
    try await home.end()
    try await other.ends { snapshot throws in #expect(try snapshot.count() == 11) }
  }

  @Test("JSON lines that are wrong are refused by line, and nothing is recorded")
  func wrongLines() async throws {
    let home = try await Self.household()
    let export = try home.export(.jsonLines)
    try await home.end()
    let other = try await Home()
    let faults: [(String, String)] = [
      ("\"amount\":\"1234.56\"", "\"amount\":\"1234.57\""),
      ("\"PTS1\",\"digits\"", "\"??\",\"digits\""),
      ("\"name\":\"Cash\"", "\"name\":\" \""), ("\"day\":\"2026-01-05\"", "\"day\":\"2026-02-30\""),
      ("{\"budget\"", "{\"bubget\""), ("\"version\":2", "\"version\":3"),
      ("\"name\":\"debt\"", "\"name\":\"CASH\""),
      (
        #""balance":{"amount":"-0.05","currency":"KZT"}"#,
        #""balance":{"amount":"-0.05","currency":"USD"}"#
      ), (#""balance":{"amount":"-0.05","currency":"KZT"},"#, ""),
    ]
    for (right, wrong) in faults {
      #expect(export.contains(right))
      let text = export.replacing(right, with: wrong)
      let error = try await #require(throws: InterchangeError.self, "\(wrong)") {
        try await LedgerRestorer.run(Array(text.utf8), into: other.ledger)
      }
      #expect(error.code == .badLines)
      #expect(error.line != nil)
    }
    await #expect(throws: InterchangeError.self) {
      try await LedgerRestorer.run(Array("date,amount\n".utf8), into: other.ledger)
    }
    #expect(try other.ledger.read { try $0.count() } == 0)
    _ = try await LedgerRestorer.run(Array(export.utf8), into: other.ledger)
    let error = try await #require(throws: InterchangeError.self) {
      try await LedgerRestorer.run(Array(export.utf8), into: other.ledger)
    }
    #expect(error.code == .refused)
    try await other.end()
  }

  @Test("a CSV export with faults names its lines")
  func wrongCSV() async throws {
    let home = try await Self.household()
    let export = try home.export(.csv)
    try await home.end()
    let other = try await Home()
    let text = export.replacing(",1234.56,", with: ",1234.5x,").replacing("PTS1", with: "USD")
      .replacing("2026-01-06,cleared", with: "2026-01-06,clear")
    let error = try await #require(throws: InterchangeError.self) {
      try await PostingsImporter().run(CSVFile(text), into: other.ledger)
    }
    #expect(error.code == .badLines)
    #expect(error.badLines.contains { $0.code == .amount })
    #expect(error.badLines.contains { $0.header == "status" })
    #expect(try other.ledger.read { try $0.accounts() }.isEmpty)
    try await other.end()
  }
}
