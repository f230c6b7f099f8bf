/// The periods of a budget, independent of its amounts.
///
/// A period is half-open. Periods follow each other without gaps. The first and last periods are
/// cut off at the budget's start and end, but have the full amount. A change of the rule ends a
/// period and begins another one; see ``Budget/amount(of:in:)`` for the amount of shortened
/// periods.
public struct BudgetCalendar: Hashable, Sendable {
  /// The rule that divides days into periods.
  public enum Rule: Hashable, Sendable {
    /// Months that begin on a day of the month (1 to 31), or on the last day of a shorter month.
    case month(resetDay: Int)
    /// Weeks that begin on a weekday, from 1 (Monday) to 7 (Sunday).
    case week(firstWeekday: Int)
    /// Calendar years.
    case year
    /// A single period of all days.
    case once
    /// Periods of a number of weeks, counted from a day in both directions.
    case weeks(Int, from: Day)
    /// The 1st to the 15th of a month, and the 16th to the end of the month.
    case halfMonth
    /// Periods of a number of months, counted from a day in both directions. Each begins on that
    /// day of the month, or on the last day of a shorter month.
    case months(Int, from: Day)
  }

  /// A rule that applies from a day on.
  public struct Part: Hashable, Sendable {
    /// The first day; a period begins on it.
    public var first: Day
    /// The rule that divides days into periods.
    public var rule: Rule

    /// Creates a rule that applies from a day on.
    public init(first: Day, rule: Rule) {
      self.first = first
      self.rule = rule
    }
  }

  /// The rules that divide days into periods, by ascending first day.
  ///
  /// The first part also applies to the days before it. There is at least one part.
  public let parts: [Part]
  /// The days of the budget; empty if the budget ends before it starts.
  public let span: Range<Day>

  /// Creates a calendar from a rule and the days of the budget.
  public init(rule: Rule, span: Range<Day>) {
    self.init(parts: [Part(first: span.lowerBound, rule: rule)], span: span)
  }

  /// Creates a calendar from rules that follow each other, and the days of the budget.
  ///
  /// - Parameter parts: At least one part, by ascending first day; a part that begins before the
  ///   one before it is ignored.
  public init(parts: [Part], span: Range<Day>) {
    precondition(!parts.isEmpty, "A calendar needs a rule.")
    self.parts = parts.reduce(into: []) { kept, part in
      if let last = kept.last, last.first >= part.first { return }
      kept.append(part)
    }
    self.span = span
  }

  /// The period that contains a day, or `nil` if the day is outside the budget.
  ///
  /// - Complexity: O(parts).
  public func period(containing day: Day) -> Range<Day>? {
    guard span.contains(day) else { return nil }
    let (rule, days) = part(at: day)
    return whole(around: day, rule).clamped(to: days)
  }

  /// The period after a given period, or `nil` if the given period is the last.
  public func period(after period: Range<Day>) -> Range<Day>? {
    self.period(containing: period.upperBound)
  }

  /// The period before a given period, or `nil` if the given period is the first.
  public func period(before period: Range<Day>) -> Range<Day>? {
    self.period(containing: period.lowerBound.adding(days: -1))
  }

  /// The first day on or after a day on which a period begins.
  ///
  /// It is the end of the budget if no period begins later.
  public func start(onOrAfter day: Day) -> Day {
    guard let period = period(containing: day) else {
      return day < span.lowerBound ? span.lowerBound : max(day, span.upperBound)
    }
    return period.lowerBound == day ? day : period.upperBound
  }

  /// Whether a change of the rule has shortened a period.
  public func isShortened(_ period: Range<Day>) -> Bool { unshortened(period) != period }

  /// The days of a period if no change of the rule had shortened it.
  func unshortened(_ period: Range<Day>) -> Range<Day> {
    whole(around: period.lowerBound, part(at: period.lowerBound).rule).clamped(to: span)
  }

  /// The rule of a day of the budget, and the days to which the rule applies.
  private func part(at day: Day) -> (rule: Rule, days: Range<Day>) {
    let next = parts.dropFirst().firstIndex { $0.first > day } ?? parts.count
    let lower = next == 1 ? span.lowerBound : parts[next - 1].first
    let upper = next < parts.count ? parts[next].first : span.upperBound
    return (parts[next - 1].rule, (lower..<upper).clamped(to: span))
  }

  private func whole(around day: Day, _ rule: Rule) -> Range<Day> {
    switch rule {
    case .month(let resetDay):
      let month = day.monthOf
      let reset = month.day(atMost: resetDay)
      return day < reset
        ? month.adding(-1).day(atMost: resetDay)..<reset
        : reset..<month.adding(1).day(atMost: resetDay)
    case .week(let firstWeekday):
      let first = day.startOfWeek(from: firstWeekday)
      return first..<first.adding(days: 7)
    case .year:
      let year = day.year
      return Month(year: year, month: 1).first..<Month(year: year + 1, month: 1).first
    case .once: return span
    case .weeks(let count, let anchor):
      let length = 7 * Limits.budgetPeriodCount(count)
      let first = day.adding(days: -anchor.distance(to: day).remainder(of: length))
      return first..<first.adding(days: length)
    case .halfMonth:
      let month = day.monthOf
      let middle = month.first.adding(days: 15)
      return day < middle ? month.first..<middle : middle..<month.adding(1).first
    case .months(let count, let anchor):
      let length = Limits.budgetPeriodCount(count)
      let number = anchor.day
      // A period that begins in a later month or later in this month doesn't contain the day.
      let month =
        day < day.monthOf.day(atMost: number) ? day.monthOf.adding(-1) : day.monthOf
      let first = month.adding(-anchor.monthOf.distance(to: month).remainder(of: length))
      return first.day(atMost: number)..<first.adding(length).day(atMost: number)
    }
  }
}

extension Int {
  /// The remainder of a division by a positive number, which is never negative.
  fileprivate func remainder(of divisor: Int) -> Int {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension Limits {
  /// A number of weeks or months per period, clamped to the valid range.
  fileprivate static func budgetPeriodCount(_ count: Int) -> Int {
    max(1, min(count, budgetPeriodCountMax))
  }
}

extension Month {
  /// A day of the month by its number, clamped to the month.
  fileprivate func day(atMost number: Int) -> Day {
    let (year, month) = components
    return first.adding(days: max(1, min(number, Day.length(ofMonth: month, year: year))) - 1)
  }
}

extension BudgetPeriod {
  /// The rule of the periods' calendar.
  fileprivate func rule(_ firstWeekday: Int) -> BudgetCalendar.Rule {
    switch self {
    case .monthly(let resetDay): .month(resetDay: resetDay)
    case .weekly: .week(firstWeekday: firstWeekday)
    case .yearly: .year
    case .custom: .once
    case .weeks(let count, let anchor): .weeks(count, from: anchor)
    case .halfMonthly: .halfMonth
    case .months(let count, let anchor): .months(count, from: anchor)
    }
  }
}

extension Budget {
  /// The periods of the budget.
  ///
  /// - Parameter firstWeekday: The first day of the ledger's week, from 1 (Monday) to 7 (Sunday).
  public func calendar(firstWeekday: Int) -> BudgetCalendar {
    let lower = start ?? Day.min
    let upper = max(lower, end ?? Day.max.adding(days: 1))
    let days = lower..<upper
    if case .custom(let span) = period {
      return BudgetCalendar(rule: .once, span: span.clamped(to: days))
    }
    var parts: [BudgetCalendar.Part] = []
    var first = Day.min
    for earlier in earlierPeriods {
      parts.append(.init(first: first, rule: earlier.value.rule(firstWeekday)))
      first = earlier.until
    }
    parts.append(.init(first: first, rule: period.rule(firstWeekday)))
    return BudgetCalendar(parts: parts, span: days)
  }

  /// The amount of a period of the budget's calendar.
  ///
  /// This is ``amount(ofPeriodFrom:)``. If a change of the periods has shortened the period, and
  /// ``proratesShortPeriods`` is set, it is the share of that amount by days, rounded half to even.
  public func amount(of period: Range<Day>, in calendar: BudgetCalendar) -> Money {
    let whole = amount(ofPeriodFrom: period.lowerBound)
    let days = calendar.unshortened(period)
    guard proratesShortPeriods, days != period, !days.isEmpty else { return whole }
    let part = Int128(whole.minorUnits) * Int128(period.lowerBound.distance(to: period.upperBound))
    let units = part.dividedHalfToEven(by: Int128(days.lowerBound.distance(to: days.upperBound)))
    return Money(Int64(clamping: units), whole.currency)
  }

  /// The amount of the period that begins on a day.
  ///
  /// This is the amount of the last step on or before the day, or the budget's initial amount.
  ///
  /// - Complexity: O(log steps).
  public func amount(ofPeriodFrom day: Day) -> Money {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? amount : steps[low - 1].amount
  }

  /// Sets the amount of the periods that begin on or after a day; earlier periods keep their
  /// amount.
  ///
  /// - Parameter amount: The amount, in the budget's currency. Existing steps from `day` on are
  ///   removed.
  public mutating func setAmount(_ amount: Money, ofPeriodsFrom day: Day) {
    steps.removeAll { $0.day >= day }
    if self.amount(ofPeriodFrom: day) != amount {
      steps.append(BudgetStep(day: day, amount: amount))
    }
  }
}
