import ArgumentParser
import Daybook

/// `daybook accounts close`: closes an account to new transactions.
struct AccountsCloseCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Let an account take no further rows; those it has stay.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    var name = account
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      return [.closeAccount(found.id)]
    }
    try ledger.answer(recorded, "Closed \(name). `daybook accounts reopen` takes it back.")
  }
}

/// `daybook accounts reopen`: opens a closed account to new transactions again.
struct AccountsReopenCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Let a closed account take rows again.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    var name = account
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      return [.reopenAccount(found.id)]
    }
    try ledger.answer(recorded, "\(name) takes rows again.")
  }
}
