import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook interest`: shows accrued interest, and posts interest that is due.
struct InterestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interest", abstract: "Show accrued interest, and post interest that is due.",
    discussion: "Set an account's terms first, with `daybook accounts terms set`.",
    subcommands: [
      InterestAccruedCommand.self, InterestPostCommand.self, InterestLinkCommand.self,
      InterestSkipCommand.self,
    ], defaultSubcommand: InterestAccruedCommand.self)
}

/// `daybook interest accrued`: shows the interest accrued by a day.
struct InterestAccruedCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "accrued", abstract: "Show the interest accrued by a day and not posted or paid.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The account (default: all).", completion: LedgerCompletion.accounts)
  var account: String?

  @Option(
    help: ArgumentHelp("The day at whose end (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  private struct Content: Encodable, Sendable {
    var day: Day
    var interest: [AccruedInterest]
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let day = on?.day(today: today.day) ?? today.day
    var accrued: [AccruedInterest]
    if let account {
      let found = try Lookup.account(account, in: snapshot)
      guard let one = try snapshot.accruedInterest(of: found.id, on: day) else {
        throw CommandFailure.notFound(
          "\(found.name) has no interest terms.",
          remedy: "Set them with `daybook accounts terms set`.")
      }
      accrued = [one]
    } else {
      accrued = try snapshot.accruedInterest(on: day)
    }
    var report = Report(
      [
        .text("account", "Account", yielding: .never), .figure("due", "Due"),
        .figure("current", "Since then", yielding: .goes(1)), .figure("interest", "Accrued"),
        .fixed("currency"),
      ], ifEmpty: "No accounts bear interest. Set their terms with `daybook accounts terms set`.",
      json: JSONAnswer(Content(day: day, interest: accrued), try Names(snapshot)))
    for one in accrued {
      let name = try snapshot.account(one.account)?.name ?? "\(one.account)"
      let due = one.due.reduce(0) { $0 + $1.amount.units }
      report.add([
        .init(name), .total(Total(units: due, currency: one.current.currency)),
        .init(one.current.text()), .total(one.total.rounded, .bold),
        .currency(one.current.currency),
      ])
    }
    return report
  }
}

/// `daybook interest post`: posts the interest that is due.
struct InterestPostCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post the interest that is due.",
    discussion: """
      Each due day is posted exactly once, no matter how often you run it. If an account's interest \
      can't be posted, that of the others is, and the exit code is 1.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account (default: all).", completion: LedgerCompletion.accounts)
  var account: String?

  @Option(
    help: ArgumentHelp("Post interest due up to this day (default: today).", valueName: "day"))
  var through: DayArgument?

  private struct Content: Encodable, Sendable {
    var generated: GenerationReport
    var transactions: [Transaction]
  }

  func execute() async throws {
    let day = through?.day(today: today.day) ?? today.day
    let (report, rows, names) = try await ledger.withLedger { ledger in
      let only = try ledger.read { snapshot in
        try account.map { try Lookup.account($0, in: snapshot).id }
      }
      let receipt = try await ledger.append(.postInterest(through: day, account: only))
      let report = receipt.generations.first ?? GenerationReport()
      return try ledger.read { snapshot in
        (
          report, try report.recorded.compactMap { try snapshot.transaction($0) },
          try Names(snapshot)
        )
      }
    }
    if self.ledger.json {
      try Output.json(JSONAnswer(Content(generated: report, transactions: rows), names))
    } else {
      for row in rows { try Output.line("Posted \(ChangeText.text(of: row, names))".printable) }
      if rows.isEmpty, report.faults.isEmpty { try Output.line("No interest is due.") }
      for fault in report.faults {
        try Output.remark(
          "Couldn't post the interest due \(fault.occurrence.occurrence): ".printable
            + "\(fault.message.asSentence)")
      }
    }
    if !report.faults.isEmpty { throw ExitStatus.refused.exitCode }
  }
}

/// `daybook interest link`: links a transaction to a day on which interest or a payment is due.
struct InterestLinkCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a transaction that posts interest or pays a loan.",
    discussion: """
        daybook interest link 2026-02-01#3 Savings --due 2026-02-01

      The due day counts as posted or paid; earlier ones don't. To divide a payment into interest and \
      principal, use `daybook loan pay --transaction`. `daybook recurring unlink` removes the link.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The transaction.")
  var transaction: String

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Option(help: ArgumentHelp("The due day.", valueName: "yyyy-mm-dd"))
  var due: DayArgument

  func execute() async throws {
    var done = ""
    let recorded = try await ledger.record { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      let found = try Lookup.account(account, in: snapshot)
      let due = due.day(today: today.day)
      done = "Linked \(row.place) to \(found.name), due \(due)."
      return [.link(row.id, SeriesLink(termsOf: found.id, due: due))]
    }
    try ledger.answer(recorded, done)
  }
}

/// `daybook interest skip`: posts no interest for a due day.
struct InterestSkipCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Post no interest for a due day, and delete it if posted.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Option(help: ArgumentHelp("The due day.", valueName: "yyyy-mm-dd"))
  var due: DayArgument

  @Flag(help: "Post it again.")
  var undo = false

  func execute() async throws {
    let due = due.day(today: today.day)
    let (recorded, name) = try await ledger.record(on: account) { account in
      let link = SeriesLink(termsOf: account, due: due)
      return undo ? .unskipOccurrence(link) : .skipOccurrence(link)
    }
    try ledger.answer(
      recorded,
      undo
        ? "The interest of \(name) due \(due) can be posted again."
        : "Skipped the interest of \(name) due \(due).")
  }
}
