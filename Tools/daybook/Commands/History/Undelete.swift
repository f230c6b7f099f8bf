import ArgumentParser
import Daybook

/// `daybook undelete`: restores deleted entities.
struct UndeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undelete", abstract: "Restore a deleted transaction or other entity.",
    discussion: """
      Name it by its place, such as 2026-02-14#123, or by the id that `daybook history --json` \
      shows. \
      Without a name, the last deletion is restored if it deleted a single entity. Everything it \
      refers to must exist.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: ArgumentHelp(
      "The entity to restore (default: the last one deleted).", valueName: "id|place"))
  var entity: String?

  func validate() throws {
    if let entity, EntityID(entity) == nil, Lookup.key(entity) == nil {
      throw ValidationError(
        "“\(entity)” is neither a place such as 2026-02-14#123 nor an id. `daybook history` lists "
          + "deletions.")
    }
  }

  private struct Content: Encodable, Sendable {
    var sequence: UInt64
    /// The deletion that was reversed.
    var deletion: RecordedChange?
  }

  /// A change that deleted an entity, and the commit that contains it.
  private struct Deletion {
    var change: RecordedChange
    var entry: HistoryEntry
  }

  func execute() async throws {
    let (recorded, change, deed) = try await ledger.withLedger { opened in
      let found = try entity.map { try named($0, opened) } ?? newest(opened)
      let change = found?.change
      var names = try opened.read { try Names($0) }
      if let found { names.subjects = try opened.subjects(of: [found.entry]) }
      let id = change?.id ?? entity.flatMap { EntityID($0) } ?? EntityID(high: 0, low: 0)
      let receipt = try await opened.restore(entity: id)
      return (
        Recorded(receipt: receipt, names: try ledger.names(in: opened)), change,
        change.map { ChangeText.subject(of: $0, names) } ?? "\(id)"
      )
    }
    let sequence = recorded.receipt.token.sequence
    try ledger.answer(
      recorded, with: Content(sequence: sequence, deletion: change),
      "Restored \(deed) (commit \(sequence)).")
  }

  /// Finds the deletion of the transaction at the given place in the list.
  ///
  /// Returns `nil` if the text is an id, because the ledger finds deletions by id itself.
  private func named(_ text: String, _ opened: Ledger) throws -> Deletion? {
    guard let key = Lookup.key(text) else { return nil }
    let isThere = try opened.read { snapshot in
      try snapshot.transactions(
        after: TransactionPosition(day: key.day, number: key.number + 1), limit: 1
      ).first?.key == key
    }
    if isThere {
      throw CommandFailure(
        .refused, code: "there", "Couldn't restore \(text): it isn't deleted.",
        remedy: "See it with `daybook show \(text)`.")
    }
    var filter = HistoryFilter()
    filter.kinds = [.transaction]
    var cursor = try opened.history(before: nil, matching: filter).cursor()
    while let entry = try cursor.next() {
      for change in entry.changes.reversed() where change.stored.number == key.number {
        guard change.operation == .delete else {
          throw CommandFailure.notFound(
            "Couldn't restore \(text): transaction #\(key.number) isn't deleted and is on another "
              + "day.",
            remedy: "See it with `daybook show \(change.id)`.")
        }
        let day = change.deletedTransaction?.day
        if let day, day != key.day {
          throw CommandFailure.notFound(
            "Couldn't restore \(text): the deleted transaction #\(key.number) was on another day.",
            remedy: "Restore it with `daybook undelete \(day)#\(key.number)`.")
        }
        return Deletion(change: change, entry: entry)
      }
    }
    throw CommandFailure.notFound(
      "Couldn't restore \(text): history has no deleted transaction at this place.",
      remedy: "List deletions with `daybook history --kind transaction`.")
  }

  /// The newest deletion that hasn't been reversed.
  ///
  /// - Throws: `CommandFailure` if the newest such commit deleted several entities, or if there is
  ///   none.
  private func newest(_ opened: Ledger) throws -> Deletion {
    var cursor = try opened.history(before: nil).cursor()
    // If a newer commit changed an entity, the entity exists again, so its deletion doesn't count.
    var seen: Set<EntityID> = []
    while let entry = try cursor.next() {
      let own = entry.changes.filter { $0.kind != .fingerprint }
      let deletions = own.filter { $0.isDeletion && !seen.contains($0.id) }
      if deletions.count == 1 { return Deletion(change: deletions[0], entry: entry) }
      if deletions.count > 1 {
        let names = try opened.read { try Names($0) }
        let more = deletions.count > 10 ? ["… and \(deletions.count - 10) more"] : []
        throw CommandFailure(
          .refused, code: "several",
          "Couldn't choose what to restore: the last deletion, commit \(entry.sequence), deleted "
            + "\(deletions.count) entities.",
          remedy: "Name one of them, or restore all of them with `daybook undo \(entry.sequence)`.",
          details: deletions.prefix(10).map { ChangeText.subject(of: $0, names) } + more)
      }
      seen.formUnion(own.map(\.id))
    }
    throw CommandFailure.notFound(
      "There is nothing to restore: no deletions are left.",
      remedy: "List recorded changes with `daybook history`.")
  }
}

extension RecordedChange {
  /// Whether the change deleted the entity, or marked an account or category with transactions as
  /// deleted.
  fileprivate var isDeletion: Bool {
    operation == .delete
      || differences.contains { $0.name == "isDeleted" && $0.after == .flag(true) }
  }
}
