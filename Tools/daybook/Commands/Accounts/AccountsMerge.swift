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

      If both have stated balances, choose how to merge them with --stated-balances. \
      With add, two balances of the same day are replaced by their sum, and the others are \
      removed. With keep, only those of the second account stay. With remove, none stay.
      """)

  /// The options for the stated balances if both accounts have some.
  enum StatedBalances: String, ExpressibleByArgument, CaseIterable {
    case add, keep, remove
  }

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account to merge, which is deleted.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The account to merge into.", completion: LedgerCompletion.accounts)
  var into: String

  @Option(help: "How to merge the stated balances, if both accounts have some.")
  var statedBalances: StatedBalances?

  @OptionGroup var merge: MergeOptions

  func execute() async throws {
    try await ledger.merge(merge) { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      let heir = try Lookup.account(into, in: snapshot)
      let (before, after) = try statements(of: found, heir, snapshot)
      return (
        before + [.mergeAccounts(found.id, into: heir.id)] + after, found.name, heir.name, []
      )
    }
  }

  /// The commands about stated balances before and after the merge.
  private func statements(
    of found: Account, _ heir: Account, _ snapshot: borrowing Snapshot
  ) throws -> (before: [Command], after: [Command]) {
    let all = try snapshot.assertions()
    let own = all.filter { $0.account == found.id }
    let others = all.filter { $0.account == heir.id }
    if own.isEmpty || others.isEmpty || found.id == heir.id { return ([], []) }
    guard let statedBalances else {
      throw CommandFailure(
        .refused, code: "refused",
        "Couldn't merge \(found.name) into \(heir.name): both have stated balances, and the "
          + "merged account has neither.",
        remedy: "Add --stated-balances add to add up those of the same day, keep to keep only "
          + "\(heir.name)'s, or remove to remove all.")
    }
    let removed = statedBalances == .keep ? own : own + others
    var sums: [Command] = []
    if statedBalances == .add {
      for one in others {
        guard let same = own.last(where: { $0.day == one.day }) else { continue }
        let sum = try one.balance + same.balance
        let notes = [one.note, same.note].filter { !$0.isEmpty }
        sums.append(
          .assertBalance(heir.id, sum, on: one.day, note: notes.joined(separator: "; ")))
      }
    }
    return (removed.map { .removeAssertion($0.id) }, sums)
  }
}
