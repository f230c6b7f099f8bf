import ArgumentParser
import Daybook
import Terminal

/// A command about one recurring transaction.
protocol SeriesCommand: LedgerCommand {
  var series: String { get }
}

extension SeriesCommand {
  /// Records commands about the recurring transaction and prints a sentence about them.
  func change(
    _ done: String, _ command: (Series) throws -> [Command]
  ) async throws {
    var name = series
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.series(series, in: snapshot)
      name = found.name
      return try command(found)
    }
    let generated = recorded.receipt.generations.reduce(0) { $0 + $1.recorded.count }
    let rows = generated > 0 ? " \(Figures.count(generated)) generated." : ""
    try ledger.answer(recorded, "\(done) \(name).\(rows)")
  }
}

/// `daybook recurring generate`: records the due transactions.
struct RecurringGenerateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Record what is due by today, and the rows kept ahead.",
    discussion: "Each due day gets one row ever: run it as often as you like.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  private struct Content: Encodable, Sendable {
    var generated: GenerationReport
    var transactions: [Transaction]
  }

  func execute() async throws {
    let day = today.day
    var recorded: [Transaction] = []
    let (report, names) = try await ledger.withLedger { ledger in
      var report = GenerationReport()
      repeat {
        let receipt = try await ledger.append(.generateDue(through: day))
        guard let part = receipt.generations.first else { break }
        report.recorded += part.recorded
        report.faults = part.faults
        report.hasMore = part.hasMore
      } while report.hasMore
      let ids = report.recorded
      return try ledger.read { snapshot in
        recorded = try ids.compactMap { try snapshot.transaction($0) }
        return (report, try Names(snapshot))
      }
    }
    if ledger.json {
      let content = Content(generated: report, transactions: recorded)
      return try Output.json(JSONAnswer(content, names))
    }
    for row in recorded.prefix(50) {
      let summary = RowSummary(row, names)
      let amount = summary.amount.map { ", " + Figures.withCode($0) } ?? ""
      try Output.line("Recorded \(row.place): \(summary.account.printable)\(amount)")
    }
    if recorded.count > 50 { try Output.line("… and \(Figures.count(recorded.count - 50)) more") }
    if recorded.isEmpty { try Output.line("Nothing is due.") }
    for fault in report.faults {
      try Output.remark("Not recorded for \(fault.occurrence.occurrence): \(fault.message)")
    }
  }
}

/// `daybook recurring pause`: pauses a recurring transaction.
struct RecurringPauseCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause a series: its rows after today go.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  @Option(
    help: ArgumentHelp("The last day before the pause; today if not given.", valueName: "day"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day) ?? today.day
    try await change("Paused") { [.pauseSeries($0.id, after: day)] }
  }
}

/// `daybook recurring resume`: resumes a paused recurring transaction.
struct RecurringResumeCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume a paused series; the pause is not made up for.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  func execute() async throws {
    let day = today.day
    try await change("Resumed") { [.resumeSeries($0.id, on: day)] }
  }
}

/// `daybook recurring stop`: ends a recurring transaction.
struct RecurringStopCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop a series: that day's row stays, later ones go.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  @Option(help: ArgumentHelp("The last day; today if not given.", valueName: "day"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day) ?? today.day
    try await change("Stopped") { [.stopSeries($0.id, after: day)] }
  }
}

/// `daybook recurring skip`: skips one due date.
struct RecurringSkipCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Skip one due day of a series; its row goes.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  @Argument(help: "The due day.")
  var due: DayArgument

  @Flag(help: "Let it be generated again instead.")
  var undo = false

  func execute() async throws {
    let day = due.day(today: today.day)
    try await change(undo ? "No longer skipped on \(day):" : "Skipped \(day):") {
      let link = SeriesLink($0.id, due: day)
      return [undo ? .unskipOccurrence(link) : .skipOccurrence(link)]
    }
  }
}

/// `daybook recurring remove`: deletes a recurring transaction.
struct RecurringRemoveCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a series; say what becomes of its rows.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  @Flag(help: "Delete its rows too; otherwise they stay.")
  var withRows = false

  func execute() async throws {
    try await change("Removed") { [.removeSeries($0.id, withRows: withRows)] }
  }
}

/// `daybook recurring link`: links a recorded transaction to a due date.
struct RecurringLinkCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Make a transaction the row of a due day.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The series.", completion: LedgerCompletion.series)
  var series: String

  @Argument(help: "The transaction: its id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Option(help: ArgumentHelp("The due day; the row's own day if not given.", valueName: "day"))
  var due: DayArgument?

  func execute() async throws {
    var place = transaction
    var due = today.day
    let recorded = try await ledger.record { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      let found = try Lookup.series(series, in: snapshot)
      place = row.place
      due = self.due?.day(today: today.day) ?? row.day
      return [.link(row.id, SeriesLink(found.id, due: due))]
    }
    try ledger.answer(recorded, "Linked \(place) to \(series), due \(due).")
  }
}

/// `daybook recurring unlink`: unlinks a recorded transaction from its recurring transaction.
struct RecurringUnlinkCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Take a transaction out of its series; the due day is not recorded again.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The transaction: its id, or its place such as 2026-02-14#123.")
  var transaction: String

  func execute() async throws {
    var place = transaction
    let recorded = try await ledger.record { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      place = row.place
      return [.unlink(row.id)]
    }
    try ledger.answer(recorded, "Unlinked \(place).")
  }
}
