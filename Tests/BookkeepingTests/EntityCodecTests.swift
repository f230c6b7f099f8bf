// Goal: the other kinds read back as they were written, and their defaults take no bytes.
// Method: each kind with every property set, and with none, through its record; the schema names
// every kind once; and each through its JSON.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@Suite struct EntityCodecTests {
  let id = EntityID(high: 3, low: 4)
  let other = EntityID(high: 5, low: 6)

  private func expectRoundTrip<Entity: LedgerEntity>(_ entity: Entity) throws {
    let record = entity.record()
    let read = try Entity(record: record, id: entity.entityID, number: entity.number)
    #expect(read == entity)
    let json = try JSONValue(entity).line
    #expect(try JSONDecoder().decode(Entity.self, from: Data(json.utf8)) == entity, "\(json)")
    #expect(try JSONValue.bytes(of: entity) == Array(json.utf8))
    for length in 0..<record.bytes.count {
      let part = Record(bytes: Array(record.bytes.prefix(length)))
      _ = try? Entity(record: part, id: entity.entityID, number: 1)
    }
  }

  @Test func accountsAndCategories() throws {
    let usd = try iso("USD")
    try expectRoundTrip(Account(id: AccountID(id), name: "", currency: usd))
    try expectRoundTrip(
      Account(
        id: AccountID(id), number: 16, name: "Bank", kind: .liability, currency: usd,
        opening: Money(-5, usd), openingDay: Day(rawValue: -1), isClosed: true, isHidden: true,
        isDeleted: true, note: "n", order: -7))
    try expectRoundTrip(Category(id: CategoryID(id), name: "", kind: .expense))
    #expect(Category(id: CategoryID(id), name: "", kind: .expense).record() == Record())
    try expectRoundTrip(
      Category(
        id: CategoryID(id), number: 17, name: "Food", kind: .income, parent: CategoryID(other),
        isHidden: true, isDeleted: true, note: "n", order: 3))
  }

  @Test func settingsRatesCurrenciesAndCounts() throws {
    let (usd, kzt) = (try iso("USD"), try iso("KZT"))
    #expect(LedgerSettings().record() == Record())
    try expectRoundTrip(LedgerSettings())
    try expectRoundTrip(
      LedgerSettings(
        number: 1, baseCurrency: kzt, firstWeekday: 7, closedThrough: Day(rawValue: 5),
        mergePolicy: .error))
    try expectRoundTrip(
      ExchangeRate(
        base: usd, quoted: kzt, day: Day(rawValue: 1), quote: Quote("450.25"), number: 9))
    let coin = try #require(Currency(code: "COIN", digits: 9))
    try expectRoundTrip(CurrencyDefinition(currency: coin, name: "Coin"))
    try expectRoundTrip(Fingerprint(id: id, number: 2, changed: 3, deleted: 4))
    try expectRoundTrip(
      BalanceAssertion(
        id: AssertionID(id), number: 1, account: AccountID(other), day: Day(rawValue: 9),
        balance: Money(-12, usd), note: "statement"))
  }

  @Test func budgetsSeriesAndRules() throws {
    let usd = try iso("USD")
    var budget = Budget(
      id: BudgetID(id), name: "Food", categories: [CategoryID(other)], amount: Money(50000, usd),
      period: .monthly(resetDay: 31))
    try expectRoundTrip(budget)
    budget.includesSubcategories = false
    budget.rollover = .both
    budget.start = Day(rawValue: 1)
    budget.end = Day(rawValue: 2)
    budget.steps = [BudgetStep(day: Day(rawValue: 1), amount: Money(7, budget.amount.currency))]
    budget.earlierPeriods = [EarlierValue(until: Day(rawValue: 3), value: .monthly(resetDay: 2))]
    budget.earlierRollovers = [
      EarlierValue(until: Day(rawValue: 3), value: .none),
      EarlierValue(until: Day(rawValue: 4), value: .deficit),
    ]
    budget.earlierCategories = [
      EarlierValue(
        until: Day(rawValue: 5), value: BudgetCategories([], includingSubcategories: false)),
      EarlierValue(until: Day(rawValue: 6), value: BudgetCategories([CategoryID(id)])),
    ]
    budget.proratesShortPeriods = false
    budget.isArchived = true
    budget.note = "n"
    budget.order = 4
    for period in [
      BudgetPeriod.weekly, .yearly, .custom(Day(rawValue: 1)..<Day(rawValue: 9)),
      .weeks(2, from: Day(rawValue: -3)), .weeks(1, from: Day(rawValue: 4)), .halfMonthly,
      .quarterly, .months(1200, from: Day(rawValue: 5)), .months(12, from: Day(rawValue: 95)),
      .months(3, from: Day(rawValue: 14)),
    ] {
      budget.period = period
      try expectRoundTrip(budget)
    }
    var series = Series(
      id: SeriesID(id), name: "Rent",
      template: SeriesTemplate(type: .expense, amount: Money(600_000, usd)),
      schedule: Schedule(.month), anchor: Day(rawValue: 20))
    try expectRoundTrip(series)
    series.template = SeriesTemplate(
      type: .transfer, amount: Money(1, usd), account: AccountID(id), category: CategoryID(other),
      otherAccount: AccountID(other), accountAmount: Money(0, try iso("KZT")))
    series.template.description = "d"
    series.template.payee = "p"
    series.template.note = "n"
    series.template.tags = ["a", "b"]
    series.template.isPending = true
    series.schedule = Schedule(every: 3, .year, monthEnd: .lastDay)
    series.end = Day(rawValue: 30)
    series.countMax = 36
    series.pausedFrom = Day(rawValue: 25)
    series.skipped = [Day(rawValue: 21)..<Day(rawValue: 22)]
    series.ahead = 0
    try expectRoundTrip(series)
    series.template.parts = [
      Draft.Part(Money(1, usd), CategoryID(other), note: "n"),
      Draft.Part(Money(2, usd), to: AccountID(other), isReversed: true),
      Draft.Part(Money(3, usd), nil, isReversed: true),
      Draft.Part(Money(4, usd), to: AccountID(id), note: "m"),
    ]
    try expectRoundTrip(series)
    var rule = CategoryRule(id: RuleID(id), name: "Uber", conditions: [])
    try expectRoundTrip(rule)
    rule.conditions = [
      .text(.payee, .pattern, "u?er*"), .account(AccountID(other)),
      .amount(from: nil, through: Money(5, usd)), .amount(from: Money(-5, usd), through: nil),
      .type(.transfer),
    ]
    rule.order = 3
    rule.isEnabled = false
    rule.matchesAny = true
    rule.category = CategoryID(other)
    rule.description = "d"
    rule.tags = ["t"]
    rule.continues = true
    try expectRoundTrip(rule)
    var mapping = SavedMapping(
      id: MappingID(id), name: "Bank", contents: "{}",
      look: ImportLook(delimiter: ",", header: [], columnCount: 0))
    try expectRoundTrip(mapping)
    mapping.look = ImportLook(delimiter: "tab", header: ["Day", "", "Sum"], columnCount: 3)
    mapping.account = AccountID(other)
    try expectRoundTrip(mapping)
    let month = Month(year: 2026, month: 3)
    try expectRoundTrip(Allocation(assigning: Money(-5, usd), to: CategoryID(other), in: month))
    try expectRoundTrip(
      Allocation(assigning: Money(5, usd), toPaymentOf: AccountID(other), in: month))
    try expectRoundTrip(
      Allocation(
        id: AllocationID(id), month: Month(year: 1, month: 1), category: nil,
        source: CategoryID(other), amount: Money(5, usd), note: "why"))
    let rate = try #require(InterestRate("12.345678"))
    var terms = AccountTerms(of: AccountID(id), rate: rate, from: Day(rawValue: 20))
    try expectRoundTrip(terms)
    terms = AccountTerms(
      of: AccountID(id), rate: rate, from: Day(rawValue: 20), dayCount: .thirty360,
      isCapitalised: true, interval: .quarter, dueDay: 31, category: CategoryID(other),
      loan: LoanTerms(principal: Money(5, usd), paymentCount: 3, repayment: .equalPrincipal))
    terms.rates.append(RateStep(from: Day(rawValue: 40), rate: .zero))
    terms.loweredOn = [Day(rawValue: 30)]
    try expectRoundTrip(terms)
  }

  @Test func theSchemaNamesEveryKindOnce() {
    #expect(KindDescription.all.map(\.kind.rawValue) == Array(1...14))
    #expect(Set(KindDescription.all.map(\.name)).count == 14)
    #expect(KindDescription.all.filter { $0.clusterTag != nil }.map(\.kind) == [.transaction])
  }

  @Test func builtInsHaveTheirNumbers() throws {
    #expect(AccountID.opening.rawValue.low == 1 && Account.builtinName(.exchange) == "Exchange")
    #expect(Category.builtin(.uncategorizedIncome)?.number == 5)
    #expect(PostingAccount.account(.outside).coded.code.builtinNumber == 3)
    #expect(PostingAccount.category(.uncategorizedExpense).coded.code.builtinNumber == 4)
    #expect(!CategoryID(id).isBuiltin && !AccountID.unassigned.isBuiltin)
  }
}
