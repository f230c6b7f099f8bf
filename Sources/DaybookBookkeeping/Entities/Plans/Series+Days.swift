extension Series {
  /// All due dates of the series, including skipped and paused ones.
  ///
  /// There are at most `countMax` dates, none on or after `end`, and never more than
  /// `Limits.occurrenceCountMax`.
  ///
  /// - Complexity: O(1) per day.
  public var scheduledDays: SeriesDays { SeriesDays(self) }

  /// Whether a day is one of ``scheduledDays``.
  ///
  /// - Complexity: O(due dates up to the day).
  public func isScheduled(_ day: Day) -> Bool {
    for due in scheduledDays where due >= day { return due == day }
    return false
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
  private let end: Day
  private var left: Int64

  init(_ series: Series) {
    days = series.schedule.days(from: series.anchor)
    end = series.end ?? Day(rawValue: .max)
    let countMax = series.countMax > 0 ? series.countMax : Limits.occurrenceCountMax
    left = Swift.min(countMax, Limits.occurrenceCountMax)
  }

  /// The next due date, or `nil` after the last.
  public mutating func next() -> Day? {
    guard left > 0, let day = days.next(), day < end else { return nil }
    left -= 1
    return day
  }
}
