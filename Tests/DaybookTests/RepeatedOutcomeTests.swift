/// Goal: the receipt of a repeated append has the ids of the first time, whatever the commands were.
/// Method: groups of commands are appended twice under a key, and both receipts' outcomes compared; only
/// counts of rows, which the commit does not tell, are left out.
import Daybook
import Testing

@Suite struct RepeatedOutcomeTests {
  private func told(_ receipt: Receipt) -> [String] {
    receipt.outcomes.map { outcome in
      if case .rows = outcome { return "\(Outcome.done)" }
      return "\(outcome)"
    }
  }

  /// Appends twice, and expects the same outcomes.
  private func repeats(_ house: House, _ commands: [Command], key: String) async throws {
    let first = try await house.ledger.append(commands, key: key)
    let second = try await house.ledger.append(commands, key: key)
    #expect(!first.isRepeat && second.isRepeat)
    #expect(told(first) == told(second), "\(key)")
    #expect(!told(second).joined().contains("\(EntityID(high: 0, low: 0))"), "\(key)")
  }

  private func series(_ id: SeriesID = .unassigned) -> Series {
    Series(
      id: id, name: "S", template: SeriesTemplate(type: .expense, amount: money("1")),
      schedule: Schedule(.month), anchor: today)
  }

  private func budget(_ id: BudgetID = .unassigned) -> Budget {
    Budget(id: id, name: "B", categories: [], amount: money("1"), period: .weekly)
  }

  private func mapping(_ id: MappingID = .unassigned) -> SavedMapping {
    SavedMapping(
      id: id, name: "M", contents: "{}",
      look: ImportLook(delimiter: ";", header: ["Day"], columnCount: 1))
  }

  private func rule(_ id: RuleID = .unassigned) -> CategoryRule {
    CategoryRule(id: id, name: "R", conditions: [.text(.any, .contains, "x")])
  }

  @Test func eachCommandThatGivesAnID() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let rate = try house.rate(usd, kzt, "460", "2026-01-01")
    let coin = try #require(Currency(code: "COIN", digits: 8))
    let food = try await house.category("Food")
    let card = try await house.account("Card", kind: .liability)
    var terms = AccountTerms(
      of: a, rate: try #require(InterestRate("12")), from: day("2026-01-01"))
    terms.isCapitalised = true
    try await house.income(money("500"), into: a, on: "2025-12-01")
    let commands: [(String, Command)] = [
      ("assigned", .assign(Money(5, kzt), to: food, in: month("2026-02"))),
      ("set aside", .assignPayment(Money(5, kzt), to: card, in: month("2026-02"))),
      ("moved", .moveMoney(Money(5, kzt), from: food, to: nil, in: month("2026-02"))),
      ("series", .putSeries(series())), ("budget", .putBudget(budget())),
      ("rule", .putRule(rule())), ("mapping", .putMapping(mapping())),
      ("balance", .assertBalance(a, Money(5, kzt), on: today)),
      ("rate", rate), ("currency", .defineCurrency(CurrencyDefinition(currency: coin))),
      ("no rate", .removeRate(base: usd, quoted: kzt, on: day("2026-01-01"))),
      ("terms", .setTerms(terms)), ("interest", .postInterest(through: day("2026-02-01"))),
      ("no terms", .removeTerms(a)),
      ("account", .openAccount(NewAccount(name: "B", currency: kzt))),
      ("rules", .setRules([rule()])), ("applied", .applyRules(nil)),
    ]
    for (key, command) in commands { try await repeats(house, [command], key: key) }
    try await house.end()
  }

  @Test func whatGoesIsNamedToo() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let known = EntityID(high: 5, low: 5)
    try await house.append(
      .putSeries(series(SeriesID(known))), .putBudget(budget(BudgetID(known))),
      .putRule(rule(RuleID(known))), .putMapping(mapping(MappingID(known))),
      .assertBalance(a, Money(5, kzt), on: today, id: AssertionID(known)))
    let commands: [Command] = [
      .removeBudget(BudgetID(known)), .removeRule(RuleID(known)),
      .removeAssertion(AssertionID(known)), .removeMapping(MappingID(known)),
      .removeSeries(SeriesID(known), withRows: true),
    ]
    try await repeats(house, commands, key: "all")
    try await house.end()
  }

  /// Ids that were given stand beside those that are new; some of what has them was there before.
  @Test func newIDsAmongGivenOnes() async throws {
    let house = try await House()
    let known = (1...4).map { BudgetID(EntityID(high: 5, low: $0)) }
    try await house.append(.putBudget(budget(known[0])))
    var changed = budget(known[0])
    changed.note = "changed"
    let rules = [rule(), rule(RuleID(EntityID(high: 6, low: 1))), rule()]
    let commands: [Command] = [
      .putBudget(budget(known[1])), .putBudget(budget()), .putBudget(changed),
      .putBudget(budget(known[2])), .putBudget(budget(known[2])), .putBudget(budget()),
      .removeBudget(known[2]), .putBudget(budget(known[2])), .putBudget(budget(known[3])),
      .putBudget(budget()), .setRules(rules), .putRule(rule()), .putRule(rules[1]),
      .putRule(rule()),
    ]
    try await repeats(house, commands, key: "mixed")
    try await house.end()
  }
}
