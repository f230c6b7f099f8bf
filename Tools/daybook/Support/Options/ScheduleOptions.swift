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

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The interval: day, week, month, quarter or year, or several, as in --every 2 weeks.",
      valueName: "interval"))
  var every: [String] = []

  @Option(help: "The due date in months without that day.")
  var monthEnd: MonthEnd?

  func validate() throws { _ = try schedule(from: Schedule(.month)) }

  /// Returns the schedule `old` with the given options applied.
  func schedule(from old: Schedule) throws -> Schedule {
    var schedule = old
    if !every.isEmpty { (schedule.count, schedule.unit) = try interval() }
    if let monthEnd { schedule.monthEnd = monthEnd.policy }
    return schedule
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
