import ArgumentParser
import Daybook

/// `daybook close`: closes the period through a day to changes.
struct CloseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close a period, so that its transactions can't change until you reopen it.",
    discussion: """
      Locks the days, accounts, categories and amounts of all transactions in the period, and \
      prevents additions and deletions. Notes, payees and tags can still be edited. Exchange rates \
      aren't locked, so the period's totals in another currency can change; `daybook rate` warns \
      about that. To close an account, use `daybook accounts close`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Option(help: ArgumentHelp("The last day of the period.", valueName: "yyyy-mm-dd"))
  var through: DayArgument

  func execute() async throws {
    let day = through.day(today: today.day)
    var count = 0
    let recorded = try await ledger.record { snapshot in
      count = try snapshot.count(TransactionFilter(days: Day.min..<day.adding(days: 1)))
      return [.closePeriod(through: day)]
    }
    try ledger.answer(
      recorded, with: ["count": count],
      "Closed all days through \(day). Locked the days, accounts, categories and amounts of "
        + "\(Figures.counted(count, "transaction")). Notes, payees, tags and exchange rates can "
        + "still change. To reopen the period, run `daybook reopen`.")
  }
}

/// `daybook reopen`: opens a closed period to changes again.
struct ReopenCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Reopen a closed period. History records that it was reopened.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Option(
    help: ArgumentHelp(
      "Reopen only the days after this one (default: all days).", valueName: "yyyy-mm-dd"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day)
    let recorded = try await ledger.record { _ in [.reopenPeriod(after: day)] }
    try ledger.answer(
      recorded,
      day.map { "Reopened the days after \($0)." } ?? "Reopened all days.")
  }
}
