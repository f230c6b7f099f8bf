/// Goal: a change of a budget's days, categories or rollover leaves past periods alone. Method: figures by
/// hand, through the public API; each ends as all scenarios do.
import Daybook
import Testing

@Suite struct BudgetChangeScenarios {
  /// 400 a month from the 25th, and 200 spent in each of three periods, 100 in the fourth; 450 from
  /// the third period on.
  private func household() async throws -> (House, BudgetID, CategoryID) {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    for day in [
      "2026-01-25", "2026-02-24", "2026-02-25", "2026-03-24", "2026-03-25", "2026-04-24",
      "2026-04-25",
    ] { try await house.expense(money("100"), from: a, food, on: day) }
    let snacks = try await house.category("Snacks")
    try await house.expense(money("10"), from: a, snacks, on: "2026-03-01")
    try await house.expense(money("20"), from: a, snacks, on: "2026-04-26")
    let budget = try await house.budget(
      "Food", money("400"), on: [food], every: .monthly(resetDay: 25)
    ) {
      $0.rollover = .surplus
      $0.start = day("2026-01-25")
      $0.setAmount(money("450"), ofPeriodsFrom: day("2026-03-25"))
    }
    return (house, budget, snacks)
  }

  /// Each period as its first day, available amount and remaining amount.
  private func lines(
    _ snapshot: borrowing Snapshot, _ budget: BudgetID, today: String
  ) throws -> [String] {
    try snapshot.budgetHistory(of: budget, today: day(today)).map {
      "\($0.days.lowerBound) \($0.available.units / 100) \($0.remaining.units / 100)"
    }
  }

  private let past = ["2026-01-25 400 200", "2026-02-25 600 400", "2026-03-25 850 650"]

  @Test func aNewResetDay() async throws {
    let (house, budget, _) = try await household()
    #expect(
      try house.ledger.read { try lines($0, budget, today: "2026-04-30") }
        == past + ["2026-04-25 1100 1000"])
    try await house.amend(budget) {
      $0.setPeriod(.monthly(resetDay: 31), from: day("2026-04-25"))
    }
    // Five of the 30 days from 31 March to 29 April: 450 × 5 ÷ 30.
    try await house.ends { snapshot throws in
      #expect(
        try lines(snapshot, budget, today: "2026-04-30")
          == past + ["2026-04-25 725 625", "2026-04-30 1075 1075"])
    }
  }

  @Test func theFullAmount() async throws {
    let (house, budget, _) = try await household()
    try await house.amend(budget) {
      $0.setPeriod(.monthly(resetDay: 31), from: day("2026-04-25"))
      $0.proratesShortPeriods = false
    }
    try await house.ends { snapshot throws in
      #expect(
        try lines(snapshot, budget, today: "2026-04-30")
          == past + ["2026-04-25 1100 1000", "2026-04-30 1450 1450"])
    }
  }

  @Test func weeksAfterMonths() async throws {
    let (house, budget, _) = try await household()
    // 25 April is a Saturday: two of seven days, then weeks from Monday on. 45000 × 2 ÷ 7 = 12857.14.
    try await house.amend(budget) { $0.setPeriod(.weekly, from: day("2026-04-25")) }
    try await house.ends { snapshot throws in
      let periods = try snapshot.budgetHistory(of: budget, today: day("2026-05-04"))
      #expect(
        periods.suffix(3).map { "\($0.days.lowerBound) \($0.amount.units)" }
          == ["2026-04-25 12857", "2026-04-27 45000", "2026-05-04 45000"])
    }
  }

  @Test func aNewRollover() async throws {
    let (house, budget, _) = try await household()
    try await house.amend(budget) { $0.setRollover(.none, ofPeriodsFrom: day("2026-03-25")) }
    try await house.ends { snapshot throws in
      #expect(
        try lines(snapshot, budget, today: "2026-04-30") == past + ["2026-04-25 450 350"])
    }
  }

  @Test func newCategories() async throws {
    let (house, budget, snacks) = try await household()
    try await house.amend(budget) { changed in
      // Inside a period: from the next one on.
      changed.setCategories(
        BudgetCategories(changed.categories + [snacks]), ofPeriodsFrom: day("2026-04-01"))
    }
    try await house.ends { snapshot throws in
      #expect(
        try lines(snapshot, budget, today: "2026-04-30") == past + ["2026-04-25 1100 980"])
    }
  }

  /// Undo brings everything back, and a dry run changes nothing.
  @Test func undoAndTheEarlierMoment() async throws {
    let (house, budget, _) = try await household()
    let all = past + ["2026-04-25 1100 1000"]
    let moment = try house.ledger.token
    try await house.amend(budget) {
      $0.setPeriod(.monthly(resetDay: 31), from: day("2026-04-25"))
      $0.setRollover(.none, ofPeriodsFrom: day("2026-02-25"))
    }
    #expect(
      try house.ledger.read(asOf: moment) { try lines($0, budget, today: "2026-04-30") } == all)
    #expect(try house.ledger.read { try lines($0, budget, today: "2026-04-30") } != all)
    try await house.ledger.undoNewest()
    try await house.ends { snapshot throws in
      #expect(try lines(snapshot, budget, today: "2026-04-30") == all)
    }
  }

  @Test func whatASetterKeeps() {
    var budget = Budget(
      id: .unassigned, name: "Food", categories: [], amount: money("1"),
      period: .monthly(resetDay: 25))
    let (april, may) = (day("2026-04-25"), day("2026-05-25"))
    budget.setPeriod(.weekly, from: may)
    budget.setPeriod(.yearly, from: april)
    #expect(budget.earlierPeriods == [EarlierValue(until: april, value: .monthly(resetDay: 25))])
    budget.setPeriod(.monthly(resetDay: 25), from: april)
    #expect(budget.earlierPeriods == [] && budget.period == .monthly(resetDay: 25))
    budget.setPeriod(.weekly, from: may)
    budget.setPeriod(.custom(april..<may), from: may)
    #expect(budget.earlierPeriods == [])
    budget.start = may
    budget.setRollover(.both, ofPeriodsFrom: may)
    #expect(budget.earlierRollovers == [] && budget.rollover == .both)
  }

  @Test func aSingleRangeHasNoOtherPeriods() async throws {
    let (house, budget, _) = try await household()
    await #expect(throws: DaybookError.self) {
      try await house.amend(budget) {
        $0.period = .custom(day("2026-05-01")..<day("2026-06-01"))
        $0.earlierPeriods = [EarlierValue(until: day("2026-05-01"), value: .weekly)]
      }
    }
    await #expect(throws: DaybookError.self) {
      try await house.amend(budget) {
        $0.earlierRollovers = [
          EarlierValue(until: day("2026-05-01"), value: .both),
          EarlierValue(until: day("2026-04-01"), value: .none),
        ]
      }
    }
    try await house.end()
  }
}
