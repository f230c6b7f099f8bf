/// Goal: budgets of every period, and all that can be changed about them. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func budgetCommand() -> Command {
    guard let known = random.some(oracle.budgets), random.chance(70) else {
      return .putBudget(budget(fresh()))
    }
    switch random.number(0...19) {
    case 0, 1: return .removeBudget(random.chance(10) ? fresh() : known.id)
    case 2, 3: return .putBudget(budget(known.id))
    case 4: return .setSettings(SettingsChange(firstWeekday: random.number(1...7)))
    default:
      var next = known
      for _ in 0..<random.number(1...2) { change(&next) }
      return .putBudget(next)
    }
  }

  private mutating func change(_ budget: inout Budget) {
    switch random.number(0...13) {
    case 0, 1: budget.setPeriod(budgetPeriod(), from: nil)
    case 2, 3: budget.categories = budgetCategories()
    case 4: budget.includesSubcategories.toggle()
    case 10: budget.setPeriod(budgetPeriod(), from: day(around: 2026))
    case 11: budget.setRollover(random.pick(Rollover.allCases), ofPeriodsFrom: day(around: 2026))
    case 12: budget.setCategories(covered(), ofPeriodsFrom: day(around: 2026))
    case 13: budget.proratesShortPeriods.toggle()
    case 5: budget.start = random.chance(70) ? day(around: 2026, months: -8...2) : nil
    case 6: budget.end = random.chance(50) ? day(around: 2026) : nil
    case 7: budget.steps = budgetSteps(in: budget.amount.currency)
    case 8: budget.rollover = random.pick(Rollover.allCases)
    default:
      budget.isArchived.toggle()
      budget.amount = Money(units(), currency())
      budget.order = Int64(random.number(0...2))
    }
  }

  package mutating func budget(_ id: BudgetID) -> Budget {
    var budget = Budget(
      id: id, name: random.chance(3) ? " " : "Budget \(random.number(0...2)) ",
      categories: budgetCategories(),
      amount: Money(Int64(random.number(0...99_999)), currency()), period: budgetPeriod())
    budget.includesSubcategories = random.chance(70)
    budget.rollover = random.chance(50) ? .none : random.pick(Rollover.allCases)
    if random.chance(budget.rollover == .none ? 20 : 70) {
      budget.start = day(around: 2026, months: -12...1)
    }
    if random.chance(15) { budget.end = day(around: 2026) }
    if random.chance(30) { budget.steps = budgetSteps(in: budget.amount.currency) }
    for _ in 0..<random.number(0...2) where random.chance(50) {
      budget.earlierPeriods.append(
        EarlierValue(until: day(around: 2026), value: budgetPeriod()))
      budget.earlierRollovers.append(
        EarlierValue(until: day(around: 2026), value: random.pick(Rollover.allCases)))
      budget.earlierCategories.append(EarlierValue(until: day(around: 2026), value: covered()))
    }
    budget.proratesShortPeriods = random.chance(80)
    budget.isArchived = random.chance(20)
    return budget
  }

  private mutating func covered() -> BudgetCategories {
    BudgetCategories(budgetCategories(), includingSubcategories: random.chance(70))
  }

  private mutating func budgetCategories() -> [CategoryID] {
    if random.chance(25) { return [] }
    return (0..<random.number(1...3)).map { _ in categoryID(.expense) }
  }

  private mutating func budgetPeriod() -> BudgetPeriod {
    switch random.number(0...13) {
    case 10: return .halfMonthly
    case 11: return .weeks(random.number(1...6), from: day(around: random.number(2020...2030)))
    case 12, 13:
      // The last days of a month, so that shorter months clamp them.
      let last = day(around: random.number(2020...2030)).monthOf.last
      return .months(
        random.chance(98) ? random.pick([1, 2, 3, 6, 12]) : 0,
        from: last.adding(days: -random.number(0...30)))
    case 0..<3: return .weekly
    case 3: return .yearly
    case 4:
      let (one, other) = (day(around: 2026), day(around: 2026))
      return .custom(min(one, other)..<max(one, other).adding(days: random.chance(95) ? 1 : 0))
    case 5, 6: return .monthly(resetDay: random.number(29...31))
    default: return .monthly(resetDay: random.number(1...31))
    }
  }

  private mutating func budgetSteps(in currency: Currency) -> [BudgetStep] {
    let days = Set((0..<random.number(0...3)).map { _ in day(around: 2026) })
    return days.sorted().map {
      BudgetStep(day: $0, amount: Money(Int64(random.number(0...99_999)), currency))
    }
  }
}
