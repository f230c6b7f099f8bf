import ArgumentParser
import Daybook

/// `daybook delete`: deletes transactions.
struct DeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete transactions.",
    discussion: "If one of them can't be deleted, none is. History keeps deleted transactions; "
      + "restore one with `daybook undelete`.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The transactions' ids, or places such as 2026-02-14#123.")
  var transactions: [String]

  func execute() async throws {
    var places: [String] = []
    let recorded = try await ledger.record { snapshot in
      var commands: [Command] = []
      for text in transactions {
        let row = try Lookup.transaction(text, in: snapshot)
        places.append(row.place)
        commands.append(.delete(row.id))
      }
      return commands
    }
    try ledger.answer(recorded, "Deleted \(places.joined(separator: ", ")).")
  }
}
