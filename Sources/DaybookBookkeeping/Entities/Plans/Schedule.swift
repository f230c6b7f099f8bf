/// The unit of a schedule's interval.
public enum ScheduleUnit: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Intervals of days.
  case day = 0
  /// Intervals of weeks.
  case week = 1
  /// Intervals of calendar months, on the anchor's day of the month; see ``MonthEndPolicy``.
  case month = 2
  /// Intervals of years, on the anchor's day of the year; see ``MonthEndPolicy``.
  case year = 3
}

/// The due date of a monthly or yearly schedule in a month without the anchor's day.
public enum MonthEndPolicy: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The month's last day.
  case clamp = 0
  /// The first day of the next month.
  case nextDay = 1
  /// No due date in that month.
  case skip = 2
  /// The last day of every month, whatever the anchor's day.
  case lastDay = 3
}

/// The due dates of a recurring transaction: a fixed interval, counted from an anchor.
public struct Schedule: Hashable, Sendable {
  /// The unit of the interval.
  public var unit: ScheduleUnit
  /// The number of units between two due dates; a quarterly schedule has a count of three months.
  public var count: Int
  /// The due date in months without the anchor's day.
  public var monthEnd: MonthEndPolicy

  /// Creates a schedule with an interval of 1 to ``Limits/scheduleCountMax`` units.
  public init(every count: Int = 1, _ unit: ScheduleUnit, monthEnd: MonthEndPolicy = .clamp) {
    self.unit = unit
    self.count = count
    self.monthEnd = monthEnd
  }
}
