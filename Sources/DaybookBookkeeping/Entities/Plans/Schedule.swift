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

/// The day of a transaction whose due date is a Saturday, a Sunday or a holiday of the ledger.
public enum WeekendPolicy: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// The due date itself.
  case keep = 0
  /// The last business day before.
  case before = 1
  /// The first business day after.
  case after = 2
}

/// A day of the week on which a schedule is due, such as every Monday or the last Friday.
public struct ScheduleWeekday: Hashable, Sendable {
  /// The day of the week, from 1 (Monday) to 7 (Sunday).
  public var weekday: Int
  /// The position in the month, or in the year if a yearly schedule names no months: 1 is the
  /// first, -1 the last, and 0 stands for all.
  public var ordinal: Int

  /// Creates a day of the week; without a position, all of them.
  public init(_ weekday: Int, ordinal: Int = 0) {
    self.weekday = weekday
    self.ordinal = ordinal
  }
}

/// The due dates of a recurring transaction: intervals counted from an anchor, with one or more
/// days in each.
///
/// Without ``monthDays`` and ``weekdays``, the day is the anchor's. All other parts have the meaning
/// of the same parts in a recurrence rule of RFC 5545; see ``RecurrenceRule``.
public struct Schedule: Hashable, Sendable {
  /// The unit of the interval.
  public var unit: ScheduleUnit
  /// The number of units in an interval; a quarterly schedule has a count of three months.
  public var count: Int
  /// The due date in months without the anchor's day, or without a day of ``monthDays``.
  public var monthEnd: MonthEndPolicy
  /// The days of the month, from 1 to 31; -1 is the last day, -2 the one before.
  public var monthDays: [Int] = []
  /// The days of the week.
  ///
  /// Together with ``monthDays``, a day must be one of both.
  public var weekdays: [ScheduleWeekday] = []
  /// The months, from 1 to 12; empty for all months, or for the anchor's month in a yearly schedule
  /// that names no days.
  public var months: [Int] = []
  /// The days to keep of those in each interval: 1 is the first, -1 the last; empty for all.
  public var positions: [Int] = []
  /// The first day of the weeks that a weekly schedule counts, from 1 (Monday) to 7 (Sunday).
  public var weekStart = 1

  /// Creates a schedule with an interval of 1 to ``Limits/scheduleCountMax`` units.
  public init(every count: Int = 1, _ unit: ScheduleUnit, monthEnd: MonthEndPolicy = .clamp) {
    self.unit = unit
    self.count = count
    self.monthEnd = monthEnd
  }
}

extension Schedule {
  /// Whether the schedule has more than an interval, so that an interval can have several due
  /// dates.
  public var hasParts: Bool {
    !monthDays.isEmpty || !weekdays.isEmpty || !months.isEmpty || !positions.isEmpty
      || weekStart != 1
  }

  /// Gives a schedule with parts the one form that every equal schedule has.
  mutating func normalize() {
    monthDays = Array(Set(monthDays)).sorted()
    months = Array(Set(months)).sorted()
    positions = Array(Set(positions)).sorted()
    weekdays = Array(Set(weekdays)).sorted {
      ($0.ordinal, $0.weekday) < ($1.ordinal, $1.weekday)
    }
    if unit != .week || weekdays.isEmpty || count == 1 && positions.isEmpty { weekStart = 1 }
    guard hasParts else { return }
    let isMonthly = unit == .month || unit == .year
    if monthEnd == .lastDay, isMonthly, monthDays.isEmpty, weekdays.isEmpty { monthDays = [-1] }
    let isNamed = !monthDays.isEmpty || !weekdays.isEmpty
    if !isMonthly || isNamed && monthDays.max() ?? 0 <= 28 { monthEnd = .clamp }
    if unit == .month, monthDays == [-1], weekdays.isEmpty, months.isEmpty, positions.isEmpty {
      (monthDays, monthEnd) = ([], .lastDay)
    }
  }

  /// The part of the schedule that is invalid, as the end of a sentence, or `nil`.
  var fault: String? {
    guard (1...Limits.scheduleCountMax).contains(count) else {
      return "can't recur every \(count); give 1 to \(Limits.scheduleCountMax)"
    }
    if let day = monthDays.first(where: { !(1...31).contains(abs($0)) }) {
      return "can't be due on day \(day) of a month; give 1 to 31, or -1 for the last day"
    }
    if let month = months.first(where: { !(1...12).contains($0) }) {
      return "can't be due in month \(month); give 1 to 12"
    }
    if let weekday = weekdays.first(where: { !(1...7).contains($0.weekday) })?.weekday {
      return "can't be due on weekday \(weekday); give 1 (Monday) to 7 (Sunday)"
    }
    guard (1...7).contains(weekStart) else {
      return "can't have weeks from weekday \(weekStart); give 1 (Monday) to 7 (Sunday)"
    }
    if let position = positions.first(where: { !(1...366).contains(abs($0)) }) {
      return "can't keep day number \(position) of an interval; give 1 to 366, or -1 for the last"
    }
    let isLong = unit == .month || unit == .year
    guard isLong || weekdays.allSatisfy({ $0.ordinal == 0 }) else {
      return "can't be due on the first, last or another single weekday of a \(unit); "
        + "count months or years"
    }
    let ordinalMax = unit == .year && months.isEmpty ? 53 : 5
    if let one = weekdays.first(where: { !(-ordinalMax...ordinalMax).contains($0.ordinal) }) {
      return "can't be due on weekday number \(one.ordinal); give 1 to \(ordinalMax), "
        + "or -1 for the last"
    }
    guard unit != .week || monthDays.isEmpty else {
      return "can't be due on days of the month every week; count months, or name weekdays"
    }
    guard monthEnd != .lastDay || monthDays.isEmpty && weekdays.isEmpty else {
      return "can't be due on the last day of the month and on other days; "
        + "add -1 to the days of the month"
    }
    guard positions.isEmpty || !monthDays.isEmpty || !weekdays.isEmpty || !months.isEmpty else {
      return "can't keep some days of an interval that names no days; name days or months"
    }
    return nil
  }
}
