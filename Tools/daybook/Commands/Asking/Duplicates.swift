import ArgumentParser
import Daybook
import Terminal

/// `daybook duplicates`: lists transactions that may have been recorded twice.
struct DuplicatesCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List pairs of rows that may be one recorded twice.",
    discussion: """
      The same amount on the same account, on days near each other, with texts that are alike. \
      Nothing is changed: `daybook delete` takes one away. Without a month or days the last year is \
      looked at.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("Only of this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: ArgumentHelp("Only from this day on.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("Only up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(help: "How many days apart the two may be.")
  var within = 3

  @Option(help: "How many pairs.")
  var limit = 50

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Give either --month, or --from and --through.")
    }
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit has to be from 0 to 100000.")
    }
    guard (0...LedgerLimits.duplicateDistanceMax).contains(within) else {
      throw ValidationError(
        "--within has to be from 0 to \(LedgerLimits.duplicateDistanceMax).")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let pairs = try snapshot.duplicates(
      in: days(today: today.day), distance: within, limit: limit)
    let names = try Names(snapshot)
    var report = Report(
      [.data("pair")] + RowSummary.columns, ifEmpty: "Nothing looks recorded twice.",
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
        "--from \(first) comes after --through \(last).", remedy: "Give the earlier day first.")
    }
    return first..<last.adding(days: 1)
  }
}
