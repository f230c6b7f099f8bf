/// The periods of a budget: which of its days belong together, whatever it may spend on them.
///
/// A period is half-open. Periods follow each other without gaps; the first and the last are cut where
/// the budget begins and ends, and have the whole amount all the same.
public struct BudgetCalendar: Hashable, Sendable {
  /// How the days are cut into periods.
  public enum Rule: Hashable, Sendable {
    /// Months from a day of the month on, 1 to 31, or from the month's last day where it is shorter.
    case month(resetDay: Int)
    /// Weeks from a weekday on: 1 Monday … 7 Sunday.
    case week(firstWeekday: Int)
    /// Calendar years.
    case year
    /// All days are one period.
    case once
  }

  /// How the days are cut.
  public let rule: Rule
  /// The days that count; empty where the budget ends before it begins.
  public let span: Range<Day>

  /// Periods by their rule, and the days that count.
  public init(rule: Rule, span: Range<Day>) {
    self.rule = rule
    self.span = span
  }

  /// The period that a day is in, or `nil` where it doesn't count.
  ///
  /// - Complexity: O(1).
  public func period(containing day: Day) -> Range<Day>? {
    guard span.contains(day) else { return nil }
    return whole(around: day).clamped(to: span)
  }

  /// The period after another one, or `nil` after the last.
  public func period(after period: Range<Day>) -> Range<Day>? {
    self.period(containing: period.upperBound)
  }

  /// The period before another one, or `nil` before the first.
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
  /// A day of the month by its number: the first for numbers below 1, the last where the month is shorter.
  fileprivate func day(atMost number: Int) -> Day {
    let (year, month) = components
    return first.adding(days: max(1, min(number, Day.length(ofMonth: month, year: year))) - 1)
  }
}

extension Budget {
  /// Its periods.
  ///
  /// - Parameter firstWeekday: the ledger's first day of the week, 1 Monday … 7 Sunday.
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

  /// The amount of a period: that of the last step up to the period's first day, else
  /// the budget's first amount.
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

  /// Gives the periods that begin on a day or later another amount; those before keep theirs.
  ///
  /// - Parameter amount: in the budget's currency, for all these periods: steps from that day on go.
  public mutating func setAmount(_ amount: Money, ofPeriodsFrom day: Day) {
    steps.removeAll { $0.day >= day }
    if self.amount(ofPeriodFrom: day) != amount {
      steps.append(BudgetStep(day: day, amount: amount))
    }
  }
}
