import ArgumentParser
import Daybook

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A day on the command line: `2026-02-15`, `today`, `yesterday`, `tomorrow`.
struct DayArgument: ExpressibleByArgument {
  /// A day, or one counted from today.
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

  /// The day, where `today` is known.
  func day(today: Day) -> Day {
    switch meaning {
    case .day(let day): day
    case .fromToday(let days): today.adding(days: days)
    }
  }
}

/// A month on the command line: `2026-02`.
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

/// The day on which the question is asked.
///
/// The only place where Daybook looks at a clock.
struct TodayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The day to use as today.", valueName: "yyyy-mm-dd"))
  var today: DayArgument?

  /// The day given, or that of the clock in the local time zone.
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

/// The currency in which to answer.
struct BaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Convert to this currency at each day's rate.",
      discussion: "Default: the ledger's base currency, if the command converts amounts.",
      valueName: "currency"))
  var base: String?

  /// The currency given, if it exists.
  func currency(in snapshot: borrowing Snapshot) throws -> Currency? {
    guard let base else { return nil }
    return try Lookup.currency(base, in: snapshot)
  }
}
