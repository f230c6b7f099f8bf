import ArgumentParser
import Daybook

/// The length of a budget's periods on the command line, such as `month` or `2 weeks`.
enum BudgetPeriodLength: ExpressibleByArgument, Equatable {
  case once, halfMonth
  case weeks(Int)
  case months(Int)

  static let allValueStrings = ["week", "half-month", "month", "quarter", "year", "once"]

  init?(argument: String) {
    // A number can be joined to its unit, as in `2-weeks`.
    let isJoined = argument.first?.isNumber == true
    let words = argument.lowercased()
      .split { $0.isWhitespace || isJoined && $0 == "-" }.map(String.init)
    let number = words.count == 2 ? Int(words[0]) ?? 0 : 1
    let word = words.last ?? ""
    let factors = ["month": 1, "quarter": 3, "year": 12]
    switch words.count == 2 && word.hasSuffix("s") ? String(word.dropLast()) : word {
    case _ where !(1...2).contains(words.count) || !(1...9999).contains(number):
      Self.complain(argument)
      return nil
    case "once" where words.count == 1: self = .once
    case "half-month" where number == 1: self = .halfMonth
    case "week": self = .weeks(number)
    case let unit:
      guard let factor = factors[unit] else {
        Self.complain(argument)
        return nil
      }
      self = .months(number * factor)
    }
  }

  private static func complain(_ argument: String) {
    ArgumentComplaints.note(
      argument,
      ArgumentComplaint(
        reason: "it isn't a period of a budget",
        remedy: "Use week, half-month, month, quarter, year or once, or several weeks, months, "
          + "quarters or years, such as \"2 weeks\"."))
  }
}

/// The day on which a budget's periods begin: `25` of a month, `04-06` of a year, or a date.
enum ResetDayArgument: ExpressibleByArgument {
  case ofMonth(Int)
  case ofYear(month: Int, day: Int)
  case date(Day)

  init?(argument: String) {
    if let number = Int(argument) {
      self = .ofMonth(number)
    } else if let date = Day(argument) {
      self = .date(date)
    } else if argument.utf8.count == 5, let date = Day("2000-\(argument)") {
      self = .ofYear(month: date.month, day: date.day)
    } else {
      ArgumentComplaints.note(
        argument,
        ArgumentComplaint(
          reason: "it isn't a day on which a period can begin",
          remedy: "Write a day of the month from 1 to 31, a day of the year such as 04-06, or a "
            + "date such as 2026-01-05."))
      return nil
    }
  }

  /// The date from which periods are counted, or `nil` for a day of the month.
  ///
  /// - Parameter today: The day whose year, or an earlier one, a day of the year belongs to.
  func anchor(today: Day) -> Day? {
    switch self {
    case .ofMonth: nil
    case .date(let date): date
    case .ofYear(let month, let day):
      // A leap day needs a leap year.
      (0...8).lazy.compactMap { Day(year: today.year - $0, month: month, day: day) }
        .first { $0 <= today }
    }
  }
}

/// The options that divide a budget's days into periods.
struct BudgetPeriodOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The period: week, half-month, month, quarter, year, several such as \"2 weeks\", or once "
        + "(with --from and --through).", valueName: "period"))
  var every: BudgetPeriodLength?

  @Option(
    help: ArgumentHelp(
      "The day on which a period begins: for months 1 to 31 (the last day in shorter months), for "
        + "years 04-06, for weeks, quarters or several months a date.", valueName: "day"))
  var resetDay: ResetDayArgument?

  @Option(
    help: ArgumentHelp(
      "The first day of a one-time budget; the day from which several weeks or months are counted; "
        + "when editing, a day of the first period to change (default: today).",
      valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last day of a one-time budget.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  func validate() throws {
    switch (every ?? .months(1), resetDay) {
    case (_, nil): break
    case (.months(1), .ofMonth(let number)):
      guard (1...31).contains(number) else {
        throw ValidationError("--reset-day must be from 1 to 31.")
      }
    case (.months(1), _):
      throw ValidationError("For months, --reset-day must be a day of the month, from 1 to 31.")
    case (.once, _), (.halfMonth, _):
      throw ValidationError("--reset-day can't be used with --every once or half-month.")
    case (.months(12), .ofMonth):
      throw ValidationError("For years, --reset-day must be a month and a day, such as 04-06.")
    case (.months(12), _), (_, .date): break
    case (.weeks, _), (.months, _):
      throw ValidationError(
        "For weeks, quarters and several months, --reset-day must be a date, such as 2026-01-05.")
    }
    guard !isCounted || resetDay != nil || from != nil else {
      throw ValidationError(
        "Several weeks or months are counted from a day. Give the first day of a period with "
          + "--from.")
    }
    guard every != .once || (from != nil && through != nil) else {
      throw ValidationError("--every once requires --from and --through.")
    }
    guard every == .once || through == nil else {
      throw ValidationError("--through requires --every once.")
    }
  }

  /// Whether the periods can only be counted from a date.
  private var isCounted: Bool {
    switch every {
    case .weeks(let count): count > 1
    case .months(let count): ![1, 3, 12].contains(count)
    case .once, .halfMonth, nil: false
    }
  }

  /// Whether `--from` is the day from which periods are counted.
  var countsFromFrom: Bool { isCounted && resetDay == nil }

  /// The requested period, or `nil` if none was given.
  func period(today: Day) throws -> BudgetPeriod? {
    let anchor = resetDay?.anchor(today: today) ?? (isCounted ? from?.day(today: today) : nil)
    switch (every, resetDay) {
    case (.once, _):
      guard let first = from?.day(today: today), let last = through?.day(today: today) else {
        return nil
      }
      guard first <= last else {
        throw ValidationError("--through is before --from. Swap the two days.")
      }
      return .custom(first..<last.adding(days: 1))
    case (.halfMonth, _): return .halfMonthly
    case (nil, .ofMonth(let number)), (.months(1), .ofMonth(let number)):
      return .monthly(resetDay: number)
    case (.weeks(let count), _): return anchor.map { .weeks(count, from: $0) } ?? .weekly
    case (.months(1), _): return .monthly(resetDay: 1)
    case (.months(3), nil): return .quarterly
    case (.months(let count), _): return anchor.map { .months(count, from: $0) } ?? .yearly
    case (nil, _): return nil
    }
  }
}
