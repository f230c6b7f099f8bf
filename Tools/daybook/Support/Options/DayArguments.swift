import ArgumentParser
import Daybook
import DaybookPlatform

/// A day on the command line, such as `2026-02-15`, `today`, `yesterday` or `tomorrow`.
struct DayArgument: ExpressibleByArgument {
  /// A day, or an offset from today.
  enum Meaning: Equatable {
    case day(Day)
    case fromToday(Int)
  }
  let meaning: Meaning

  init?(argument: String) {
    switch argument.lowercased() {
    case "today": meaning = .fromToday(0)
    case "yesterday": meaning = .fromToday(-1)
    case "tomorrow": meaning = .fromToday(1)
    default:
      guard let day = Day(argument) else {
        ArgumentComplaints.note(argument, .day(argument))
        return nil
      }
      meaning = .day(day)
    }
  }

  /// Returns the day, given the current day.
  func day(today: Day) -> Day {
    switch meaning {
    case .day(let day): day
    case .fromToday(let days): today.adding(days: days)
    }
  }
}

/// A month on the command line, such as `2026-02`.
struct MonthArgument: ExpressibleByArgument {
  let month: Month

  init?(argument: String) {
    guard let month = Month(argument) else {
      ArgumentComplaints.note(argument, .month(argument))
      return nil
    }
    self.month = month
  }
}

/// The option for the current day.
///
/// This is the only type of the `daybook` command that reads the current day from a clock.
struct TodayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The day to use as today.", valueName: "yyyy-mm-dd"))
  var today: DayArgument?

  /// The given day, or the current day in the local time zone.
  var day: Day {
    let clock = Self.clock
    return today?.day(today: clock) ?? clock
  }

  static var clock: Day {
    var seconds = time(nil)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else {
      return Day(rawValue: Int32(seconds / 86_400))
    }
    return Day(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
      ?? Day(rawValue: Int32(seconds / 86_400))
  }
}

/// The option for the currency of the answer.
struct BaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Convert to this currency at each day's rate.",
      discussion: "Default: the ledger's base currency, if the command converts amounts.",
      valueName: "currency"))
  var base: String?

  /// The given currency, or `nil` if none was given.
  ///
  /// - Throws: `CommandFailure` if the currency doesn't exist.
  func currency(in snapshot: borrowing Snapshot) throws -> Currency? {
    guard let base else { return nil }
    return try Lookup.currency(base, in: snapshot)
  }
}
