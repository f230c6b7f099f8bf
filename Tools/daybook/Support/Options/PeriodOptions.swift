import ArgumentParser
import Daybook

/// The options that select a period.
struct PeriodOptions: ParsableArguments {
  @Option(help: ArgumentHelp("This month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("This year.", valueName: "yyyy"))
  var year: Int?

  @Option(help: ArgumentHelp("From this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  func validate() throws {
    let given = [month != nil, year != nil, from != nil || through != nil].filter { $0 }.count
    if given > 1 {
      throw ValidationError("Give one of --month, --year, or --from and --through.")
    }
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year has to be from 1 to 9999.")
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
        "--from \(first) comes after --through \(last).", remedy: "Give the earlier day first.")
    }
    return first..<last.adding(days: 1)
  }
}
