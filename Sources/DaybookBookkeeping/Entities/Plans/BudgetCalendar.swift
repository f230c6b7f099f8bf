/// The periods of a budget, independent of its amounts.
///
/// A period is half-open. Periods follow each other without gaps. The first and last periods are
/// cut off at the budget's start and end, but have the full amount.
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
  }

  /// The rule that divides days into periods.
  public let rule: Rule
  /// The days of the budget; empty if the budget ends before it starts.
  public let span: Range<Day>

  /// Creates a calendar from a rule and the days of the budget.
  public init(rule: Rule, span: Range<Day>) {
    self.rule = rule
    self.span = span
  }

  /// The period that contains a day, or `nil` if the day is outside the budget.
  ///
  /// - Complexity: O(1).
  public func period(containing day: Day) -> Range<Day>? {
    guard span.contains(day) else { return nil }
    return whole(around: day).clamped(to: span)
  }

  /// The period after a given period, or `nil` if the given period is the last.
  public func period(after period: Range<Day>) -> Range<Day>? {
    self.period(containing: period.upperBound)
  }

  /// The period before a given period, or `nil` if the given period is the first.
  public func period(before period: Range<Day>) -> Range<Day>? {
    self.period(containing: period.lowerBound.adding(days: -1))
  }

  private func whole(around day: Day) -> Range<Day> {
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
    }
  }
}

extension Month {
  /// A day of the month by its number, clamped to the month.
  fileprivate func day(atMost number: Int) -> Day {
    let (year, month) = components
    return first.adding(days: max(1, min(number, Day.length(ofMonth: month, year: year))) - 1)
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
    return switch period {
    case .monthly(let resetDay):
      BudgetCalendar(rule: .month(resetDay: resetDay), span: days)
    case .weekly: BudgetCalendar(rule: .week(firstWeekday: firstWeekday), span: days)
    case .yearly: BudgetCalendar(rule: .year, span: days)
    case .custom(let span): BudgetCalendar(rule: .once, span: span.clamped(to: days))
    }
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
