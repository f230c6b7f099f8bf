import ArgumentParser
import Daybook

/// `daybook close`: nothing up to a day may change any more.
struct CloseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close a period: its figures can't change until it is reopened.",
    discussion: "Notes and labels of its rows may still be edited. (For accounts: accounts close.)")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Option(help: ArgumentHelp("The period's last day.", valueName: "yyyy-mm-dd"))
  var through: DayArgument

  func execute() async throws {
    let day = through.day(today: today.day)
    try await ledger.record { _ in [.closePeriod(through: day)] }
    try ledger.answer(
      [("closedThrough", .day(day))],
      "Closed everything up to and including \(day). `daybook reopen` undoes it.")
  }
}

/// `daybook reopen`: a closed period may change again.
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
    try await ledger.record { _ in [.reopenPeriod(after: day)] }
    try ledger.answer(
      [("closedThrough", .day(day))],
      day.map { "Reopened the days after \($0)." } ?? "Reopened all days.")
  }
}
