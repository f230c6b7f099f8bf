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
      for id in given.categories {
        let category = try known(id)
        try check(category.kind == .expense, nil)
        let isWatched = old.map { budgets[$0].categories.contains(id) } ?? false
        try check(isWatched || !category.isDeleted, nil)
      }
      try check(given.amount.currency)
      try check(given.amount.minorUnits >= 0, nil)
      if case .custom(let span) = given.period { try check(!span.isEmpty, nil) }
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
    for index in budgets.indices where budgets[index].categories.contains(id) {
      var named: [CategoryID] = []
      for category in budgets[index].categories.map({ $0 == id ? other : $0 })
      where !named.contains(category) { named.append(category) }
      budgets[index].categories = named
    }
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
    let (_, month, number) = day.components
    switch budget.period {
    case .monthly(let reset):
      // A clamped reset day is at least 28, the number of days in the shortest month.
      return number == reset
        || number >= 28 && number < reset && number == day.monthOf.last.day
    case .weekly: return day.weekday == settings?.firstWeekday ?? 1
    case .yearly: return month == 1 && number == 1
    case .custom: return false
    }
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

  /// Returns the first day of the first period, or `nil` if it is too far in the past to examine
  /// each day.
  func firstDay(of budget: Budget, today: Day) -> Day? {
    var first: Day?
    if case .custom(let span) = budget.period { first = max(span.lowerBound, budget.start ?? .min) }
    if let start = budget.start, start > .min { first = max(start, first ?? start) }
    if first == nil {
      let members = watched(by: budget)
      first =
        transactions.filter { row in
          counts(row.day, for: budget)
            && row.postings.contains { $0.isIn(members) && $0.amount.minorUnits != 0 }
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

  func watched(by budget: Budget) -> Set<CategoryID> {
    if budget.categories.isEmpty {
      return Set(everyCategory.filter { $0.kind == .expense }.map(\.id))
    }
    return budget.categories.reduce(into: []) { found, id in
      found.formUnion(
        (try? family(id, withSubcategories: budget.includesSubcategories)) ?? [])
    }
  }

  private func spent(
    _ budget: Budget, _ members: Set<CategoryID>, _ days: [(day: Day, rows: [Transaction])],
    _ isCounted: (Day) -> Bool
  ) -> Converted {
    var parts = ConvertedParts()
    let target = budget.amount.currency
    for (day, rows) in days where isCounted(day) {
      for amount in amounts(members, of: rows) {
        let net = Total(units: amount.into.units - amount.out.units, currency: amount.currency)
        if net.units == 0 { continue }
        parts.add(net, converted(net.units, net.currency, target, day), amount.count)
      }
    }
    return parts.converted(to: target)
  }

  /// Returns the expenses that recurring transactions will record in the categories of a budget, by
  /// day.
  private func expectedExpenses(
    _ members: Set<CategoryID>, through last: Day, today: Day
  ) -> [(day: Day, amount: Total)] {
    upcoming(through: last, today: today).compactMap { payment in
      let template = payment.series.template
      guard payment.transaction == nil, template.type == .expense,
        members.contains(template.category ?? .uncategorizedExpense)
      else { return nil }
      // An overdue payment is expected on the day after today.
      return (max(payment.day, today.adding(days: 1)), Total(template.amount))
    }.sorted { $0.day < $1.day }
  }

  /// Returns a planned amount with expected expenses.
  private func adding(
    _ expected: ArraySlice<(day: Day, amount: Total)>, to planned: Converted, _ budget: Budget
  ) -> Converted {
    var units = planned.total.units
    var left = planned.unconverted
    for (day, amount) in expected {
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
    let members = watched(by: budget)
    let currency = budget.amount.currency
    let all = rowsByDay({ _ in true }, valuedIn: currency)
    let last = periods.compactMap(\.last).max() ?? today
    var expected = expectedExpenses(members, through: max(last, today), today: today)[...]
    var carried: Int128 = 0
    var left: [Currency: Unconverted] = [:]
    return periods.map { days in
      var units = budget.amount.minorUnits
      for step in budget.steps where step.day <= days.lowerBound { units = step.amount.minorUnits }
      // The periods are in order, so earlier expenses aren't needed anymore.
      expected = expected.drop { $0.day < days.lowerBound }
      let payments = expected.prefix { $0.day < days.upperBound }
      let status = BudgetStatus(
        budget: budget, days: days, today: today,
        amount: Total(units: Int128(units), currency: currency),
        carriedOver: Converted(
          total: Total(units: carried, currency: currency),
          unconverted: left.values.sorted { $0.total.currency.code < $1.total.currency.code }),
        spent: spent(budget, members, all) { days.contains($0) && $0 <= today },
        planned: adding(
          payments, to: spent(budget, members, all) { days.contains($0) && $0 > today }, budget))
      let rest = Int128(units) + carried - status.spent.total.units
      switch budget.rollover {
      case .none: carried = 0
      case .surplus: carried = rest > 0 ? rest : 0
      case .deficit: carried = rest < 0 ? rest : 0
      case .both: carried = rest
      }
      if budget.rollover != .none {
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
    if budget.rollover == .none { return statuses(of: budget, [period], today: today).last }
    guard let first = firstDay(of: budget, today: today) else { return nil }
    let periods = periods(of: budget, from: first, through: period.lowerBound)
    let whole = periods.last == period ? periods : [period]
    return .some(statuses(of: budget, whole, today: today).last)
  }
}
