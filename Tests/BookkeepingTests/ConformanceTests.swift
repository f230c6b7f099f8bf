// Goal: values add up, sort, and are the same after having been JSON; what cannot be a value is refused.
// Method: the ends of each type, and texts that are none.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@Suite struct ConformanceTests {
  @Test func totalsAddUp() throws {
    let half = Total(units: .max / 2 + 1, currency: .eur)
    #expect(try Total(Money(1, .eur)) + Total(Money(2, .eur)) == Total(Money(3, .eur)))
    #expect(try Total.zero(.eur) - Total(Money(2, .eur)) == Total(Money(-2, .eur)))
    #expect(try Total(Money(2, .eur)).negated() == Total(Money(-2, .eur)))
    #expect(throws: MoneyError.self) { try half + half }
    #expect(throws: MoneyError.self) { try Total(units: .min, currency: .eur) - half }
    #expect(throws: MoneyError.self) { try Total(units: .min, currency: .eur).negated() }
    #expect(throws: MoneyError.currencies(.eur, .usd)) { try half + Total.zero(.usd) }
    #expect(throws: MoneyError.currencies(.eur, .usd)) { try half - Total.zero(.usd) }
  }

  @Test func amountsSortWithinTheirCurrency() {
    #expect(
      [Money(5, .usd), Money(7, .eur), Money(-1, .usd), Money(6, .eur)].sorted()
        == [Money(6, .eur), Money(7, .eur), Money(-1, .usd), Money(5, .usd)])
    #expect(Total(Money(7, .eur)) < Total(Money(-1, .usd)))
  }

  @Test func commonCurrenciesAreThoseOfISO() {
    for currency in Currency.common { #expect(Currency.iso(currency.code) == currency) }
    #expect(Currency.jpy.digits == 0 && Currency.eur.code == "EUR")
  }

  @Test func valuesAreTheSameAfterJSON() throws {
    func check<Value: Codable & Equatable>(_ value: Value, _ line: String) throws {
      #expect(try JSONValue(value).line == line)
      #expect(try JSONDecoder().decode(Value.self, from: Data(line.utf8)) == value)
    }
    try check(
      Total(units: .max, currency: .eur),
      #"{"amount":"1701411834604692317316873037158841057.27","currency":"EUR"}"#)
    try check(
      Total(units: .min, currency: .jpy),
      #"{"amount":"-170141183460469231731687303715884105728","currency":"JPY"}"#)
    try check(Total(units: -5, currency: .eur), #"{"amount":"-0.05","currency":"EUR"}"#)
    try check([Month(year: 2026, month: 2)], #"["2026-02"]"#)
    try check([Day(rawValue: 0)], #"["1970-01-01"]"#)
  }

  @Test(arguments: [
    #"{"amount":"1.5","currency":"EUR"}"#, #"{"amount":"1","currency":"EUR"}"#,
    #"{"amount":"+1.50","currency":"EUR"}"#, #"{"amount":"","currency":"EUR"}"#,
    #"{"amount":"1701411834604692317316873037158841057.28","currency":"EUR"}"#,
  ])
  func whatIsNoTotalIsRefused(line: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Total.self, from: Data(line.utf8))
    }
  }

  @Test(arguments: ["2026-13", "2026-2", "26-02", "0000-01", ""])
  func whatIsNoMonthIsRefused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Month].self, from: Data("[\"\(text)\"]".utf8))
    }
  }

  @Test func randomIDsAreVersionFour() {
    var seen: Set<BudgetID> = []
    for _ in 0..<100 {
      let id = BudgetID.random()
      #expect(id.rawValue.high >> 12 & 15 == 4 && id.rawValue.low >> 62 == 2)
      #expect(seen.insert(id).inserted && !id.isBuiltin && id != .unassigned)
    }
  }

  @Test func whatIsMadeIsTheSameHoweverOftenItIsPut() throws {
    var ledger = try Fixture()
    var budget = Budget(name: "Food", categories: [], amount: Money(5, .kzt), period: .weekly)
    #expect(try ledger.state.run(.putBudget(budget)).budget == budget.id)
    budget.amount = Money(6, .kzt)
    #expect(try ledger.state.run(.putBudget(budget)).budget == budget.id)
    #expect(try ledger.state.all(Budget.self).map(\.amount) == [Money(6, .kzt)])
    let rule = CategoryRule(name: "R", conditions: [.text(.any, .contains, "x")])
    #expect(try ledger.state.run(.putRule(rule)).rule == rule.id)
    let made = try ledger.state.run(.assertBalance(ledger.cash, Money(5, .kzt), on: ledger.today))
    #expect(made.assertion != nil && made.budget == nil && made.rule == nil)
  }

  @Test func amountsOfOtherCurrenciesAreRefused() throws {
    let ledger = try Fixture()
    let dollars = Money(5, .usd)
    var budget = Budget(name: "Food", categories: [], amount: Money(5, .kzt), period: .weekly)
    budget.steps = [BudgetStep(day: ledger.today, amount: dollars)]
    for command: Command in [
      .assertBalance(ledger.cash, dollars, on: ledger.today), .setOpening(ledger.cash, dollars),
      .openAccount(NewAccount(name: "New", currency: .kzt, opening: dollars)),
      .putBudget(budget),
    ] {
      #expect(ledger.state.refusal(command)?.code == .currencyMismatch)
    }
  }

  @Test(arguments: [
    "Fo\u{200B}od", "\u{202E}doof", "Food\u{2066}", "\u{FEFF}Food", "Food\u{200D}", "Fo\u{200C}od",
    "\u{3164}", "\u{AD}Food", "Fo\u{2028}od", "Fo\u{7F}od", "Fo\u{9F}od", "\u{E0041}Food",
    "F\u{2060}ood", "\u{200E}Food", "\u{2800}",
  ])
  func whatNobodySeesIsNoPartOfAName(name: String) throws {
    let ledger = try Fixture()
    let refusal = ledger.state.refusal(.openAccount(NewAccount(name: name, currency: .kzt)))
    #expect(refusal?.code == .text)
    #expect(refusal?.message.contains("U+") == true, "\(String(describing: refusal))")
  }

  @Test(arguments: [
    "👨‍👩‍👧 Family", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England", "می‌خواهم", "Café", "日本", "❤️", "עברית", "हिन्दी",
  ])
  func namesOfAllScriptsPass(name: String) throws {
    let ledger = try Fixture()
    #expect(
      ledger.state.refusal(.openAccount(NewAccount(name: name, currency: .kzt))) == nil)
  }

  @Test func messagesQuoteTheBeginningOfWhatIsLong() throws {
    let ledger = try Fixture()
    let long = String(repeating: "x", count: 1_000_000)
    let one = Money(1, .kzt)
    for command: Command in [
      .record(.expense(one, on: ledger.today, tags: [long])),
      .record(.expense(one, on: Day(rawValue: .max), description: long)),
      .openAccount(NewAccount(name: long, currency: .kzt)),
    ] {
      let refusal = try #require(ledger.state.refusal(command))
      #expect(refusal.message.utf8.count < 500)
    }
    let error = #expect(throws: MoneyError.self) { try Money.parse(long, currency: .kzt) }
    #expect("\(String(describing: error))".utf8.count < 500)
  }
}
