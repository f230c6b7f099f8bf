/// Goal: a question about days and months that no ledger has is answered, and answered rightly.
/// Method: each is asked at both ends of what the types can say, and at the edges of the days a ledger takes.
import Daybook
import Testing

@Suite struct ExtremeDayTests {
  private static let end = day("2026-02-13")
  /// Days beyond the ledger's first and last one, the ends of all days among them.
  private let before = [
    Day(rawValue: .min), Day(rawValue: .min + 1), Day.min.adding(days: -2),
    Day.min.adding(days: -1),
  ]
  private let after = [
    Day.max.adding(days: 1), Day.max.adding(days: 2), Day(rawValue: .max - 1), Day(rawValue: .max),
  ]

  @Test func balances() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let dated = try await house.account("B")
    try await house.append(.setOpening(dated, money("50"), Day.min))
    try await house.expense(money("1"), from: a, on: "0001-01-01")
    try await house.expense(money("2"), from: a, on: "9999-12-31")
    try await house.ends { snapshot throws in
      for (days, one, other) in [
        (before, "100", "0"), ([Day.min], "99", "50"), (after, "97", "50"),
      ] {
        for day in days {
          #expect(try snapshot.balance(of: a, on: day) == total(one), "\(day.rawValue)")
          let both = try snapshot.balances(on: day).map(\.balance)
          #expect(both == [total(one), total(other)], "\(day.rawValue)")
          let sum = both[0].units + both[1].units
          #expect(try snapshot.netWorth(on: day).map(\.units) == [sum], "\(day.rawValue)")
        }
      }
      let early = try snapshot.balanceSeries(of: a, over: before[0]..<before[0].adding(days: 3))
      #expect(early.map(\.total) == [total("100"), total("100"), total("100")])
      let late = try snapshot.balanceSeries(of: a, over: Day.max..<Day.max.adding(days: 2))
      #expect(late.map(\.total) == [total("97"), total("97")])
    }
  }

  @Test func figuresAsOfAnyDay() async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.expense(money("6"), from: a, on: "2026-02-10")
    try house.ledger.read { snapshot throws in
      let days = month("2026-02").days
      for day in before {
        let average = try snapshot.averagePerDay(in: days, currency: kzt, today: day)
        #expect(average == total("0"), "\(day.rawValue)")
        #expect(try snapshot.totals(in: days, today: day) == [], "\(day.rawValue)")
        #expect(try snapshot.runway(in: kzt, today: day) == nil, "\(day.rawValue)")
      }
      for day in after {
        let average = try snapshot.averagePerDay(
          in: month("2026-02").first..<Self.end, currency: kzt, today: day)
        #expect(average == total("0.50"), "\(day.rawValue)")
      }
    }
    try await house.end()
  }

  @Test func insightsOfAnyMonth() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    for text in ["0001-01-10", "9999-12-10"] {
      try await house.expense(money("6"), from: a, food, on: text)
    }
    let end = Day(rawValue: .max)
    let ends = [Day(rawValue: .min).monthOf, Day(rawValue: .max).monthOf].map(\.rawValue)
    let raws = [Int32.min, .min + 1, -1, .max - 1, .max] + ends + ends.map { $0 + 1 }
    try house.ledger.read { snapshot throws in
      for raw in raws {
        let month = Month(rawValue: raw)
        let change = try snapshot.monthOverMonth(month, in: kzt, today: end)
        #expect(change.month == month && change.expense == total("0"), "\(raw)")
        for limit in [0, 1, 2, 120] {
          let streak = try snapshot.growthStreak(
            through: month, currency: kzt, limit: limit, today: end)
          #expect(streak == 0, "\(raw)")
        }
        #expect(try snapshot.spikes(in: month, currency: kzt, today: end) == [], "\(raw)")
        let months = month..<month.adding(1)
        #expect(
          try snapshot.trend(of: food, over: months, today: end).allSatisfy {
            $0.total.total(in: kzt) == total("0")
          }, "\(raw)")
        #expect(try snapshot.netWorthSeries(over: months).count == months.count, "\(raw)")
      }
      let first = try snapshot.monthOverMonth(Day.min.monthOf, in: kzt, today: end)
      #expect(first.expense == total("6"))
      let next = try snapshot.monthOverMonth(Day.max.monthOf.adding(1), in: kzt, today: end)
      #expect(next.expense == total("-6"))
      #expect(
        try snapshot.growthStreak(through: Day.min.monthOf, currency: kzt, today: end) == 0)
    }
    try await house.end()
  }

  /// A recurring transaction whose amount for the account no command would have accepted.
  @Test(arguments: [Int64.min, -1]) func forecastsOfOddSeries(units: Int64) async throws {
    let ledger = try await Ledger.inMemory(options: House.options())
    let account = AccountID(EntityID(high: 1, low: 1))
    let template = SeriesTemplate(
      type: .expense, amount: money("1", usd), account: account,
      accountAmount: Money(units, kzt))
    let series = Series(
      id: SeriesID(EntityID(high: 1, low: 2)), number: 1, name: "Old", template: template,
      schedule: Schedule(.month), anchor: day("2026-02-20"))
    func insertion<Entity: LedgerEntity>(_ entity: Entity, number: UInt64) -> Change {
      Change(
        kind: Entity.kind, id: entity.entityID, number: number, before: nil, after: entity.record())
    }
    _ = try await ledger.restore([
      insertion(
        Account(id: account, number: 16, name: "A", kind: .asset, currency: kzt), number: 16),
      insertion(series, number: 1),
    ])
    let forecast = try ledger.read { snapshot throws in
      try snapshot.forecast(of: account, through: day("2026-03-01"), today: today)
    }
    #expect(forecast.balances.last?.total.units == -Int128(units))
    // It is not generated by that amount.
    let report = try await ledger.append(.generateDue(through: day("2026-03-01"))).generations.first
    #expect(report?.faults.map(\.code) == [.negative])
    try await ledger.close()
  }
}
