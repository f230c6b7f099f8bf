extension Schedule {
  /// The due dates from an anchor on, ascending, up to `Day.max`.
  ///
  /// Date n, counted from 0, is n × `count` units after the anchor. It is always counted from the
  /// anchor, never from the previous due date, so a short month doesn't shift later dates. If a
  /// month has no day with the anchor's number, `monthEnd` determines the date.
  ///
  /// - Complexity: O(1) per day.
  public func days(from anchor: Day) -> ScheduleDays { ScheduleDays(self, from: anchor) }
}

/// The due dates of a schedule, ascending; see ``Schedule/days(from:)``.
public struct ScheduleDays: Sequence, IteratorProtocol, Sendable {
  private let schedule: Schedule
  private let anchor: Day
  private var index = 0

  init(_ schedule: Schedule, from anchor: Day) {
    self.schedule = schedule
    self.anchor = anchor
  }

  /// The next due date, or `nil` after `Day.max`.
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
