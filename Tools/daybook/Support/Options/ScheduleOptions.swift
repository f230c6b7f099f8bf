import ArgumentParser
import Daybook

/// The options for a recurring transaction's schedule.
struct ScheduleOptions: ParsableArguments {
  /// The due date in months without the schedule's day.
  enum MonthEnd: String, ExpressibleByArgument, CaseIterable {
    case clamp, skip
    case nextDay = "next-day"
    case lastDay = "last-day"

    var policy: MonthEndPolicy {
      switch self {
      case .clamp: .clamp
      case .nextDay: .nextDay
      case .skip: .skip
      case .lastDay: .lastDay
      }
    }
  }

  /// The day of transactions due on weekends and holidays.
  enum Weekends: String, ExpressibleByArgument, CaseIterable {
    case keep, before, after

    var policy: WeekendPolicy {
      switch self {
      case .keep: .keep
      case .before: .before
      case .after: .after
      }
    }
  }

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The interval: day, week, month, quarter or year, or several, as in --every 2 weeks.",
      valueName: "interval"))
  var every: [String] = []

  @Option(
    help: ArgumentHelp(
      "The days: 1,15 or 15,last or \"last friday\" or monday,thursday (default: the day of the "
        + "first due date).", valueName: "days"))
  var on: String?

  @Option(
    help: ArgumentHelp(
      "The schedule as a recurrence rule of RFC 5545, such as FREQ=MONTHLY;BYDAY=-1FR.",
      valueName: "rule"))
  var rrule: String?

  @Option(help: "The due date in months without that day.")
  var monthEnd: MonthEnd?

  @Option(
    help: ArgumentHelp(
      "For due dates on weekends and holidays, use the business day before or after, or keep "
        + "them."))
  var weekends: Weekends?

  /// Whether no option was given.
  var isEmpty: Bool {
    every.isEmpty && on == nil && rrule == nil && monthEnd == nil && weekends == nil
  }

  func validate() throws { _ = try rule(from: Schedule(.month)) }

  /// Returns the schedule `old` with the given options applied, and the end that `--rrule` states.
  func rule(from old: Schedule) throws -> RecurrenceRule {
    if let rrule {
      guard every.isEmpty, on == nil, monthEnd == nil else {
        throw ValidationError("Use either --rrule or --every, --on and --month-end, not both.")
      }
      do { return try RecurrenceRule(rrule) } catch { throw ValidationError("\(error)".asSentence) }
    }
    var schedule = old
    if !every.isEmpty {
      let (count, unit) = try interval()
      // The days of another unit would have another meaning.
      if unit != old.unit { schedule = Schedule(unit, monthEnd: old.monthEnd) }
      schedule.count = count
    }
    if let on {
      do { try schedule.setDays(on) } catch { throw ValidationError("\(error)".asSentence) }
      if schedule.monthEnd == .lastDay { schedule.monthEnd = .clamp }
      let isWeekly =
        schedule.positions.isEmpty && schedule.monthDays.isEmpty
        && schedule.weekdays.allSatisfy { $0.ordinal == 0 }
      if every.isEmpty, isWeekly { schedule.unit = .week }
    }
    if let monthEnd { schedule.monthEnd = monthEnd.policy }
    return RecurrenceRule(schedule)
  }

  private func interval() throws -> (Int, ScheduleUnit) {
    // The interval can be a single quoted argument.
    let words = every.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
    let number = words.count == 2 ? Int(words[0]) : 1
    guard let number, number > 0, let word = words.last, words.count <= 2 else {
      throw ValidationError("--every must be an interval such as month or 2 weeks.")
    }
    let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
    let units: [String: (ScheduleUnit, Int)] = [
      "day": (.day, 1), "week": (.week, 1), "month": (.month, 1), "quarter": (.month, 3),
      "year": (.year, 1),
    ]
    guard let (unit, factor) = units[singular.lowercased()] else {
      throw ValidationError(
        "“\(word)” isn't an interval. Use days, weeks, months, quarters or years.")
    }
    let (count, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else { throw ValidationError("\(number) \(word) is too long an interval.") }
    return (count, unit)
  }
}
