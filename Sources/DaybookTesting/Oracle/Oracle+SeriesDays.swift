/// Goal: reimplement due dates and skipped dates. Method: examine each day independently.
package import Daybook

extension Oracle {
  /// Returns the due dates up to a day, examining each day independently.
  package func dueDays(of series: Series, through last: Day) -> [Day] {
    var found: [Day] = []
    var day = series.anchor
    while day <= last {
      if let end = series.end, day >= end { break }
      if found.count == Int(Limits.occurrenceCountMax) { break }
      if series.countMax > 0, found.count == Int(series.countMax) { break }
      if isDue(day, series) { found.append(day) }
      day = day.adding(days: 1)
    }
    return found
  }

  private func isDue(_ day: Day, _ series: Series) -> Bool {
    let schedule = series.schedule
    let distance = series.anchor.distance(to: day)
    switch schedule.unit {
    case .day: return distance % schedule.count == 0
    case .week: return distance % (7 * schedule.count) == 0
    case .month, .year:
      let wanted = series.anchor.day
      let isTurn = { (month: Month) -> Bool in
        let months = series.anchor.monthOf.distance(to: month)
        return months >= 0
          && months % (schedule.unit == .year ? 12 * schedule.count : schedule.count) == 0
      }
      let last = day.monthOf.last.day
      if day.day == 1, schedule.monthEnd == .nextDay, isTurn(day.monthOf.adding(-1)),
        day.monthOf.adding(-1).last.day < wanted
      {
        return true
      }
      guard isTurn(day.monthOf) else { return false }
      switch schedule.monthEnd {
      case .lastDay: return day.day == last
      case .clamp: return day.day == min(wanted, last)
      case .nextDay, .skip: return day.day == wanted
      }
    }
  }

  /// Merges spans by enumerating their days.
  func skippedSpans(_ spans: [Range<Day>]) -> [Range<Day>] {
    let days = Set(spans.flatMap { Array($0) }).sorted()
    var found: [Range<Day>] = []
    for day in days {
      if let last = found.last, last.upperBound == day {
        found[found.count - 1] = last.lowerBound..<day.adding(days: 1)
      } else {
        found.append(day..<day.adding(days: 1))
      }
    }
    return found
  }

  func isSkipped(_ day: Day, _ series: Series) -> Bool {
    series.skipped.contains { $0.contains(day) } || series.pausedFrom.map { $0 <= day } ?? false
      || !skipped.isEmpty && skipped.contains(TransactionID(of: series, due: day))
  }
}
