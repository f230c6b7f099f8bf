import ArgumentParser
import Daybook

/// `daybook undo`: takes back a commit.
struct UndoCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back a commit by recording its opposite.",
    discussion: """
      Nothing is edited in place: history keeps both. Refused where a later commit changed the \
      same, where something that would go is in use, or where a lock forbids it.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The commit, as `daybook history` numbers it; the newest one if left out.")
  var commit: UInt64?

  func execute() async throws {
    let (undone, made) = try await ledger.withLedger { opened in
      let newest = try opened.token.sequence
      let undone = commit ?? newest
      guard undone > 0 else {
        throw CommandFailure.notFound(
          "Nothing has been recorded yet.", remedy: "There is nothing to take back.")
      }
      let receipt = try await opened.undo(commit: undone)
      return (undone, receipt.token.sequence == newest ? nil : receipt.token.sequence)
    }
    try ledger.answer(
      [("undone", .count(undone)), ("sequence", made.map { .count($0) } ?? .null)],
      made.map { "Commit \(undone) is taken back by commit \($0)." }
        ?? "Commit \(undone) changed nothing that is still there.")
  }
}

/// `daybook undelete`: brings back what was deleted.
struct UndeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undelete", abstract: "Bring back something that was deleted, as it was.",
    discussion: "Its id is in `daybook history`; what it names has to be there.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The id of a transaction, account, category or other entity.")
  var id: String

  func execute() async throws {
    guard let entity = EntityID(id) else {
      throw CommandFailure.notFound(
        "“\(id)” is no id.", remedy: "Look for it in `daybook history`.")
    }
    let receipt = try await ledger.withLedger { try await $0.restore(entity: entity) }
    try ledger.answer(
      [("sequence", .count(receipt.token.sequence))],
      "Brought back by commit \(receipt.token.sequence).")
  }
}
