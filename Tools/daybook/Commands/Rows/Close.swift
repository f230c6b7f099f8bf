import ArgumentParser
import Daybook

/// `daybook close`: closes the period through a day to changes.
struct CloseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close a period: its figures can't change until it is reopened.",
    discussion: """
      Locked are the days, accounts, categories and amounts of its rows: none can be added, changed or \
      deleted. Notes, payees and labels may still be edited. Not locked are exchange rates, so what the \
      period is worth in another currency can change: `daybook rate` warns where it does. (For accounts: \
      accounts close.)
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Option(help: ArgumentHelp("The period's last day.", valueName: "yyyy-mm-dd"))
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
      "Closed everything up to and including \(day). Locked: the days, accounts, categories and amounts of "
        + "\(Figures.counted(count, "row")). Not locked: texts and labels, and exchange rates, which change "
        + "what amounts are worth in another currency. `daybook reopen` undoes it.")
  }
}

/// `daybook reopen`: opens a closed period to changes again.
struct ReopenCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Reopen a closed period. History shows that it was done.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Option(
    help: ArgumentHelp(
      "Reopen only the days after this one; all if not given.", valueName: "yyyy-mm-dd"))
  var after: DayArgument?

  func execute() async throws {
    let day = after?.day(today: today.day)
    let recorded = try await ledger.record { _ in [.reopenPeriod(after: day)] }
    try ledger.answer(
      recorded,
      day.map { "Reopened the days after \($0)." } ?? "Reopened all days.")
  }
}
