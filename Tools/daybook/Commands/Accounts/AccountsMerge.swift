import ArgumentParser
import Daybook

/// `daybook accounts merge`: merges one account into another.
struct AccountsMergeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge one account into another.",
    discussion: """
      Moves the first account's transactions, opening balance, recurring transactions, rules, \
      stated balances and numbers to the second account, and deletes the first. If both have the \
      same name, give their ids.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account to merge, which is deleted.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The account to merge into.", completion: LedgerCompletion.accounts)
  var into: String

  @OptionGroup var merge: MergeOptions

  func execute() async throws {
    try await ledger.merge(merge) { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      let heir = try Lookup.account(into, in: snapshot)
      return (.mergeAccounts(found.id, into: heir.id), found.name, heir.name)
    }
  }
}
