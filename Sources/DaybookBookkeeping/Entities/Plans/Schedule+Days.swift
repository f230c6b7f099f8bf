extension Schedule {
  /// The due dates from an anchor on, ascending, up to `Day.max`.
  ///
  /// Interval n, counted from 0, starts n × `count` units after the anchor's. It is always counted
  /// from the anchor, never from the previous due date, so a short month doesn't shift later dates.
  /// If a month doesn't have a wanted day, `monthEnd` determines the date.
  ///
  /// - Parameter first: The first day of interest; earlier due dates are left out without being
  ///   computed.
  /// - Complexity: O(1) per interval.
  public func days(from anchor: Day, startingAt first: Day? = nil) -> ScheduleDays {
    ScheduleDays(self, from: anchor, startingAt: first ?? anchor)
  }

  /// Returns the first day of an interval, or `nil` after `Day.max`.
  ///
  /// Without parts, an interval of days or weeks starts on the due date.
  func start(ofInterval index: Int, from anchor: Day) -> Day? {
    let (steps, overflow) = index.multipliedReportingOverflow(by: count)
    guard !overflow, steps < 5_000_000 else { return nil }
    let start =
      switch unit {
      case .day: anchor.adding(days: steps)
      case .week:
        (hasParts ? anchor.startOfWeek(from: weekStart) : anchor).adding(days: steps * 7)
      case .month: anchor.monthOf.adding(steps).first
      case .year: Month(year: anchor.year + steps, month: 1).first
      }
    return start <= .max ? start : nil
  }

  /// Returns the number of an interval that starts before a day and contains no later due date
  /// before that day than the next one does.
  fileprivate func interval(before day: Day, from anchor: Day) -> Int {
    guard day > anchor, count > 0 else { return 0 }
    let units =
      switch unit {
      case .day: anchor.distance(to: day)
      case .week: anchor.distance(to: day) / 7
      case .month: anchor.monthOf.distance(to: day.monthOf)
      case .year: day.year - anchor.year
      }
    // The due date of a short month can be in the next one.
    return max(0, units / count - 1)
  }

  /// The number of intervals in a row without due dates after which there never are any, because
  /// the calendar repeats after 400 years.
  fileprivate var emptyCountMax: Int {
    switch unit {
    case .day: 146_097
    case .week: 20_871
    case .month: 4_800
    case .year: 400
    }
  }

  /// Returns the due dates in the interval that starts on a day, ascending.
  fileprivate func days(in start: Day, from anchor: Day) -> [Day] {
    var days: [Day]
    switch unit {
    case .day: days = isWanted(start) ? [start] : []
    case .week:
      days = (0..<7).map { start.adding(days: $0) }.filter { day in
        weekdays.isEmpty
          ? day.weekday == anchor.weekday && isInMonths(day) : isWanted(day)
      }
    case .month: days = self.days(in: start.monthOf, from: anchor)
    case .year:
      let isWhole = months.isEmpty && monthDays.isEmpty && weekdays.isEmpty
      days = (isWhole ? [anchor.month] : months.isEmpty ? Array(1...12) : months).flatMap {
        self.days(in: Month(year: start.year, month: $0), from: anchor)
      }
    }
    if positions.isEmpty { return days }
    days = Array(Set(days)).sorted()
    return positions.compactMap { position in
      let index = position > 0 ? position - 1 : days.count + position
      return days.indices.contains(index) ? days[index] : nil
    }.sorted()
  }

  private func days(in month: Month, from anchor: Day) -> [Day] {
    guard months.isEmpty || months.contains(month.month) else { return [] }
    let last = month.last
    if monthDays.isEmpty {
      if weekdays.isEmpty { return monthEnd.day(like: anchor.day, in: month).map { [$0] } ?? [] }
      return month.days.filter { isOnWeekdays($0, in: month) }
    }
    let days = monthDays.compactMap { number in
      number > 0
        ? monthEnd.day(like: number, in: month)
        : last.day + number >= 0 ? last.adding(days: number + 1) : nil
    }
    return Set(days).filter { weekdays.isEmpty || isOnWeekdays($0, in: $0.monthOf) }.sorted()
  }

  /// Whether a day matches all parts of a schedule that counts days or weeks.
  private func isWanted(_ day: Day) -> Bool {
    isInMonths(day) && (weekdays.isEmpty || weekdays.contains { $0.weekday == day.weekday })
      && (monthDays.isEmpty
        || monthDays.contains { $0 == ($0 > 0 ? day.day : day.day - day.monthOf.last.day - 1) })
  }

  private func isInMonths(_ day: Day) -> Bool { months.isEmpty || months.contains(day.month) }

  private func isOnWeekdays(_ day: Day, in month: Month) -> Bool {
    weekdays.contains { wanted in
      guard wanted.weekday == day.weekday else { return false }
      if wanted.ordinal == 0 { return true }
      let span =
        unit == .year && months.isEmpty
        ? Month(year: day.year, month: 1).first..<Month(year: day.year + 1, month: 1).first
        : month.days
      return wanted.ordinal > 0
        ? span.lowerBound.distance(to: day) / 7 == wanted.ordinal - 1
        : day.distance(to: span.upperBound.adding(days: -1)) / 7 == -wanted.ordinal - 1
    }
  }
}

/// The due dates of a schedule, ascending; see ``Schedule/days(from:startingAt:)``.
public struct ScheduleDays: Sequence, IteratorProtocol, Sendable {
  private let schedule: Schedule
  private let anchor: Day
  private let hasParts: Bool
  /// The first day that can be returned next.
  private var first: Day
  /// The next interval.
  private var index: Int
  /// The due dates of the current interval, the next one last.
  private var found: [Day] = []

  init(_ schedule: Schedule, from anchor: Day, startingAt first: Day) {
    self.schedule = schedule
    self.anchor = anchor
    self.first = Swift.max(anchor, first)
    hasParts = schedule.hasParts
    index = schedule.interval(before: first, from: anchor)
  }

  /// The next due date, or `nil` after `Day.max`.
  public mutating func next() -> Day? {
    guard schedule.count > 0 else { return nil }
    var emptyCount = 0
    while emptyCount <= schedule.emptyCountMax {
      if let day = found.popLast() {
        guard day >= first else { continue }
        guard day <= .max else { return nil }
        first = day.adding(days: 1)
        return day
      }
      guard let start = schedule.start(ofInterval: index, from: anchor) else { return nil }
      index += 1
      emptyCount += 1
      if hasParts {
        found = schedule.days(in: start, from: anchor).reversed()
      } else if let day = onlyDay(start) {
        found.append(day)
      }
    }
    return nil
  }

  /// Returns the only due date in the interval that starts on a day.
  private func onlyDay(_ start: Day) -> Day? {
    switch schedule.unit {
    case .day, .week: start
    case .month: schedule.monthEnd.day(like: anchor.day, in: start.monthOf)
    case .year:
      schedule.monthEnd.day(
        like: anchor.day, in: Month(year: start.year, month: anchor.month))
    }
  }
}

extension MonthEndPolicy {
  /// The day in a month that the policy chooses for the day number `wanted`, or `nil` for none.
  fileprivate func day(like wanted: Int, in month: Month) -> Day? {
    let last = month.last
    if self == .lastDay { return last }
    if wanted <= last.day { return month.first.adding(days: wanted - 1) }
    return switch self {
    case .clamp, .lastDay: last
    case .nextDay: last.adding(days: 1)
    case .skip: nil
    }
  }
}
