/// Goal: reimplement budgets.
///
/// Method: find periods by examining each day, sum each period from the transactions of its days,
/// and carry amounts over, starting at the first period.
import Daybook

extension Oracle {
  mutating func put(_ given: Budget) throws {
    let old = budgets.firstIndex { $0.id == given.id }
    var budget = given
    do {
      budget.name = try checkedName(given.name)
      for id in named(by: given) {
        let category = try known(id)
        try check(category.kind == .expense, nil)
        let isWatched = old.map { named(by: budgets[$0]).contains(id) } ?? false
        try check(isWatched || !category.isDeleted, nil)
      }
      try check(given.amount.currency)
      try check(given.amount.minorUnits >= 0, nil)
      if case .custom(let span) = given.period { try check(!span.isEmpty, nil) }
      for case .weeks(let count, let day) in periods(of: given) {
        try check((1...1200).contains(count) && day.isInRange, nil)
      }
      for case .months(let count, let day) in periods(of: given) {
        try check((1...1200).contains(count) && day.isInRange, nil)
      }
      if !given.earlierPeriods.isEmpty {
        for period in [given.period] + given.earlierPeriods.map(\.value) {
          if case .custom = period { throw OracleRefusal(nil) }
        }
      }
      for days in [
        given.earlierPeriods.map(\.until), given.earlierRollovers.map(\.until),
        given.earlierCategories.map(\.until),
      ] {
        try check(days.allSatisfy(\.isInRange) && days == Array(Set(days)).sorted(), nil)
      }
      for step in given.steps {
        try check(step.amount.currency == given.amount.currency, nil)
      }
      for day in [given.start, given.end] { try check(day?.isInRange ?? true, nil) }
      if let start = given.start, let end = given.end { try check(start < end, nil) }
    } catch { throw OracleRefusal(nil) }
    if let old {
      budget.number = budgets[old].number
      budgets[old] = budget
    } else {
      budget.number = number(.budget)
      budgets.append(budget)
    }
  }

  mutating func moveBudgets(from id: CategoryID, to other: CategoryID) {
    func moved(_ categories: [CategoryID]) -> [CategoryID] {
      guard categories.contains(id) else { return categories }
      var named: [CategoryID] = []
      for category in categories.map({ $0 == id ? other : $0 })
      where !named.contains(category) { named.append(category) }
      return named
    }
    for index in budgets.indices {
      budgets[index].categories = moved(budgets[index].categories)
      for place in budgets[index].earlierCategories.indices {
        let old = budgets[index].earlierCategories[place].value.categories
        budgets[index].earlierCategories[place].value.categories = moved(old)
      }
    }
  }

  private func periods(of budget: Budget) -> [BudgetPeriod] {
    [budget.period] + budget.earlierPeriods.map(\.value)
  }

  func named(by budget: Budget) -> [CategoryID] {
    budget.categories + budget.earlierCategories.flatMap(\.value.categories)
  }

  /// Returns the value that applies on a day: the first of the earlier ones that ends later.
  private func value<Value>(
    on day: Day, _ earlier: [EarlierValue<Value>], _ current: Value
  ) -> Value {
    for entry in earlier where day < entry.until { return entry.value }
    return current
  }

  // MARK: Periods

  private func counts(_ day: Day, for budget: Budget) -> Bool {
    guard day.isInRange, day >= budget.start ?? .min, day < budget.end ?? Day(rawValue: .max)
    else { return false }
    if case .custom(let span) = budget.period { return span.contains(day) }
    return true
  }

  /// Returns whether a period begins on a day.
  private func begins(_ day: Day, _ budget: Budget) -> Bool {
    if !counts(day.adding(days: -1), for: budget) { return true }
    if budget.earlierPeriods.contains(where: { $0.until == day }) { return true }
    return begins(day, value(on: day, budget.earlierPeriods, budget.period))
  }

  private func begins(_ day: Day, _ period: BudgetPeriod) -> Bool {
    let (_, month, number) = day.components
    switch period {
    case .monthly(let reset): return isReset(day, reset)
    case .weekly: return day.weekday == settings?.firstWeekday ?? 1
    case .yearly: return month == 1 && number == 1
    case .custom: return false
    case .halfMonthly: return number == 1 || number == 16
    case .weeks(let count, let anchor): return anchor.distance(to: day) % (7 * count) == 0
    case .months(let count, let anchor):
      let (year, first, reset) = anchor.components
      return ((day.year - year) * 12 + month - first) % count == 0 && isReset(day, reset)
    }
  }

  /// Returns whether a day is a day of the month, or the last day of a month without it.
  private func isReset(_ day: Day, _ reset: Int) -> Bool {
    // A clamped reset day is at least 28, the number of days in the shortest month.
    let number = day.day
    return number == reset || number >= 28 && number < reset && number == day.monthOf.last.day
  }

  /// Returns the days of the period that contains a day.
  func period(of budget: Budget, around day: Day) -> Range<Day>? {
    guard counts(day, for: budget) else { return nil }
    var first = day
    while !begins(first, budget) { first = first.adding(days: -1) }
    var end = day.adding(days: 1)
    while counts(end, for: budget), !begins(end, budget) { end = end.adding(days: 1) }
    return first..<end
  }

  /// Returns the amount of a period.
  private func amount(of days: Range<Day>, _ budget: Budget) -> Int128 {
    var units = Int128(budget.amount.minorUnits)
    for step in budget.steps where step.day <= days.lowerBound {
      units = Int128(step.amount.minorUnits)
    }
    let rule = value(on: days.lowerBound, budget.earlierPeriods, budget.period)
    // The days of the period according to its own rule alone.
    var first = days.lowerBound
    var end = days.upperBound
    while counts(first.adding(days: -1), for: budget), !begins(first, rule) {
      first = first.adding(days: -1)
    }
    while counts(end, for: budget), !begins(end, rule) { end = end.adding(days: 1) }
    let (part, whole) = (days.count { _ in true }, (first..<end).count { _ in true })
    if part == whole || !budget.proratesShortPeriods { return units }
    let twice = 2 * units * Int128(part)
    let floor = twice / (2 * Int128(whole))
    let rest = twice - floor * 2 * Int128(whole)
    if rest == Int128(whole) { return floor + floor % 2 }
    return rest > Int128(whole) ? floor + 1 : floor
  }

  /// Returns the first day of the first period, or `nil` if it is too far in the past to examine
  /// each day.
  func firstDay(of budget: Budget, today: Day) -> Day? {
    var first: Day?
    if case .custom(let span) = budget.period { first = max(span.lowerBound, budget.start ?? .min) }
    if let start = budget.start, start > .min { first = max(start, first ?? start) }
    if first == nil {
      let lasting = budget.earlierCategories.isEmpty ? watched(by: budget, in: today..<today) : nil
      first =
        exclusions.counted(transactions).filter { row in
          guard counts(row.day, for: budget),
            let members = lasting
              ?? period(of: budget, around: row.day).map({ watched(by: budget, in: $0) })
          else { return false }
          return row.postings.contains { $0.isIn(members) && $0.amount.minorUnits != 0 }
        }.map(\.day).min() ?? today
    }
    guard let first, first > today.adding(days: -4_000) else { return nil }
    return first
  }

  /// Returns the periods from the first day up to a day.
  func periods(of budget: Budget, from first: Day, through last: Day) -> [Range<Day>] {
    var found: [Range<Day>] = []
    var next = period(of: budget, around: first)
    while let period = next, period.lowerBound <= last {
      found.append(period)
      next = self.period(of: budget, around: period.upperBound)
    }
    return found
  }

  // MARK: Figures

  /// Returns the categories that a period of a budget covers.
  func watched(by budget: Budget, in days: Range<Day>) -> Set<CategoryID> {
    let now = BudgetCategories(
      budget.categories, includingSubcategories: budget.includesSubcategories)
    let covered = value(on: days.lowerBound, budget.earlierCategories, now)
    if covered.categories.isEmpty {
      return Set(everyCategory.filter { $0.kind == .expense }.map(\.id))
    }
    return covered.categories.reduce(into: []) { found, id in
      found.formUnion(
        (try? family(id, withSubcategories: covered.includesSubcategories)) ?? [])
    }
  }

  private func spent(
    _ budget: Budget, _ members: Set<CategoryID>, _ days: [(day: Day, rows: [Transaction])],
    _ isCounted: (Day) -> Bool
  ) -> Converted {
    var parts = ConvertedParts()
    let target = budget.amount.currency
    for (day, rows) in days where isCounted(day) {
      add(members, .expense, of: rows, on: day, in: target, to: &parts)
    }
    return parts.converted(to: target)
  }

  /// Returns the expenses that recurring transactions will record, by day.
  private func expectedExpenses(
    through last: Day, today: Day
  ) -> [ExpectedExpense] {
    let exclusions = exclusions
    var found: [ExpectedExpense] = []
    for (index, payment) in upcoming(through: last, today: today).enumerated()
    where payment.transaction == nil {
      let template = payment.series.template
      let accounts = [template.account] + template.parts.map(\.account).filter { $0 != nil }
      if accounts.allSatisfy({ $0.map { exclusions.accounts.contains($0) } ?? false }) { continue }
      // An overdue payment is expected on the day after today.
      let day = max(payment.day, today.adding(days: 1))
      if template.parts.isEmpty {
        let category = template.category ?? .uncategorizedExpense
        guard template.type == .expense, !exclusions.categories.contains(category) else { continue }
        found.append(
          ExpectedExpense(
            day: day, payment: index, amount: Total(template.amount), category: category))
      }
      for part in template.parts where part.account == nil {
        let standard: CategoryID =
          template.type == .income ? .uncategorizedIncome : .uncategorizedExpense
        let category = part.category ?? standard
        guard (try? known(category))?.kind == .expense, !exclusions.categories.contains(category)
        else { continue }
        let units = Int128(part.amount.minorUnits) * (part.isReversed ? -1 : 1)
        found.append(
          ExpectedExpense(
            day: day, payment: index,
            amount: Total(units: units, currency: part.amount.currency), category: category))
      }
    }
    return found.sorted { $0.day < $1.day }
  }

  /// Returns a planned amount with expected expenses.
  private func adding(
    _ expected: [ExpectedExpense], to planned: Converted, _ budget: Budget
  ) -> Converted {
    var units = planned.total.units
    var left = planned.unconverted
    // The parts of one payment are converted as one sum.
    for payment in Dictionary(grouping: expected, by: \.payment).values {
      let day = payment[0].day
      let amount = Total(
        units: payment.reduce(0) { $0 + $1.amount.units }, currency: payment[0].amount.currency)
      if let more = converted(amount.units, amount.currency, budget.amount.currency, day) {
        units += more
        continue
      }
      let same = left.first { $0.total.currency == amount.currency }
      left.removeAll { $0.total.currency == amount.currency }
      left.append(
        Unconverted(
          total: Total(
            units: amount.units + (same?.total.units ?? 0), currency: amount.currency),
          count: 1 + (same?.count ?? 0)))
    }
    return Converted(
      total: Total(units: units, currency: planned.total.currency),
      unconverted: left.sorted { $0.total.currency < $1.total.currency })
  }

  /// Returns the status of consecutive periods of a budget.
  func statuses(of budget: Budget, _ periods: [Range<Day>], today: Day) -> [BudgetStatus] {
    let currency = budget.amount.currency
    let all = rowsByDay({ _ in true }, valuedIn: currency)
    let last = periods.compactMap(\.last).max() ?? today
    var expected = expectedExpenses(through: max(last, today), today: today)[...]
    var carried: Int128 = 0
    var left: [Currency: Unconverted] = [:]
    return periods.map { days in
      let members = watched(by: budget, in: days)
      let units = amount(of: days, budget)
      // The periods are in order, so earlier expenses aren't needed anymore.
      expected = expected.drop { $0.day < days.lowerBound }
      let payments = expected.prefix { $0.day < days.upperBound }
        .filter { members.contains($0.category) }
      let status = BudgetStatus(
        budget: budget, days: days, today: today,
        amount: Total(units: units, currency: currency),
        carriedOver: Converted(
          total: Total(units: carried, currency: currency),
          unconverted: left.values.sorted { $0.total.currency.code < $1.total.currency.code }),
        spent: spent(budget, members, all) { days.contains($0) && $0 <= today },
        planned: adding(
          payments, to: spent(budget, members, all) { days.contains($0) && $0 > today }, budget))
      let rest = units + carried - status.spent.total.units
      let rollover = value(on: days.lowerBound, budget.earlierRollovers, budget.rollover)
      switch rollover {
      case .none: carried = 0
      case .surplus: carried = rest > 0 ? rest : 0
      case .deficit: carried = rest < 0 ? rest : 0
      case .both: carried = rest
      }
      if rollover == .none {
        left = [:]
      } else {
        for part in status.spent.unconverted {
          left[part.total.currency]?.total.units += part.total.units
          left[part.total.currency]?.count += part.count
          if left[part.total.currency] == nil { left[part.total.currency] = part }
        }
      }
      return status
    }
  }

  /// Returns the status in the period that contains a day.
  ///
  /// The outer optional is `nil` if the first period is too far in the past.
  func status(of budget: Budget, on day: Day, today: Day) -> BudgetStatus?? {
    guard let period = period(of: budget, around: day) else { return .some(nil) }
    if budget.rollover == .none, budget.earlierRollovers.allSatisfy({ $0.value == .none }) {
      return statuses(of: budget, [period], today: today).last
    }
    guard let first = firstDay(of: budget, today: today) else { return nil }
    let periods = periods(of: budget, from: first, through: period.lowerBound)
    let whole = periods.last == period ? periods : [period]
    return .some(statuses(of: budget, whole, today: today).last)
  }
}

/// What a payment that isn't recorded yet will add to a category.
private struct ExpectedExpense {
  var day: Day
  /// The position of the payment among all upcoming payments.
  var payment: Int
  var amount: Total
  var category: CategoryID
}
