/// Goal: what the scenarios leave open about budgets: what is carried over, amounts that change, several
/// currencies and late rates, the tree of categories, the past. Method: figures by hand, through the
/// public API; each ends as the scenarios do.
import Daybook
import Testing

@Suite struct BudgetTests {
  /// January 300, February 50 and 70 planned, on Food; a budget of 200 a month from December on.
  func household(_ rollover: Rollover) async throws -> (House, BudgetID) {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("300"), from: a, food, on: "2026-01-10")
    try await house.expense(money("50"), from: a, food, on: "2026-02-10")
    try await house.expense(money("70"), from: a, food, on: "2026-02-20")
    let budget = try await house.budget("Food", money("200"), on: [food]) {
      $0.rollover = rollover
      $0.start = day("2025-12-01")
    }
    return (house, budget)
  }

  @Test(arguments: [
    (Rollover.none, "0", "0"), (.surplus, "200", "100"), (.deficit, "0", "-100"),
    (.both, "200", "100"),
  ])
  func whatIsCarried(_ rollover: Rollover, january: String, february: String) async throws {
    let (house, budget) = try await household(rollover)
    func carried(_ text: String) -> Total {
      text.hasPrefix("-")
        ? Total(units: -total(String(text.dropFirst())).units, currency: kzt) : total(text)
    }
    try await house.ends { snapshot throws in
      let periods = try snapshot.budgetHistory(of: budget, today: today)
      #expect(periods.map(\.days.lowerBound.month) == [12, 1, 2])
      #expect(
        periods.map(\.carriedOver.total) == [total("0"), carried(january), carried(february)])
      let now = try #require(try snapshot.budgetStatus(of: budget, today: today))
      #expect(now == periods.last)
      #expect(now.spent.total == total("50"))
      #expect(now.remaining.units == total("150").units + carried(february).units)
      // In March the whole of February has passed, what was planned in it too.
      let march = try #require(
        try snapshot.budgetStatus(of: budget, today: day("2026-03-01")))
      #expect(march.spent.total == total("0"))
      if rollover == .both { #expect(march.carriedOver.total == total("180")) }
    }
  }

  @Test func withoutAStartItIsCarriedFromTheFirstSpending() async throws {
    let (house, budget) = try await household(.both)
    try await house.amend(budget) { $0.start = nil }
    #expect(try house.status(budget).carriedOver.total.units == -10_000)
    try await house.amend(budget) { $0.rollover = .none }
    #expect(try house.status(budget).carriedOver.total.units == 0)
    try await house.ends { snapshot throws in
      #expect(try snapshot.budgetHistory(of: budget, today: today).count == 2)
      #expect(try snapshot.budgetHistory(of: budget, limit: 1, today: today).count == 1)
    }
  }

  @Test func pastPeriodsKeepTheirAmounts() async throws {
    let (house, budget) = try await household(.none)
    try await house.amend(budget) {
      $0.setAmount(money("300"), ofPeriodsFrom: day("2026-01-01"))
      $0.setAmount(money("50"), ofPeriodsFrom: day("2026-02-01"))
    }
    try await house.ends { snapshot throws in
      let periods = try snapshot.budgetHistory(of: budget, today: today)
      #expect(periods.map(\.amount) == [total("200"), total("300"), total("50")])
      #expect(periods.map(\.isOverspent) == [false, false, false])
    }
  }

  @Test func paceAndProjection() async throws {
    let (house, budget) = try await household(.none)
    let now = try house.status(budget)
    #expect((now.elapsedDayCount, now.dayCount) == (15, 28))
    // 50 × 28 ÷ (200 × 15), and 50 × 28 ÷ 15 = 93.33; but 70 more are planned.
    #expect(now.pace?.perMille == 467)
    #expect(now.projected == total("120"))
    #expect(now.projectedOverspend == total("0"))
    try await house.amend(budget) { $0.amount = money("100") }
    #expect(try house.status(budget).projectedOverspend == total("20"))
    let early = try house.status(budget, on: "2026-02-11")
    // 50 in 11 of 28 days.
    #expect(early.projected == total("127.27"))
    let past = try #require(
      try house.ledger.read {
        try $0.budgetStatus(of: budget, on: day("2026-01-10"), today: today)
      })
    #expect(past.projected == total("300"))
    let next = try #require(
      try house.ledger.read {
        try $0.budgetStatus(of: budget, on: day("2026-03-10"), today: today)
      })
    #expect(next.pace == nil)
    #expect(next.projected == total("0"))
    try await house.amend(budget) { $0.amount = money("0") }
    #expect(try house.status(budget).share == nil)
    try await house.end()
  }

  @Test func aLateRateCorrectsTheAffectedPeriodsOnly() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A", in: usd)
    let food = try await house.category("Food")
    try await house.expense(money("1", usd), from: a, food, on: "2026-01-05")
    try await house.expense(money("1", usd), from: a, food, on: "2026-01-20")
    try await house.expense(money("0.01", usd), from: a, food, on: "2026-02-03")
    try await house.expense(money("0.01", usd), from: a, food, on: "2026-02-04")
    let budget = try await house.budget("Food", money("1000"), on: [food])
    let unknown = try house.status(budget)
    #expect(unknown.spent.total == total("0"))
    #expect(
      unknown.spent.unconverted == [Unconverted(total: total("0.02", usd), count: 2)])
    try await house.append(try house.rate(usd, kzt, "450", "2026-01-10"))
    func spent() throws -> [Total] {
      try house.ledger.read { snapshot throws in
        try snapshot.budgetHistory(of: budget, today: today).map(\.spent.total)
      }
    }
    #expect(try spent() == [total("450"), total("9")])
    // 0.01 × 449.50 is 4.495, half-even 4.50 (of 4.495: 4.50 has the even digit), each day by itself.
    try await house.append(try house.rate(usd, kzt, "449.5", "2026-02-04"))
    #expect(try spent() == [total("450"), total("9.00")])
    try await house.append(try house.rate(usd, kzt, "448.5", "2026-02-04"))
    try await house.ends { snapshot throws in
      let periods = try snapshot.budgetHistory(of: budget, today: today)
      // 4.50 and 4.48 (of 4.485).
      #expect(periods.map(\.spent.total) == [total("450"), total("8.98")])
      #expect(
        periods[0].spent.unconverted == [Unconverted(total: total("1", usd), count: 1)])
    }
  }

  @Test func aRefundInAnotherCurrencyAtAnotherRateLeavesTheDifference() async throws {
    let house = try await House()
    let a = try await house.account("A", in: usd)
    let food = try await house.category("Food")
    try await house.append(try house.rate(usd, kzt, "460", "2026-02-05"))
    try await house.expense(money("10", usd), from: a, food, on: "2026-02-03")
    try await house.append(
      .record(.refund(money("10", usd), into: a, category: food, on: day("2026-02-06"))))
    let budget = try await house.budget("Food", money("1000"), on: [food])
    try await house.ends { snapshot throws in
      // 10 USD went and came back; in tenge 4,500 went and 4,600 came back.
      let told = try told(snapshot, budget)
      #expect(told.spent.units == -total("100").units)
    }
  }

  @Test func severalCategoriesAndTheirTree() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    let snacks = try await house.category("Snacks", in: food)
    let fun = try await house.category("Fun")
    try await house.expense(money("1"), from: a, food)
    try await house.expense(money("10"), from: a, snacks)
    try await house.expense(money("100"), from: a, fun)
    try await house.expense(money("1000"), from: a)
    let all = try await house.budget("All", money("9"), on: [])
    let tree = try await house.budget("Tree", money("9"), on: [food])
    let flat = try await house.budget("Flat", money("9"), on: [food]) {
      $0.includesSubcategories = false
    }
    let both = try await house.budget("Both", money("9"), on: [food, snacks, fun])
    func spent() throws -> [String] {
      try [all, tree, flat, both].map { try house.status($0).spent.total.text }
    }
    #expect(try spent() == ["1111.00", "11.00", "1.00", "111.00"])
    // Out of the tree, and another into it.
    try await house.append(.amendCategory(snacks, CategoryChange(parent: .some(nil))))
    #expect(try spent() == ["1111.00", "1.00", "1.00", "111.00"])
    try await house.append(.amendCategory(fun, CategoryChange(parent: .some(food))))
    #expect(try spent() == ["1111.00", "101.00", "1.00", "111.00"])
    // A new category is watched as soon as it is there.
    let late = try await house.category("Late", in: fun)
    try await house.expense(money("10000"), from: a, late)
    #expect(try spent() == ["11111.00", "10101.00", "1.00", "10111.00"])
    // Merged, moved up, kept, with its rows.
    try await house.append(.deleteCategory(snacks, .move(to: food)))
    #expect(try spent() == ["11111.00", "10111.00", "11.00", "10111.00"])
    try await house.append(.deleteCategory(fun, .keepRows))
    #expect(try house.status(both).spent.total == total("10111"))
    try await house.append(.deleteCategory(late, .withRows))
    try await house.ends { snapshot throws in
      for (id, units) in [(all, 111_100), (flat, 1_100), (both, 11_100)] {
        #expect(try snapshot.budgetStatus(of: id, today: today)?.spent.total.units == Int128(units))
      }
    }
  }

  @Test func oneCommitOfEverything() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    let fun = try await house.category("Fun")
    let row = try await house.expense(money("10"), from: a, food)
    let budget = try await house.budget("Food", money("100"), on: [food])
    var changed = try #require(try house.ledger.read { try $0.budget(budget) })
    changed.categories = [food, fun]
    changed.period = .weekly
    // The budget, its categories, its rows and the weeks change at once.
    try await house.append(
      .putBudget(changed), .record(.expense(money("5"), from: a, category: fun, on: today)),
      .setSettings(SettingsChange(firstWeekday: 7)), .delete(row),
      .record(.expense(money("7"), from: a, category: food, on: today)))
    let sequence = try house.ledger.token.sequence
    #expect(try house.status(budget).spent.total == total("12"))
    // Taken back as one, and taken back again.
    try await house.ledger.undo(commit: sequence)
    #expect(try house.status(budget).spent.total == total("10"))
    #expect(try house.status(budget).days.lowerBound == day("2026-02-01"))
    try await house.ledger.undo(commit: sequence + 1)
    try await house.ends { snapshot throws in
      let now = try #require(try snapshot.budgetStatus(of: budget, today: today))
      #expect(now.spent.total == total("12"))
      #expect(now.days == day("2026-02-15")..<day("2026-02-22"))
    }
  }

  @Test func thePastAnswersAsItWas() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("10"), from: a, food)
    let budget = try await house.budget("Food", money("100"), on: [food])
    let token = try house.ledger.token
    try await house.expense(money("5"), from: a, food)
    try await house.amend(budget) { $0.amount = money("50") }
    let past = try house.ledger.read(asOf: token) { snapshot throws in
      try #require(try snapshot.budgetStatus(of: budget, today: today))
    }
    #expect(past.spent.total == total("10"))
    #expect(past.amount == total("100"))
    try await house.append(.removeBudget(budget))
    #expect(try house.ledger.read { try $0.budgetStatuses(today: today) } == [])
    try await house.ledger.restore(entity: budget.rawValue)
    try await house.ends { snapshot throws in
      let now = try #require(try snapshot.budgetStatuses(today: today).first)
      #expect(now.spent.total == total("15"))
      #expect(now.amount == total("50"))
    }
  }

  @Test func invalidatedTheyAreSummedAnew() async throws {
    let (house, budget) = try await household(.both)
    let before = try house.status(budget)
    try await house.ledger.invalidateBudgets()
    #expect(try house.status(budget) == before)
    try await house.amend(budget) { $0.period = .weekly }
    try await house.amend(budget) { $0.period = .monthly(resetDay: 1) }
    try await house.ledger.invalidateBudgets()
    try await house.ends { snapshot throws in
      let now = try #require(try snapshot.budgetStatus(of: budget, today: today))
      #expect(now == before)
    }
  }

  @Test func listsAndWhatIsNotThere() async throws {
    let house = try await House()
    let food = try await house.category("Food")
    let first = try await house.budget("First", money("1"), on: [food]) { $0.order = 2 }
    let second = try await house.budget("Second", money("1"), on: [food]) { $0.order = 1 }
    try await house.budget("Gone", money("1"), on: [food]) { $0.isArchived = true }
    try await house.budget("Over", money("1"), on: [food]) { $0.end = day("2026-02-01") }
    try await house.ends { snapshot throws in
      #expect(try snapshot.budgetStatuses(today: today).map(\.budget.id) == [second, first])
      let all = try snapshot.budgetStatuses(today: today, includingArchived: true)
      #expect(all.map(\.budget.name) == ["Gone", "Second", "First"])
      #expect(try snapshot.budget(named: "FIRST")?.id == first)
      let unknown = BudgetID(EntityID(high: 9, low: 9))
      #expect(throws: DaybookError.self) {
        try snapshot.budgetStatus(of: unknown, today: today)
      }
      #expect(throws: DaybookError.self) {
        try snapshot.budgetHistory(of: first, limit: -1, today: today)
      }
    }
  }
}
