/// The unit in which a series steps.
public enum ScheduleUnit: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Steps of days.
  case day = 0
  /// Steps of seven days.
  case week = 1
  /// Steps of calendar months, on the anchor's day of the month; see ``MonthEndPolicy``.
  case month = 2
  /// Steps of twelve months, on the anchor's day of the year; see ``MonthEndPolicy``.
  case year = 3
}

/// What a monthly or yearly series does where the anchor's day does not exist.
public enum MonthEndPolicy: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The month's last day.
  case clamp = 0
  /// The first day of the next month.
  case nextDay = 1
  /// Nothing in that month.
  case skip = 2
  /// Always the month's last day, whatever the anchor's.
  case lastDay = 3
}

/// When a series is due: every so many units from its anchor.
public struct Schedule: Hashable, Sendable {
  /// What is counted between two due days.
  public var unit: ScheduleUnit
  /// How many units lie between two due days; quarterly is three months.
  public var count: Int
  /// What happens at the ends of months.
  public var monthEnd: MonthEndPolicy

  /// Every so many units, 1 to ``Limits/scheduleCountMax``; quarterly is every three months.
  public init(every count: Int = 1, _ unit: ScheduleUnit, monthEnd: MonthEndPolicy = .clamp) {
    self.unit = unit
    self.count = count
    self.monthEnd = monthEnd
  }
}
