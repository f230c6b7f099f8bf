/// Goal: reimplement due dates and skipped dates. Method: examine each day independently.
package import Daybook

extension Oracle {
  /// Returns the due dates up to a day, examining each day independently.
  package func dueDays(of series: Series, through last: Day) -> [Day] {
    if hasParts(series.schedule) { return ruleDays(of: series, through: last) }
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

  private func hasParts(_ schedule: Schedule) -> Bool {
    let numbers = [schedule.monthDays, schedule.months, schedule.positions]
    return numbers.contains { !$0.isEmpty } || !schedule.weekdays.isEmpty
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

  /// Returns the day of the transaction for a due date.
  func day(of due: Day, _ series: Series) -> Day {
    let step = [WeekendPolicy.before: -1, .after: 1][series.weekends] ?? 0
    var day = due
    while step != 0, day.weekday > 5 || settings?.holidays.contains(day) ?? false {
      day = day.adding(days: step)
    }
    return day
  }

  /// Returns the due dates of a schedule with parts: examines each day of each interval.
  private func ruleDays(of series: Series, through last: Day) -> [Day] {
    let schedule = series.schedule
    var found: [Day] = []
    var start = series.anchor
    switch schedule.unit {
    case .day: break
    case .week: while start.weekday != schedule.weekStart { start = start.adding(days: -1) }
    case .month: start = start.monthOf.first
    case .year: start = Month(year: start.year, month: 1).first
    }
    for _ in 0..<Limits.occurrenceCountMax {
      if start > last { break }
      let next: Day
      switch schedule.unit {
      case .day: next = start.adding(days: schedule.count)
      case .week: next = start.adding(days: 7 * schedule.count)
      case .month: next = start.adding(months: schedule.count)
      case .year: next = start.adding(months: 12 * schedule.count)
      }
      for day in ruleDays(in: start, series) {
        if day > last || day < series.anchor || found.last.map({ day <= $0 }) ?? false { continue }
        if let end = series.end, day >= end { return found }
        if series.countMax > 0, found.count == Int(series.countMax) { return found }
        found.append(day)
      }
      start = next
    }
    return found
  }

  /// Returns the due dates of the interval that starts on a day.
  private func ruleDays(in start: Day, _ series: Series) -> [Day] {
    let schedule = series.schedule
    let isMonthly = schedule.unit == .month || schedule.unit == .year
    let isNamed = !schedule.monthDays.isEmpty || !schedule.weekdays.isEmpty
    // The days of the interval, and with the month's end in view, those that its months don't have.
    var days: Set<Day> = []
    var day = start
    let length = [1, 7, 31, 366][Int(schedule.unit.rawValue)]
    for _ in 0..<length {
      let isInside =
        switch schedule.unit {
        case .day, .week: true
        case .month: day.monthOf == start.monthOf
        case .year: day.year == start.year
        }
      if isInside, schedule.months.isEmpty || schedule.months.contains(day.month) {
        let monthLength = day.monthOf.last.day
        var numbers = schedule.monthDays
        if !isNamed, isMonthly {
          numbers = [series.anchor.day]
          if schedule.unit == .year, schedule.months.isEmpty, day.month != series.anchor.month {
            numbers = [99]
          }
        }
        var weekdays = schedule.weekdays
        if !isNamed, schedule.unit == .week {
          weekdays = [ScheduleWeekday(series.anchor.weekday)]
        }
        let fits = { (day: Day) in
          weekdays.isEmpty || weekdays.contains { isOn(day, $0, schedule) }
        }
        let isNumber =
          numbers.isEmpty || numbers.contains(day.day)
          || numbers.contains(day.day - monthLength - 1)
        if isNumber, fits(day) { days.insert(day) }
        let isBeyond = numbers.contains { $0 > monthLength && $0 < 32 }
        if isMonthly, day.day == monthLength, isBeyond {
          let tomorrow = day.adding(days: 1)
          if schedule.monthEnd == .clamp, fits(day) { days.insert(day) }
          if schedule.monthEnd == .nextDay, fits(tomorrow) { days.insert(tomorrow) }
        }
      }
      day = day.adding(days: 1)
    }
    let all = days.sorted()
    if schedule.positions.isEmpty { return all }
    return all.enumerated().filter { index, _ in
      schedule.positions.contains(index + 1) || schedule.positions.contains(index - all.count)
    }.map(\.element)
  }

  /// Whether a day is a weekday of a schedule, counting the weekdays of its month or year.
  private func isOn(_ day: Day, _ wanted: ScheduleWeekday, _ schedule: Schedule) -> Bool {
    guard day.weekday == wanted.weekday else { return false }
    if wanted.ordinal == 0 { return true }
    let isYearly = schedule.unit == .year && schedule.months.isEmpty
    var (count, other) = (0, day)
    while isYearly ? other.year == day.year : other.monthOf == day.monthOf {
      count += 1
      other = other.adding(days: wanted.ordinal > 0 ? -7 : 7)
    }
    return count == abs(wanted.ordinal)
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
