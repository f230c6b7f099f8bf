import ArgumentParser
import Daybook

/// `daybook delete`: deletes transactions.
struct DeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete transactions: all that are named, or none.",
    discussion: "History keeps what they were.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "Their ids, or places such as 2026-02-14#123.")
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
