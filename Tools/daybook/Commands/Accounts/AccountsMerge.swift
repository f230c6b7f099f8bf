import ArgumentParser
import Daybook

/// `daybook accounts merge`: merges one account into another.
struct AccountsMergeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make one account of two.",
    discussion: """
      Rows, opening, series, rules, stated balances and numbers of the first one become the second \
      one's, and the first one is deleted. Where both have one name, say which by their ids.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account that goes.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The account that takes everything.", completion: LedgerCompletion.accounts)
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
