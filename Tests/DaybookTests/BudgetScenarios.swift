/// Goal: budgets say what a person would count. Method: the scenarios of budgets, and of a renamed
/// category, told through the public API; each ends as all do.
import Daybook
import Testing

extension House {
  /// Makes a budget, or puts another in its place.
  @discardableResult
  func budget(
    _ name: String, _ amount: Money, on categories: [CategoryID],
    every period: BudgetPeriod = .monthly(resetDay: 1),
    _ change: (inout Budget) -> Void = { _ in }
  ) async throws -> BudgetID {
    var budget = Budget(
      id: .unassigned, name: name, categories: categories, amount: amount, period: period)
    change(&budget)
    let receipt = try await append(.putBudget(budget))
    guard case .entity(.budget, let id) = try #require(receipt.outcomes.first) else {
      throw DaybookError(code: .damaged, message: "no budget", remedy: "")
    }
    return BudgetID(id)
  }

  /// Changes a budget.
  func amend(_ id: BudgetID, _ change: (inout Budget) -> Void) async throws {
    var budget = try #require(try ledger.read { try $0.budget(id) })
    change(&budget)
    try await append(.putBudget(budget))
  }

  func status(_ id: BudgetID, on text: String? = nil) throws -> BudgetStatus {
    let asked = text.map { day($0) } ?? today
    return try #require(try ledger.read { try $0.budgetStatus(of: id, today: asked) })
  }
}

/// What most expectations are about.
func told(
  _ snapshot: borrowing Snapshot, _ id: BudgetID, on text: String = "2026-02-15"
) throws -> (from: Day, spent: Total, remaining: Total) {
  let status = try #require(try snapshot.budgetStatus(of: id, today: day(text)))
  return (status.days.lowerBound, status.spent.total, status.remaining)
}

@Suite struct BudgetScenarios {
  @Test func resetDay() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("100"), from: a, food, on: "2026-01-18")
    try await house.expense(money("120"), from: a, food, on: "2026-01-25")
    try await house.expense(money("30"), from: a, food, on: "2026-02-14")
    try await house.expense(money("50"), from: a, food, on: "2026-02-15")
    let budget = try await house.budget(
      "Food", money("500"), on: [food], every: .monthly(resetDay: 15))
    func expects(_ from: String, _ spent: String, on text: String = "2026-02-15") throws {
      let status = try house.status(budget, on: text)
      #expect(status.days.lowerBound == day(from))
      #expect(status.spent.total == total(spent))
    }
    try expects("2026-02-15", "50")
    try await house.amend(budget) { $0.period = .monthly(resetDay: 20) }
    try expects("2026-01-20", "200")
    try await house.amend(budget) { $0.period = .monthly(resetDay: 1) }
    try expects("2026-02-01", "80")
    try await house.amend(budget) { $0.period = .monthly(resetDay: 31) }
    try expects("2026-01-31", "80")
    try expects("2026-03-31", "0", on: "2026-04-15")
    try expects("2026-02-28", "0", on: "2026-03-01")
    try await house.amend(budget) { $0.period = .monthly(resetDay: 15) }
    try await house.ends { snapshot throws in
      let found = try told(snapshot, budget)
      #expect(found.from == day("2026-02-15"))
      #expect(found.spent == total("50"))
      #expect(found.remaining == total("450"))
    }
  }

  @Test func whatCounts() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "10000")
    let b = try await house.account("B")
    let food = try await house.category("Food")
    let foodIncome = try await house.category("Food", .income)
    let entertainment = try await house.category("Entertainment")
    let budget = try await house.budget("Food", money("500"), on: [food])
    try await house.expense(money("200"), from: a, food)
    try await house.income(money("50"), into: a, foodIncome)
    try await house.expense(money("999"), from: a, entertainment)
    try await house.expense(money("70"), from: a, food, on: "2026-02-20")
    try await house.transfer(money("1000"), from: a, to: b)
    let status = try house.status(budget)
    #expect(status.spent.total == total("200"))
    #expect(status.share?.perMille == 400)
    #expect(status.remaining == total("300"))
    #expect(status.planned.total == total("70"))
    try await house.expense(money("1", usd), from: a, food)
    try await house.ends { snapshot throws in
      let status = try #require(try snapshot.budgetStatus(of: budget, today: today))
      #expect(status.spent.total == total("650"))
      #expect(status.planned.total == total("70"))
      #expect(status.isOverspent)
    }
  }

  @Test func weeks() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("100"), from: a, food, on: "2026-02-10")
    try await house.expense(money("10"), from: a, food, on: "2026-02-15")
    let budget = try await house.budget("Food", money("500"), on: [food], every: .weekly)
    #expect(try house.status(budget).days.lowerBound == day("2026-02-09"))
    #expect(try house.status(budget).spent.total == total("110"))
    try await house.append(.setSettings(SettingsChange(firstWeekday: 7)))
    try await house.ends { snapshot throws in
      let found = try told(snapshot, budget)
      #expect(found.from == day("2026-02-15"))
      #expect(found.spent == total("10"))
    }
  }

  @Test func years() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("500"), from: a, food, on: "2025-12-31")
    try await house.expense(money("20"), from: a, food, on: "2026-01-01")
    let budget = try await house.budget("Food", money("1000"), on: [food], every: .yearly)
    try await house.ends { snapshot throws in
      #expect(try told(snapshot, budget).spent == total("20"))
      let history = try snapshot.budgetHistory(of: budget, today: today)
      #expect(history.map(\.spent.total) == [total("500"), total("20")])
    }
  }

  @Test func rename() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let food = try await house.category("Food")
    let foodIncome = try await house.category("Food", .income)
    try await house.expense(money("300"), from: a, food)
    let budget = try await house.budget("Food", money("500"), on: [food])
    try await house.append(.amendCategory(food, CategoryChange(name: "Groceries")))
    try await house.ends { snapshot throws in
      let spent = try snapshot.total(of: food, in: always, today: today)
      #expect(spent.category.name == "Groceries")
      #expect(spent.total(in: kzt) == total("300"))
      let found = try told(snapshot, budget)
      #expect(found.spent == total("300"))
      #expect(found.remaining == total("200"))
      #expect(try snapshot.category(named: "Food", kind: .expense) == nil)
      #expect(try snapshot.category(named: "Food", kind: .income)?.id == foodIncome)
      let rows = try snapshot.breakdown(in: always, kind: .expense, today: today)
      #expect(rows.map(\.category.name) == ["Groceries"])
    }
  }
}
