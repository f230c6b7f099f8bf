/// Goal: filters and results are the same before and after they were JSON, and a filter leaves out what
/// it does not ask for. Method: the answers of a household with a budget, a series and two currencies go
/// through the coders; filters with each property set, and texts that are none.
import Daybook
import Foundation
import Testing

@Suite struct ResultJSONTests {
  private func check<Value: Codable & Equatable>(
    _ value: Value, location: SourceLocation = #_sourceLocation
  ) throws {
    let line = try JSONValue(value).line
    let again = try JSONDecoder().decode(Value.self, from: Data(line.utf8))
    #expect(again == value, "\(line)", sourceLocation: location)
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value, sourceLocation: location)
  }

  @Test func answersAreTheSameAgain() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let foreign = try await house.account("B", opening: "7", in: usd)
    let food = try await house.category("Food")
    let monthly = SeriesTemplate(type: .expense, amount: money("5"), account: a, category: food)
    let receipt = try await house.append(
      .record(
        .expense(
          money("3"), from: a, category: food, on: today, description: "d", payee: "p",
          tags: ["t"])),
      .putBudget(Budget(name: "B", categories: [food], amount: money("10"), period: .weekly)),
      .putSeries(
        Series(name: "S", template: monthly, schedule: Schedule(.month), anchor: today)),
      .assertBalance(a, money("97"), on: today),
      .putRule(CategoryRule(name: "R", conditions: [.text(.any, .contains, "x")])),
      .generateDue(through: today))
    #expect(receipt.budgets.count == 1 && receipt.series.count == 1 && receipt.rules.count == 1)
    #expect(receipt.assertions.count == 1 && receipt.transactions.count == 3)
    try check(receipt)
    try await house.ends { snapshot throws in
      try check(snapshot.balances(on: today))
      try check(snapshot.netWorth(on: today))
      try check(snapshot.baseNetWorth(on: today, base: kzt))
      try check(snapshot.months(today.monthOf..<today.monthOf.adding(1), today: today))
      try check(snapshot.breakdown(in: today.monthOf.days, kind: .expense, today: today))
      try check(snapshot.balanceSeries(of: a, over: today..<today.adding(days: 3), every: .day))
      try check(snapshot.budgetStatuses(today: today))
      try check(snapshot.upcoming(through: today.adding(days: 60), today: today))
      try check(snapshot.forecast(of: a, through: today.adding(days: 9), today: today))
      try check(snapshot.assertionChecks())
      try check(snapshot.tags(today: today))
      try check(snapshot.payees(today: today))
      try check(snapshot.dormantAccounts(days: 5, today: today))
      try check(snapshot.transactions(limit: 10).map(\.key))
      try check(snapshot.sections(limit: 10))
      try check(snapshot.monthOverMonth(today.monthOf, in: kzt, today: today))
      try check(
        snapshot.topCategories(in: today.monthOf.days, currency: kzt, limit: 5, today: today))
      try check(snapshot.runway(in: kzt, averagedOver: 1, today: today.adding(days: 40)))
      try check(snapshot.account(foreign))
    }
  }

  @Test func aConvertedFigureSaysWhatIsNotInIt() throws {
    let figure = Converted(
      total: total("5"), unconverted: [Unconverted(total: Total(Money(7, usd)), count: 2)])
    #expect(
      try JSONValue(figure).line == #"""
        {"amount":"5.00","currency":"KZT","unconverted":[{"amount":"0.07","currency":"USD",\#
        "count":2}]}
        """#)
    try check(figure)
    #expect(try JSONValue(Converted(total: total("5"))).line.contains("unconverted") == false)
  }

  @Test func filtersAreTheSameAgain() throws {
    let a = AccountID(EntityID(high: 1, low: 1))
    let c = CategoryID(EntityID(high: 1, low: 2))
    #expect(try JSONValue(TransactionFilter.all).line == "{}")
    var filter = TransactionFilter(
      account: a, category: c, includesSubcategories: false, type: .expense, currency: kzt,
      days: today..<today.adding(days: 2), text: "x", isUncategorized: true, status: .pending,
      amounts: [AmountRange(10_00...30_00, decimals: 2)], payee: "p", matchesWholePayee: true,
      tags: ["t"], textAmounts: [AmountRange(12_50...12_50, decimals: 2)])
    try check(filter)
    #expect(try JSONValue(filter).line.contains(#"{"least":"10.00","most":"30.00"}"#))
    #expect(
      try JSONValue(filter).line.contains(#""days":{"start":"2026-02-15","end":"2026-02-17"}"#))
    filter.amounts = [
      AmountRange(Int64.min...(Int64.max), in: kzt), AmountRange(0...5, decimals: 0),
      AmountRange(-1...1, decimals: 18, in: usd),
    ]
    try check(filter)
  }

  @Test(arguments: [
    #"{"days":{"start":"2026-02-15","end":"2026-02-14"}}"#, #"{"type":"lunch"}"#,
    #"{"amounts":[{"least":"1.0","most":"2.00"}]}"#, #"{"amounts":[{"least":"3","most":"2"}]}"#,
    #"{"amounts":[{"least":"1e3","most":"2"}]}"#, #"{"amounts":[{"least":"+1","most":"2"}]}"#,
    #"{"amounts":[{"least":"","most":"2"}]}"#, #"{"accounts":["x"]}"#,
  ])
  func whatIsNoFilterIsRefused(line: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TransactionFilter.self, from: Data(line.utf8))
    }
  }

  @Test(arguments: [
    #"{"part":"1","whole":"0"}"#, #"{"part":"1","whole":"-1"}"#, #"{"part":"x","whole":"1"}"#,
  ])
  func whatIsNoRatioIsRefused(line: String) throws {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Ratio.self, from: Data(line.utf8))
    }
    try check(try #require(Ratio(.min, of: .max)))
  }
}
