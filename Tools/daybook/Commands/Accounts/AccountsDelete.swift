import ArgumentParser
import Daybook

/// The options for the transactions of a deleted account or category.
struct DeletionOptions: ParsableArguments {
  @Flag(help: "Keep the transactions, under the deleted name. Totals don't change.")
  var keepRows = false

  @Flag(help: "Delete the transactions too, including both sides of transfers.")
  var withRows = false

  @Option(help: ArgumentHelp("Move the transactions here.", valueName: "name"))
  var moveTo: String?

  func validate() throws {
    let given = [keepRows, withRows, moveTo != nil].filter { $0 }.count
    if given > 1 {
      throw ValidationError("Use only one of --keep-rows, --with-rows and --move-to.")
    }
  }

  /// The requested policy, or `nil` if none was given.
  func policy<ID>(_ target: (String) throws -> ID) throws -> DeletionPolicy<ID>? {
    if keepRows { return .keepRows }
    if withRows { return .withRows }
    return try moveTo.map { .move(to: try target($0)) }
  }

  /// The end of a sentence about the deletion, which states the effect on `rows` transactions.
  func sentence(rows: Int) -> String {
    let count = Figures.counted(rows, "transaction")
    if withRows { return " with \(count)" }
    if let moveTo { return " and moved \(count) to \(moveTo)" }
    return keepRows ? " and kept its transactions" : ""
  }
}

extension [Outcome] {
  /// The number of transactions that deletions and merges changed.
  var changedRowCount: Int {
    reduce(0) { sum, outcome in
      if case .rows(let count) = outcome { sum + count } else { sum }
    }
  }
}

/// `daybook accounts delete`: deletes an account.
struct AccountsDeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an account, and keep, delete or move its transactions.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @OptionGroup var deletion: DeletionOptions

  func execute() async throws {
    var name = account
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      let policy = try deletion.policy { try Lookup.account($0, in: snapshot).id }
      guard let policy else {
        let count = try snapshot.count(TransactionFilter(account: found.id))
        throw CommandFailure.usage(
          "Couldn't delete \(found.name): it has \(Figures.counted(count, "transaction")).",
          remedy: "Add --keep-rows, --with-rows or --move-to ACCOUNT.")
      }
      return [.deleteAccount(found.id, policy)]
    }
    let count = recorded.receipt.outcomes.changedRowCount
    try ledger.answer(
      recorded, "Deleted \(name)\(deletion.sentence(rows: count)).")
  }
}
