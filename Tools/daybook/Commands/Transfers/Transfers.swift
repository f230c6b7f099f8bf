import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook transfers`: finds, links and unlinks the halves of transfers.
struct TransfersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfers",
    abstract: "Make one transfer of an expense and an income on two accounts.",
    discussion: """
      If two accounts are imported separately, a transfer between them appears as two transactions. \
      Linking makes one transfer of them: income and expenses no longer count it, and each account \
      keeps the day of its own bank.
      """,
    subcommands: [
      TransfersFindCommand.self, TransfersLinkCommand.self, TransfersUnlinkCommand.self,
    ], defaultSubcommand: TransfersFindCommand.self)
}

/// The transactions among which pairs are looked for.
struct TransferPairOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(
    help: ArgumentHelp("Only from this day on (default: a year ago).", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(
    help: ArgumentHelp("Only up to and including this day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(help: "The most days between the two transactions.")
  var within = 5

  @Flag(help: "Include transactions that have a category.")
  var categorised = false

  func validate() throws {
    if month != nil, from != nil || through != nil {
      throw ValidationError("Use either --month, or --from and --through.")
    }
    guard (0...LedgerLimits.duplicateDistanceMax).contains(within) else {
      throw ValidationError(
        "--within must be from 0 to \(LedgerLimits.duplicateDistanceMax).")
    }
  }

  func pairs(
    _ snapshot: borrowing Snapshot, today: Day, limit: Int
  ) throws -> [TransferPair] {
    try snapshot.transferPairs(
      in: days(today: today), distance: within, includesCategorized: categorised, limit: limit)
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

/// `daybook transfers find`: lists the pairs that are likely to be transfers.
struct TransfersFindCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "List pairs that are likely to be transfers.",
    discussion: """
      Lists expenses and incomes of the same amount on two accounts, on nearby days, with the \
      command that links each pair. Nothing is changed. `daybook transfers link --all` links all \
      of them. For a pair that isn't a transfer, use `daybook edit ONE --distinct-from OTHER`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var options: TransferPairOptions

  @Option(help: "The number of pairs to show.")
  var limit = 50

  func validate() throws {
    guard (0...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 0 to 100000.")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let pairs = try options.pairs(snapshot, today: today.day, limit: limit)
    let names = try Names(snapshot)
    var report = Report(
      [.data("pair")] + RowSummary.columns, ifEmpty: "No transfers found.",
      json: JSONAnswer(["transfers": pairs], names))
    for (index, pair) in pairs.enumerated() {
      if index > 0 { report.addRule() }
      for row in [pair.paying, pair.receiving] {
        report.add([.count(index + 1)] + RowSummary.cells(of: row, names))
      }
    }
    if !pairs.isEmpty {
      report.remarks = pairs.map {
        "daybook transfers link \($0.paying.place) \($0.receiving.place)"
      }
      report.remarksStandApart = true
    }
    return report
  }
}

/// `daybook transfers link`: makes one transfer of two transactions.
struct TransfersLinkCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Make one transfer of two transactions.",
    discussion: """
      The transaction that pays becomes the transfer. The other one is removed, and its day becomes \
      the day on which the money arrives. Later imports recognise both rows.

        daybook transfers link 2026-02-10#2 2026-02-11#3
        daybook transfers link --all --month 2026-02
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var options: TransferPairOptions

  @Argument(help: "The two transactions' ids, or places such as 2026-02-14#123.")
  var transactions: [String] = []

  @Flag(help: "Link all pairs that `daybook transfers find` lists.")
  var all = false

  @Flag(help: "Show what would be linked, without changing anything.")
  var dryRun = false

  func validate() throws {
    if all, !transactions.isEmpty {
      throw ValidationError("Use either --all or two transactions, not both.")
    }
    if !all, transactions.count != 2 {
      throw ValidationError(
        "Name two transactions: one that pays and one that receives. To list such pairs, run "
          + "`daybook transfers find`.")
    }
  }

  func execute() async throws {
    let limit = all ? 1_000 : 1
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      if all { return try options.pairs(snapshot, today: today.day, limit: limit).map(\.command) }
      let rows = try transactions.map { try Lookup.transaction($0, in: snapshot) }
      return [.linkTransfer(rows[0].id, rows[1].id)]
    }
    let isEmpty = try await ledger.withLedger { ledger in
      try ledger.read { try commands($0).isEmpty }
    }
    if isEmpty { return try ledger.answer(JSONAnswer([String](), nil), "No transfers found.") }
    if dryRun { return try await ledger.rehearse("link", commands) }
    try await ledger.recordAndShow("Linked", commands)
  }
}

extension LedgerOptions {
  /// Decides commands without recording them, and says how many transfers they would change.
  fileprivate func rehearse(
    _ verb: String, _ commands: (borrowing Snapshot) throws -> [Command]
  ) async throws {
    try await withLedger { ledger in
      let commands = try ledger.read { snapshot in try commands(snapshot) }
      let count = try await ledger.rehearse(commands).count
      try answer(
        JSONAnswer(["transfers": count], try names(in: ledger)),
        "Would \(verb) \(Figures.counted(count, "transfer")).")
    }
  }
}

/// `daybook transfers unlink`: restores the two transactions of which a transfer was made.
struct TransfersUnlinkCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Restore the two transactions that a transfer was made of.",
    discussion: """
      Both are as they were when they were linked; later changes of the transfer are lost.

        daybook transfers unlink 2026-02-10#2
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The transfers' ids, or places such as 2026-02-14#123.")
  var transactions: [String]

  @Flag(help: "Show what would be restored, without changing anything.")
  var dryRun = false

  func execute() async throws {
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      try transactions.map { .unlinkTransfer(try Lookup.transaction($0, in: snapshot).id) }
    }
    if dryRun { return try await ledger.rehearse("unlink", commands) }
    try await ledger.recordAndShow("Unlinked", commands)
  }
}
