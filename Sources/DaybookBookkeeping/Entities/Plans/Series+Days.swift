extension Series {
  /// All due dates of the series, including skipped and paused ones.
  ///
  /// There are at most `countMax` dates, none on or after `end`, and none after the first
  /// `Limits.occurrenceCountMax` intervals.
  ///
  /// - Complexity: O(1) per interval.
  public var scheduledDays: SeriesDays { SeriesDays(self, startingAt: anchor) }

  /// The due dates of the series from a day on; see ``scheduledDays``.
  ///
  /// - Complexity: O(1) per interval from the day on; for a series with a maximum number of
  ///   occurrences, from the anchor on.
  public func scheduledDays(from day: Day) -> SeriesDays { SeriesDays(self, startingAt: day) }

  /// Whether a day is one of ``scheduledDays``.
  ///
  /// - Complexity: O(1), or O(due dates up to the day) for a series with a maximum number of
  ///   occurrences.
  public func isScheduled(_ day: Day) -> Bool {
    var days = scheduledDays(from: day)
    return days.next() == day
  }

  /// The day of the transaction for a due date: the due date, or the business day that ``weekends``
  /// chooses.
  ///
  /// - Parameter holidays: The holidays of the ledger, ascending; see ``LedgerSettings/holidays``.
  /// - Complexity: O(log holidays) per day that isn't a business day.
  public func day(for due: Day, holidays: [Day]) -> Day {
    if weekends == .keep { return due }
    var day = due
    // There is no business day in reach if all days of a year are holidays.
    for _ in 0..<366 {
      if day.weekday < 6, !holidays.containsSorted(day) { return day.isInRange ? day : due }
      day = day.adding(days: weekends == .before ? -1 : 1)
    }
    return due
  }

  /// Whether no transaction is generated for a due date because it is skipped or falls in a pause.
  ///
  /// - Complexity: O(log spans).
  public func isSkipped(_ day: Day) -> Bool {
    if let pausedFrom, day >= pausedFrom { return true }
    var (low, high) = (0, skipped.count)
    while low < high {
      let middle = (low + high) / 2
      if skipped[middle].upperBound <= day { low = middle + 1 } else { high = middle }
    }
    return low < skipped.count && skipped[low].contains(day)
  }

  /// Adds days to ``skipped``.
  ///
  /// The spans stay ascending, don't overlap, and number at most `Limits.skippedCountMax`: if there
  /// are more, the oldest ones are combined.
  mutating func skip(_ days: Range<Day>) {
    if days.isEmpty { return }
    skipped = Series.united(skipped + [days])
  }

  /// Removes a day from ``skipped``.
  mutating func unskip(_ day: Day) {
    skipped = Series.united(
      skipped.flatMap { span -> [Range<Day>] in
        guard span.contains(day) else { return [span] }
        return [span.lowerBound..<day, day.adding(days: 1)..<span.upperBound]
      })
  }

  /// Sorts spans, combines those that touch or overlap, and removes empty ones.
  static func united(_ spans: [Range<Day>]) -> [Range<Day>] {
    var united: [Range<Day>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where !span.isEmpty {
      if let last = united.last, span.lowerBound <= last.upperBound {
        united[united.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        united.append(span)
      }
    }
    let excess = united.count - Limits.skippedCountMax
    guard excess > 0, let first = united.first else { return united }
    united.replaceSubrange(0...excess, with: [first.lowerBound..<united[excess].upperBound])
    return united
  }
}

/// The due dates of a series, ascending; see ``Series/scheduledDays``.
public struct SeriesDays: Sequence, IteratorProtocol, Sendable {
  private var days: ScheduleDays
  private let first: Day
  private let end: Day
  private var left: Int64

  init(_ series: Series, startingAt first: Day) {
    let schedule = series.schedule
    let last = schedule.start(ofInterval: Int(Limits.occurrenceCountMax), from: series.anchor)
    let isCounted = series.countMax > 0
    // Occurrences can only be counted from the first.
    days = schedule.days(
      from: series.anchor, startingAt: isCounted ? series.anchor : first)
    end = Swift.min(series.end ?? Day(rawValue: .max), last ?? Day(rawValue: .max))
    left = isCounted ? series.countMax : .max
    self.first = first
  }

  /// The next due date, or `nil` after the last.
  public mutating func next() -> Day? {
    while left > 0, let day = days.next(), day < end {
      left -= 1
      if day >= first { return day }
    }
    return nil
  }
}

extension [Day] {
  /// Whether ascending days contain a day.
  fileprivate func containsSorted(_ day: Day) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == day
  }
}
