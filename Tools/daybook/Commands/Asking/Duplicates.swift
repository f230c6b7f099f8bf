import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook duplicates`: lists transactions that may have been recorded twice.
struct DuplicatesCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List transactions that may be recorded twice.",
    discussion: """
      Lists pairs with the same amount on the same account, on nearby days and with similar text. \
      Nothing is changed. Delete a duplicate with `daybook delete`. If the two are different \
      transactions, tell them apart with `daybook edit ONE --distinct-from OTHER`; they are then no \
      longer listed. The default period is the last year.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("Only this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only from this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Only up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(help: "The maximum number of days between the two transactions.")
  var within = 3

  @Option(help: "The number of pairs to show.")
  var limit = 50

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Use either --month, or --from and --through.")
    }
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
    guard (0...LedgerLimits.duplicateDistanceMax).contains(within) else {
      throw ValidationError(
        "--within must be from 0 to \(LedgerLimits.duplicateDistanceMax).")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let pairs = try snapshot.duplicates(
      in: days(today: today.day), distance: within, limit: limit)
    let names = try Names(snapshot)
    var report = Report(
      [.data("pair")] + RowSummary.columns, ifEmpty: "No duplicates found.",
      json: JSONAnswer(["duplicates": pairs], names))
    for (index, pair) in pairs.enumerated() {
      if index > 0 { report.addRule() }
      for row in [pair.original, pair.duplicate] {
        report.add([.count(index + 1)] + RowSummary.cells(of: row, names))
      }
    }
    return report
  }

  private func days(today: Day) throws -> Range<Day> {
    if let month { return month.month.days }
    let last = through?.day(today: today) ?? today
    let first = from?.day(today: today) ?? last.adding(days: -365)
    guard first <= last else {
      throw CommandFailure.usage(
        "--from \(first) is after --through \(last).", remedy: "Swap the two days.")
    }
    return first..<last.adding(days: 1)
  }
}
