import ArgumentParser
import Daybook

/// `daybook accounts edit`: changes whether totals leave an account out.
struct AccountsEditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Exclude an account from totals, or include it again.",
    discussion: """
        daybook accounts edit "Shared household" --exclude-from-totals

      The balance of an excluded account isn't part of the net worth, and transactions that have \
      only excluded accounts are neither income nor spending. Transfers to and from it appear as \
      excluded in `networth --changes`.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @OptionGroup var totals: TotalsOptions

  func validate() throws { try totals.requireOne() }

  func execute() async throws {
    var name = account
    let isExcluded = totals.excludeFromTotals
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      var change = AccountChange()
      change.isExcludedFromTotals = isExcluded
      return [.amendAccount(found.id, change)]
    }
    try ledger.answer(
      recorded, "\(name) is \(isExcluded ? "excluded from" : "included in") totals.")
  }
}

extension TotalsOptions {
  /// Rejects a command without anything to change.
  func requireOne() throws {
    if isExcluded == nil {
      throw ValidationError("Use --exclude-from-totals or --include-in-totals.")
    }
  }
}
