import ArgumentParser
import Daybook

/// `daybook accounts close`: closes an account to new transactions.
struct AccountsCloseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close an account: it keeps its transactions and accepts no new ones.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    let (recorded, name) = try await ledger.record(on: account) { .closeAccount($0) }
    try ledger.answer(recorded, "Closed \(name). To reopen it, run `daybook accounts reopen`.")
  }
}

/// `daybook accounts reopen`: opens a closed account to new transactions again.
struct AccountsReopenCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Reopen a closed account.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    let (recorded, name) = try await ledger.record(on: account) { .reopenAccount($0) }
    try ledger.answer(recorded, "Reopened \(name).")
  }
}
