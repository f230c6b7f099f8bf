import ArgumentParser
import Daybook
import DaybookTerminal

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
    let rows = generated > 0 ? " Recorded \(Figures.counted(generated, "transaction"))." : ""
    try ledger.answer(recorded, "\(done) \(name).\(rows)")
  }
}

/// `daybook recurring generate`: records the due transactions.
struct RecurringGenerateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Record due transactions, and those to be recorded in advance.",
    discussion: """
      Each due date is recorded exactly once, no matter how often you run it. If a transaction \
      can't be recorded, the others are, and the exit code is 1.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  private struct Content: Encodable, Sendable {
    var generated: GenerationReport
    var transactions: [Transaction]
  }

  func execute() async throws {
    let day = today.day
    var recorded: [Transaction] = []
    let (report, names, series) = try await ledger.withLedger { ledger in
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
        return (report, try Names(snapshot), try snapshot.series())
      }
    }
    if ledger.json {
      let content = Content(generated: report, transactions: recorded)
      try Output.json(JSONAnswer(content, names))
      if !report.faults.isEmpty { throw ExitStatus.refused.exitCode }
      return
    }
    for row in recorded.prefix(50) {
      try Output.line("Recorded \(ChangeText.text(of: row, names))".printable)
    }
    if recorded.count > 50 { try Output.line("… and \(Figures.count(recorded.count - 50)) more") }
    if recorded.isEmpty, report.faults.isEmpty { try Output.line("Nothing is due.") }
    for fault in report.faults {
      let name =
        series.first { $0.id == fault.occurrence.series }?.name ?? "a removed recurring transaction"
      try Output.remark(
        "Couldn't record \(name), due \(fault.occurrence.occurrence): "
          .printable + "\(fault.message.asSentence)")
    }
    if !report.faults.isEmpty { throw ExitStatus.refused.exitCode }
  }
}

/// `daybook recurring pause`: pauses a recurring transaction.
struct RecurringPauseCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Pause a recurring transaction and delete its future transactions.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Option(
    help: ArgumentHelp("The last day before the pause (default: today).", valueName: "day"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day) ?? today.day
    try await change("Paused") { [.pauseSeries($0.id, after: day)] }
  }
}

/// `daybook recurring resume`: resumes a paused recurring transaction.
struct RecurringResumeCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Resume a paused recurring transaction; due dates in the pause are skipped.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  func execute() async throws {
    let day = today.day
    try await change("Resumed") { [.resumeSeries($0.id, on: day)] }
  }
}

/// `daybook recurring stop`: ends a recurring transaction.
struct RecurringStopCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop a recurring transaction and delete its transactions after a day.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Option(help: ArgumentHelp("The last day (default: today).", valueName: "day"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day) ?? today.day
    try await change("Stopped") { [.stopSeries($0.id, after: day)] }
  }
}

/// `daybook recurring skip`: skips one due date.
struct RecurringSkipCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Skip a due date and delete its transaction.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Argument(help: "The due date.")
  var due: DayArgument

  @Flag(help: "Stop skipping the due date.")
  var undo = false

  func execute() async throws {
    let day = due.day(today: today.day)
    try await change(undo ? "No longer skipping \(day) of" : "Skipped \(day) of") {
      let link = SeriesLink($0.id, due: day)
      return [undo ? .unskipOccurrence(link) : .skipOccurrence(link)]
    }
  }
}

/// `daybook recurring remove`: deletes a recurring transaction.
struct RecurringRemoveCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a recurring transaction, and keep or delete its transactions.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Flag(help: "Delete its transactions too.")
  var withRows = false

  func execute() async throws {
    let today = today.day
    var name = series
    var count = 0
    var last: Transaction?
    var planned: [Transaction] = []
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.series(series, in: snapshot)
      name = found.name
      let rows = try snapshot.occurrences(of: found.id)
        .compactMap { try snapshot.transaction($0.transaction) }
      count = rows.count
      last = rows.max { ($0.day, $0.number) < ($1.day, $1.number) }
      planned = rows.filter { $0.day > today }
      return [.removeSeries(found.id, withRows: withRows)]
    }
    try ledger.answer(recorded, sentence(name, count, last, planned))
  }

  private func sentence(
    _ name: String, _ count: Int, _ last: Transaction?, _ planned: [Transaction]
  ) -> String {
    let removed = "Removed \(name)"
    if withRows {
      return count == 0 ? "\(removed)." : "\(removed) and \(Figures.counted(count, "transaction"))."
    }
    guard let first = planned.first else {
      guard let last else { return "\(removed)." }
      return count == 1
        ? "\(removed). Its transaction \(last.place) stays."
        : "\(removed). Its \(Figures.count(count)) transactions stay; the last is \(last.place)."
    }
    let places = planned.map(\.place).prefix(3).joined(separator: ", ")
    let rest = planned.count > 3 ? " and \(Figures.count(planned.count - 3)) more" : ""
    return planned.count == 1
      ? "\(removed). The planned transaction \(first.place) stays; to delete it, run `daybook "
        + "delete \(first.place)`."
      : "\(removed). \(Figures.count(planned.count)) planned transactions stay: \(places)\(rest). "
        + "To delete them, use `daybook delete`."
  }
}

/// `daybook recurring link`: links a recorded transaction to a due date.
struct RecurringLinkCommand: SeriesCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link an existing transaction to a due date.",
    discussion: """
      The transaction takes the place of one that was recorded in advance for the due date, so \
      that an early payment counts once.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Option(
    help: ArgumentHelp(
      "The due date (default: the open one nearest to the transaction's day).", valueName: "day"))
  var due: DayArgument?

  func execute() async throws {
    let today = today.day
    var sentence = ""
    let recorded = try await ledger.record { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      let found = try Lookup.series(series, in: snapshot)
      let dates = try DueDates(found, for: row, today: today, in: snapshot)
      guard let due = due?.day(today: today) ?? dates.nearestOpen else {
        throw CommandFailure.notFound(
          "Couldn't link \(row.place) to \(found.name): it has no open due date.",
          remedy: "Unlink or delete the transaction of a due date, or give one with --due.")
      }
      let planned = dates.planned[due]
      sentence = "Linked \(row.place) to \(found.name), due \(due)"
      if let planned { sentence += ", in place of the planned \(planned.place)" }
      return (planned.map { [.delete($0.id)] } ?? [])
        + [.link(row.id, SeriesLink(found.id, due: due))]
    }
    try ledger.answer(recorded, "\(sentence).")
  }
}

/// The due dates of a recurring transaction to which a transaction can be linked.
private struct DueDates {
  /// The transactions recorded in advance that another transaction can replace, by due date.
  private(set) var planned: [Day: Transaction] = [:]
  /// The due date nearest to the transaction's day that isn't skipped and has no transaction other
  /// than a planned one; if two are equally near, the earlier one.
  private(set) var nearestOpen: Day?

  init(
    _ series: Series, for row: Transaction, today: Day, in snapshot: borrowing Snapshot
  ) throws {
    var taken: Set<Day> = []
    for occurrence in try snapshot.occurrences(of: series.id)
    where occurrence.transaction != row.id {
      let isGenerated = occurrence.transaction == TransactionID(of: series, due: occurrence.due)
      if isGenerated, let other = try snapshot.transaction(occurrence.transaction),
        other.day > today, other.status != .reconciled
      {
        planned[occurrence.due] = other
      } else {
        taken.insert(occurrence.due)
      }
    }
    for due in series.scheduledDays where !taken.contains(due) && !series.isSkipped(due) {
      let nearest = nearestOpen.map { abs($0.distance(to: row.day)) } ?? .max
      if abs(due.distance(to: row.day)) < nearest { nearestOpen = due }
      if due >= row.day { break }
    }
  }
}

/// `daybook recurring unlink`: unlinks a recorded transaction from its recurring transaction.
struct RecurringUnlinkCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Unlink a transaction from its due date, which isn't recorded again.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The transaction's id, or its place such as 2026-02-14#123.")
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
