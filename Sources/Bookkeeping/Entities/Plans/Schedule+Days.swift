extension Schedule {
  /// The due days that follow from an anchor, ascending, up to `Day.max`.
  ///
  /// The n-th, counted from 0, lies n × `count` units after the anchor: it is always counted from
  /// the anchor, never from the due day before it, so that a short month does not shorten those
  /// after it. In months and years, where the month has no day like the anchor's, `monthEnd` says
  /// what happens.
  ///
  /// - Complexity: O(1) for each day.
  public func days(from anchor: Day) -> ScheduleDays { ScheduleDays(self, from: anchor) }
}

/// The due days of a schedule, ascending; see ``Schedule/days(from:)``.
public struct ScheduleDays: Sequence, IteratorProtocol, Sendable {
  private let schedule: Schedule
  private let anchor: Day
  private var index = 0

  init(_ schedule: Schedule, from anchor: Day) {
    self.schedule = schedule
    self.anchor = anchor
  }

  /// The next due day, or `nil` after `Day.max`.
  public mutating func next() -> Day? {
    guard schedule.count > 0 else { return nil }
    while true {
      let steps = index.multipliedReportingOverflow(by: schedule.count)
      guard !steps.overflow else { return nil }
      index += 1
      switch schedule.unit {
      case .day: return checked(anchor.adding(days: steps.partialValue))
      case .week:
        let days = steps.partialValue.multipliedReportingOverflow(by: 7)
        return days.overflow ? nil : checked(anchor.adding(days: days.partialValue))
      case .month, .year:
        let months = steps.partialValue.multipliedReportingOverflow(
          by: schedule.unit == .year ? 12 : 1)
        guard !months.overflow else { return nil }
        let month = anchor.monthOf.adding(months.partialValue)
        guard month.year <= 9999 else { return nil }
        if let day = schedule.monthEnd.day(like: anchor.day, in: month) { return checked(day) }
      }
    }
  }

  private func checked(_ day: Day) -> Day? { day <= .max ? day : nil }
}

extension MonthEndPolicy {
  /// The day of a month that stands for the day number `wanted`, or `nil` for none.
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
