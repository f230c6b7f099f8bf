import DaybookBookkeeping

/// The recurrence rule of a scheduled transaction or budget.
struct GnuCashRecurrence {
  var line = 0
  var multiplier: Int64 = 1
  var period = ""
  var start: Day?
  var weekend = "none"

  /// The equivalent schedule in Daybook, or `nil` if there is none.
  var schedule: Schedule? {
    guard (1...Int64(Limits.scheduleCountMax)).contains(multiplier) else { return nil }
    let count = Int(multiplier)
    switch period {
    case "day": return Schedule(every: count, .day)
    case "week": return Schedule(every: count, .week)
    case "month": return Schedule(every: count, .month, monthEnd: isLastDay ? .lastDay : .clamp)
    case "end of month": return Schedule(every: count, .month, monthEnd: .lastDay)
    case "year": return Schedule(every: count, .year)
    default: return nil
    }
  }

  /// Whether the rule starts on the 31st, which always means the last day of the month.
  private var isLastDay: Bool { start?.day == 31 }

  /// Returns the first due date on or after a day.
  func first(from day: Day) -> Day? {
    guard let schedule, let start else { return nil }
    guard day > start else {
      var days = schedule.days(from: start)
      return days.next()
    }
    let step: Int
    switch schedule.unit {
    case .day, .week:
      let length = schedule.count * (schedule.unit == .week ? 7 : 1)
      let distance = Int(day.rawValue) - Int(start.rawValue)
      let due = start.adding(days: (distance + length - 1) / length * length)
      return due <= .max ? due : nil
    case .month: step = schedule.count
    case .year: step = schedule.count * 12
    }
    let months = Int(day.monthOf.rawValue) - Int(start.monthOf.rawValue)
    for steps in [months / step, months / step + 1] {
      let month = start.monthOf.adding(steps * step)
      guard month.year <= 9999 else { return nil }
      let due =
        schedule.monthEnd == .lastDay
        ? month.last : min(month.first.adding(days: start.day - 1), month.last)
      if due >= day { return due }
    }
    return nil
  }
}

extension GnuCashReader {
  private struct Found {
    var line = 0
    var name = ""
    var isEnabled = true
    var start: Day?
    var last: Day?
    var end: Day?
    var remaining: Int64?
    var template: UInt128?
    var recurrences: [GnuCashRecurrence] = []
  }

  mutating func readSchedule() throws(InterchangeError) {
    settle()
    var found = Found()
    found.line = line()
    while try xml.nextChild() {
      switch element {
      case .name: found.name = try readText()
      case .enabled: found.isEnabled = try readText() != "n"
      case .start: found.start = try readDay()
      case .last: found.last = try readDay()
      case .end: found.end = try readDay()
      case .remaining: found.remaining = try readNumber()?.numerator
      case .templateAccount: found.template = try readID()
      case .when:
        while try xml.nextChild() {
          if element == .recurrence {
            found.recurrences.append(try readRecurrence())
          } else {
            try xml.skip()
          }
        }
      default: try xml.skip()
      }
    }
    take(found)
  }

  /// Reads a recurrence element.
  mutating func readRecurrence() throws(InterchangeError) -> GnuCashRecurrence {
    var recurrence = GnuCashRecurrence()
    recurrence.line = line()
    while try xml.nextChild() {
      switch element {
      case .multiplier: recurrence.multiplier = try readNumber()?.numerator ?? 0
      case .period: recurrence.period = try readText()
      case .start: recurrence.start = try readDay()
      case .weekend: recurrence.weekend = try readText()
      default: try xml.skip()
      }
    }
    return recurrence
  }

  private mutating func take(_ found: Found) {
    let what = "The scheduled transaction “\(found.name)”"
    guard found.isEnabled else {
      return notice(found.line, "\(what) was skipped: it is disabled.")
    }
    guard !found.recurrences.isEmpty, !found.name.isEmpty else {
      return notice(found.line, "\(what) was skipped: it has no schedule.")
    }
    guard let entries = found.template.flatMap({ templates[$0] }), !entries.isEmpty else {
      return notice(found.line, "\(what) was skipped: it has no amounts.")
    }
    for recurrence in found.recurrences {
      guard let schedule = recurrence.schedule, let anchor = recurrence.start else {
        notice(
          recurrence.line,
          "\(what) was skipped: its interval of \(recurrence.multiplier) “\(recurrence.period)” "
            + "isn't supported."
        )
        continue
      }
      let after = found.last.map { $0.adding(days: 1) } ?? .min
      guard let start = recurrence.first(from: max(after, found.start ?? .min)),
        start.isInRange, found.end.map({ start <= $0 }) ?? true, found.remaining != 0
      else {
        notice(recurrence.line, "\(what) was skipped: it has ended.")
        continue
      }
      if recurrence.weekend != "none" {
        notice(recurrence.line, "\(what) was imported without its weekend rule.")
      }
      if schedule.monthEnd == .clamp, start.day < anchor.day, schedule.unit != .day,
        schedule.unit != .week
      {
        notice(
          recurrence.line,
          "\(what) is due on day \(anchor.day) of the month, but starts on \(start); it was "
            + "imported for day \(start.day)."
        )
      }
      let end = found.end ?? last(schedule, start, found.remaining)
      for entry in entries { take(entry, found.name, schedule, start, end) }
    }
  }

  /// Returns the last of the remaining due dates.
  private func last(_ schedule: Schedule, _ start: Day, _ remaining: Int64?) -> Day? {
    guard let remaining, (1...Limits.occurrenceCountMax).contains(remaining) else { return nil }
    var last: Day?
    var days = schedule.days(from: start)
    for _ in 0..<remaining {
      guard let day = days.next() else { break }
      last = day
    }
    return last
  }

  private mutating func take(
    _ entry: GnuCashEntry, _ name: String, _ schedule: Schedule, _ start: Day, _ end: Day?
  ) {
    let what = "The scheduled transaction “\(name)”"
    var currencies: Set<Currency> = []
    for split in entry.splits {
      guard let account = split.account else {
        return notice(entry.line, "\(what) was skipped: one of its accounts doesn't exist.")
      }
      guard split.value != nil else {
        return notice(
          entry.line, "\(what) was skipped: one of its amounts is a formula.")
      }
      if let currency = accounts.all[account].currency { currencies.insert(currency) }
    }
    guard currencies.count == 1 else {
      return notice(entry.line, "\(what) was skipped: it uses several currencies.")
    }
    do throws(GnuCashFault) {
      guard let template = try transaction(entry, day: start) else {
        return notice(entry.line, "\(what) was skipped: it moves no money.")
      }
      var own = name
      var copy = 2
      while !scheduleNames.insert(own).inserted {
        own = "\(name) (\(copy))"
        copy += 1
      }
      books.schedules.append(
        BookSchedule(
          line: entry.line, name: own, schedule: schedule, start: start, end: end,
          template: template))
    } catch {
      notice(error.line, "\(what) was skipped. \(error.reason)")
    }
  }
}
