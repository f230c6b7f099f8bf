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
