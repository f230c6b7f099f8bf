import ArgumentParser
import Daybook

/// `daybook accounts rename`: renames an account.
struct AccountsRenameCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename an account.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The new name.")
  var name: String

  func execute() async throws {
    var old = account
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      old = found.name
      return [.amendAccount(found.id, AccountChange(name: name))]
    }
    try ledger.answer(recorded, "Renamed \(old) to \(name).")
  }
}
