import ArgumentParser
import Daybook

/// The options that select a period.
struct PeriodOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only this year.", valueName: "yyyy"))
  var year: Int?

  @Option(help: ArgumentHelp("The first day.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  func validate() throws {
    let given = [month != nil, year != nil, from != nil || through != nil].filter { $0 }.count
    if given > 1 {
      throw ValidationError("Use only one of --month, --year, or --from and --through.")
    }
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year must be from 1 to 9999.")
    }
  }

  /// The selected days, by default the last twelve months including the current one.
  func days(today: Day) throws -> Range<Day> {
    if let month { return month.month.days }
    if let year { return Month(year: year, month: 1).first..<Month(year: year + 1, month: 1).first }
    let last = through?.day(today: today) ?? today
    let first = from?.day(today: today) ?? last.monthOf.adding(-11).first
    guard first <= last else {
      throw CommandFailure.usage(
        "--from \(first) is after --through \(last).", remedy: "Swap the two days.")
    }
    return first..<last.adding(days: 1)
  }
}

/// The options for a report by month.
struct ByMonthOptions: ParsableArguments {
  @Flag(help: "Show the money in and out by month.")
  var byMonth = false

  @Option(help: "The number of months with --by-month (default: 12).")
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "The last month with --by-month (default: the current month).", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @OptionGroup var base: BaseOptions

  func validate() throws {
    guard (1...1200).contains(count ?? 12) else {
      throw ValidationError("--count must be from 1 to 1200.")
    }
    if byMonth { return }
    let given = [
      ("--count", count != nil), ("--through", through != nil), ("--base", base.base != nil),
    ]
    if let (flag, _) = given.first(where: { $0.1 }) {
      throw ValidationError("\(flag) requires --by-month.")
    }
  }

  /// The months to show.
  func range(today: Day) -> Range<Month> {
    let last = through?.month ?? today.monthOf
    return last.adding(1 - (count ?? 12))..<last.adding(1)
  }
}
