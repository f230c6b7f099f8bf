// Goal: random changes of what budgets and envelopes depend on: themselves, the tree of categories, and the first
// weekday. Method: as in World; categories go only while nothing is posted to them.

import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookRandom

extension World {
  /// One random change of a budget, a category or the settings.
  func changePlan() -> Change {
    switch Int.random(in: 0..<13, using: &random) {
    case 10..<13: return changeAllocation()
    case 0..<2: return newBudget(watchesAll: random.chance(30))
    case 2..<5: return amendBudget()
    case 5: return removeBudget() ?? newBudget(watchesAll: false)
    case 6, 7: return moveCategory()
    case 8: return removeCategory() ?? newCategory()
    default: return changeWeek()
    }
  }

  func newBudget(watchesAll: Bool) -> Change {
    let number = (budgets.map(\.number).max() ?? 0) + 1
    var budget = Budget(
      id: BudgetID(EntityID(high: 6, low: number)), number: number, name: "Budget \(number)",
      categories: watchesAll ? [] : someCategories(), amount: Money(1_000, .kzt), period: period())
    budget.includesSubcategories = random.chance(60)
    budgets.append(budget)
    return inserted(budget)
  }

  private func amendBudget() -> Change {
    guard !budgets.isEmpty else { return newBudget(watchesAll: false) }
    let position = Int.random(in: budgets.indices, using: &random)
    let old = budgets[position]
    switch Int.random(in: 0..<9, using: &random) {
    case 0: budgets[position].categories = random.chance(20) ? [] : someCategories()
    case 1: budgets[position].includesSubcategories.toggle()
    case 2: budgets[position].setPeriod(period(), from: nil)
    case 6: budgets[position].setPeriod(period(), from: day())
    case 7, 8:
      let covered = BudgetCategories(
        someCategories(), includingSubcategories: random.chance(60))
      budgets[position].setCategories(covered, ofPeriodsFrom: day())
    case 3: budgets[position].start = random.chance(60) ? day() : nil
    case 4: budgets[position].end = random.chance(60) ? day() : nil
    default: budgets[position].amount = Money(Int64.random(in: 1...9, using: &random), .usd)
    }
    return change(old, budgets[position])
  }

  private func removeBudget() -> Change? {
    guard !budgets.isEmpty else { return nil }
    return change(budgets.remove(at: Int.random(in: budgets.indices, using: &random)), nil)
  }

  // An assignment or a move; the last one changes or goes.
  private func changeAllocation() -> Change {
    if let old = allocations.last, random.chance(50) {
      allocations.removeLast()
      if random.chance(30), !allocations.isEmpty { return change(old, nil) }
      var new = old
      new.amount = Money(Int64.random(in: 1...900, using: &random), .kzt)
      if !new.isAssignment { new.month = day().monthOf }
      allocations.append(new)
      return change(old, new)
    }
    let number = (allocations.map(\.number).max() ?? 0) + 1
    let category = categories[Int.random(in: categories.indices, using: &random)].id
    let money = Money(Int64.random(in: 1...900, using: &random), .kzt)
    var new = Allocation(assigning: money, to: category, in: day().monthOf)
    if random.chance(20) {
      new = Allocation(
        assigning: money, toPaymentOf: AccountID(EntityID(high: 9, low: 1)), in: new.month)
    }
    if random.chance(50) || allocations.contains(where: { $0.id == new.id }) {
      new = Allocation(
        id: AllocationID(EntityID(high: 8, low: number)), month: new.month, category: category,
        source: nil, amount: money)
      new.source = random.chance(50) ? categories[0].id : nil
    }
    new.number = number
    allocations.append(new)
    return inserted(new)
  }

  private func newCategory() -> Change {
    let number = (categories.map(\.number).max() ?? 15) + 1
    var category = Category(
      id: CategoryID(EntityID(high: 3, low: number)), number: number, name: "Category \(number)",
      kind: .expense)
    if random.chance(60) { category.parent = categories[0].id }
    categories.append(category)
    return inserted(category)
  }

  // Below another one, or to the top; what is above never goes below.
  private func moveCategory() -> Change {
    let expenses = categories.indices.filter { categories[$0].kind == .expense }
    let position = expenses[Int.random(in: expenses.indices, using: &random)]
    let old = categories[position]
    let earlier = expenses.filter { $0 < position }
    categories[position].parent =
      earlier.isEmpty || random.chance(30)
      ? nil : categories[earlier[Int.random(in: earlier.indices, using: &random)]].id
    if categories[position].parent == old.parent { categories[position].name += "'" }
    return change(old, categories[position])
  }

  // A category that nothing is posted to; what is below it goes to the top by being below nothing.
  private func removeCategory() -> Change? {
    let used = Set(transactions.flatMap { $0.postings.map(\.account) })
    let free = categories.indices.filter { index in
      let category = categories[index]
      return category.number > 22 && !used.contains(.category(category.id))
    }
    guard let position = free.last else { return nil }
    return change(categories.remove(at: position), nil)
  }

  private func changeWeek() -> Change {
    var new = settings ?? LedgerSettings(number: 1)
    new.firstWeekday = new.firstWeekday % 7 + 1
    defer { settings = new }
    guard let old = settings else { return inserted(new) }
    return change(old, new)
  }

  private func someCategories() -> [CategoryID] {
    let expenses = categories.filter { $0.kind == .expense }.map(\.id) + [.uncategorizedExpense]
    let count = Int.random(in: 1...3, using: &random)
    return Array(expenses.shuffled(using: &random).prefix(count))
  }

  private func period() -> BudgetPeriod {
    switch Int.random(in: 0..<9, using: &random) {
    case 6: return .halfMonthly
    case 7: return .weeks(Int.random(in: 1...5, using: &random), from: day())
    case 8: return .months(Int.random(in: 1...12, using: &random), from: day())
    case 0: return .weekly
    case 1: return .yearly
    case 2:
      let (one, other) = (day(), day())
      return .custom(min(one, other)..<max(one, other).adding(days: 1))
    default: return .monthly(resetDay: Int.random(in: 1...31, using: &random))
    }
  }
}
