/// Goal: insights are exact and follow their formulas. Method: a small household whose figures are known
/// by hand.
import Daybook
import Testing

@Suite struct InsightTests {
  /// Food 100, 200, 300 in November, December and January, 600 in February; rent 1,000 each month;
  /// salary 2,000 each month.
  private func household() async throws -> (House, food: CategoryID, rent: CategoryID) {
    let house = try await House(rates: false)
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    let rent = try await house.category("Rent")
    let salary = try await house.category("Salary", .income)
    for (text, spent) in [("2025-11", 100), ("2025-12", 200), ("2026-01", 300), ("2026-02", 600)] {
      try await house.expense(money("\(spent)"), from: a, food, on: text + "-10")
      try await house.expense(money("1000"), from: a, rent, on: text + "-05")
      try await house.income(money("2000"), into: a, salary, on: text + "-01")
    }
    // Planned: counts nowhere.
    try await house.expense(money("5000"), from: a, food, on: "2026-02-20")
    return (house, food, rent)
  }

  @Test func monthsBesideEachOther() async throws {
    let (house, _, _) = try await household()
    try house.ledger.read { snapshot throws in
      let change = try snapshot.monthOverMonth(month("2026-02"), in: kzt, today: today)
      #expect(change.expense == total("300"))
      #expect(change.income == total("0"))
      #expect(change.net == total("-300"))
      let streak = try snapshot.growthStreak(
        through: month("2026-02"), currency: kzt, today: today)
      // November is the first month, and has none before it to exceed.
      #expect(streak == 3)
      let found = try snapshot.bestAndWorstMonth(
        in: month("2025-11")..<month("2026-03"), currency: kzt, today: today)
      #expect(found?.best.month == month("2025-11"))
      #expect(found?.worst.month == month("2026-02"))
    }
    try await house.end()
  }

  @Test func sharesAveragesAndRates() async throws {
    let (house, food, rent) = try await household()
    try house.ledger.read { snapshot throws in
      let days = month("2026-02").days
      let top = try snapshot.topCategories(in: days, currency: kzt, today: today)
      #expect(top.map(\.category.id) == [rent, food])
      #expect(top.map { $0.share?.perMille } == [625, 375])
      // 1,600 over the fifteen days up to today.
      let average = try snapshot.averagePerDay(in: days, currency: kzt, today: today)
      #expect(average == total("106.67"))
      let rate = try snapshot.savingsRate(in: days, currency: kzt, today: today)
      #expect(rate?.perMille == 200)
      #expect(try snapshot.savingsRate(in: days, currency: usd, today: today) == nil)
    }
    try await house.end()
  }

  @Test func spikesAndRunway() async throws {
    let (house, food, _) = try await household()
    try house.ledger.read { snapshot throws in
      let spikes = try snapshot.spikes(in: month("2026-02"), currency: kzt, today: today)
      #expect(spikes.map(\.category.id) == [food])
      #expect(spikes.first?.usual == total("200"))
      #expect(spikes.first?.times.perMille == 3_000)
      // 1,000 + 8,000 − 5,200 = 3,800 at (1,100 + 1,200 + 1,300) ÷ 3 = 1,200 a month.
      let runway = try snapshot.runway(in: kzt, today: today)
      #expect(runway?.worth == total("3800"))
      #expect(runway?.expense == total("1200"))
      #expect(runway?.tenthsOfMonths == 31)
      #expect(try snapshot.runway(in: usd, today: today) == nil)
    }
    try await house.end()
  }

  /// A currency of eighteen decimals: the products of two sums do not fit 128 bits.
  @Test func spikesOfLargeSumsAreOrdered() async throws {
    let house = try await House(rates: false, base: nil)
    let coin = try #require(Currency(code: "COIN", digits: 18))
    try await house.append(.defineCurrency(CurrencyDefinition(currency: coin)))
    let a = try await house.account("A", in: coin)
    let unit: Int64 = 1_000_000_000_000_000_000
    var found: [CategoryID] = []
    for (name, more) in [("Small", 0 as Int64), ("Large", 1)] {
      let category = try await house.category(name)
      found.append(category)
      try await house.expense(Money(5 * unit, coin), from: a, category, on: "2026-01-10")
      try await house.expense(Money(6 * unit, coin), from: a, category, on: "2026-02-10")
      try await house.expense(Money(6 * unit + more, coin), from: a, category, on: "2026-02-11")
    }
    // The ledger has all three months before February.
    try await house.income(Money(1, coin), into: a, nil, on: "2025-11-01")
    try house.ledger.read { snapshot throws in
      let spikes = try snapshot.spikes(in: month("2026-02"), currency: coin, today: today)
      #expect(spikes.map(\.category.id) == found.reversed())
      #expect(spikes.map(\.times.perMille) == [7_200, 7_200])
      for (times, count) in [(7_199, 2), (7_200, 2), (7_201, 0), (Int.max, 0), (Int.min, 2)] {
        let spikes = try snapshot.spikes(
          in: month("2026-02"), currency: coin, timesPerMille: times, today: today)
        #expect(spikes.count == count, "\(times)")
      }
    }
    try await house.end()
  }

  @Test func sharesOfAnySizeAreExact() throws {
    let cases: [(part: Int128, whole: Int128, perMille: Int)] = [
      (1, 3, 333), (2, 3, 667), (1, 2_000, 1), (-1, 2_000, -1), (-1, 2_001, 0), (0, .max, 0),
      (.max, .max, 1_000), (.min, .max, -1_000), (.max / 2, .max, 500), (.max / 3, .max, 333),
      (-(.max / 3), .max, -333), (.max, .max / 2, 2_000), (.max, 1, .max), (.min, 1, .min),
      (Int128(Int.max), 1_000, .max), (Int128(Int.max) + 1, 1_000, .max),
    ]
    for (part, whole, perMille) in cases {
      #expect(try #require(Ratio(part, of: whole)).perMille == perMille, "\(part) of \(whole)")
    }
    #expect(Ratio(1, of: 0) == nil && Ratio(1, of: -1) == nil)
  }

  @Test func anEmptyLedgerHasNoInsights() async throws {
    let house = try await House(rates: false)
    try house.ledger.read { snapshot throws in
      let days = month("2026-02").days
      #expect(try snapshot.topCategories(in: days, currency: kzt, today: today) == [])
      #expect(try snapshot.spikes(in: month("2026-02"), currency: kzt, today: today) == [])
      #expect(
        try snapshot.growthStreak(through: month("2026-02"), currency: kzt, today: today) == 0)
      #expect(
        try snapshot.averagePerDay(in: days, currency: kzt, today: today) == total("0"))
    }
    try await house.end()
  }
}
