import ArgumentParser
import Daybook

/// `daybook undelete`: restores something deleted.
struct UndeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "undelete", abstract: "Bring back something that was deleted, as it was.",
    discussion: """
      Named by its place, such as 2026-02-14#123, or by the id that `daybook history` shows. Without \
      a name the last thing that was deleted comes back, where it was deleted alone. What it names \
      has to be there.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: ArgumentHelp(
      "What to bring back; the last thing that was deleted if left out.", valueName: "id|place"))
  var entity: String?

  func validate() throws {
    if let entity, EntityID(entity) == nil, Lookup.key(entity) == nil {
      throw ValidationError(
        "“\(entity)” is neither a place such as 2026-02-14#123 nor an id. "
          + "`daybook history` shows what was deleted.")
    }
  }

  private struct Content: Encodable, Sendable {
    var sequence: UInt64
    /// The deletion that was reversed.
    var deletion: RecordedChange?
  }

  func execute() async throws {
    let (recorded, change, deed) = try await ledger.withLedger { opened in
      let change = try entity.map { try named($0, opened) } ?? newest(opened)
      let names = try opened.read { try Names($0) }
      let id = change?.id ?? entity.flatMap { EntityID($0) } ?? EntityID(high: 0, low: 0)
      let receipt = try await opened.restore(entity: id)
      return (
        Recorded(receipt: receipt, names: try ledger.names(in: opened)), change,
        change.map { Deed.subject(of: $0, names) } ?? "\(id)"
      )
    }
    let sequence = recorded.receipt.token.sequence
    try ledger.answer(
      recorded, with: Content(sequence: sequence, deletion: change),
      "Brought back by commit \(sequence): \(deed).")
  }

  /// Finds the deletion of the transaction with the given place.
  ///
  /// Returns `nil` if the text is an id, because the ledger finds those deletions itself.
  private func named(_ text: String, _ opened: Ledger) throws -> RecordedChange? {
    guard let key = Lookup.key(text) else { return nil }
    let isThere = try opened.read { snapshot in
      try snapshot.transactions(
        after: TransactionPosition(day: key.day, number: key.number + 1), limit: 1
      ).first?.key == key
    }
    if isThere {
      throw CommandFailure(
        .refused, code: "there", "\(text) is there; it was not deleted, or it is back.",
        remedy: "`daybook show \(text)` shows it.")
    }
    var filter = HistoryFilter()
    filter.kinds = [.transaction]
    var cursor = try opened.history(before: nil, matching: filter).cursor()
    while let entry = try cursor.next() {
      for change in entry.changes.reversed() where change.stored.number == key.number {
        guard change.operation == .delete else {
          throw CommandFailure.notFound(
            "There is no deleted row \(text): row #\(key.number) is there on another day.",
            remedy: "`daybook show \(change.id)` shows it.")
        }
        let day = change.deletedTransaction?.day
        if let day, day != key.day {
          throw CommandFailure.notFound(
            "There is no deleted row \(text): row #\(key.number) stood on another day.",
            remedy: "Its place was \(day)#\(key.number).")
        }
        return change
      }
    }
    throw CommandFailure.notFound(
      "History knows of no deleted row \(text).",
      remedy: "`daybook history --kind transaction` shows what was deleted.")
  }

  /// The newest deletion that hasn't been reversed.
  ///
  /// - Throws: `CommandFailure` if the newest such commit deleted several entities, or if there is
  ///   none.
  private func newest(_ opened: Ledger) throws -> RecordedChange {
    var cursor = try opened.history(before: nil).cursor()
    // Entities changed by newer commits exist again, so their deletions don't count.
    var seen: Set<EntityID> = []
    while let entry = try cursor.next() {
      let own = entry.changes.filter { $0.kind != .fingerprint }
      let deletions = own.filter { $0.isDeletion && !seen.contains($0.id) }
      if deletions.count == 1 { return deletions[0] }
      if deletions.count > 1 {
        let names = try opened.read { try Names($0) }
        let more = deletions.count > 10 ? ["… and \(deletions.count - 10) more"] : []
        throw CommandFailure(
          .refused, code: "several",
          "The last deletion, commit \(entry.sequence), was of \(deletions.count) things.",
          remedy: "Name one of them, or bring all back with `daybook undo \(entry.sequence)`.",
          details: deletions.prefix(10).map { Deed.subject(of: $0, names) } + more)
      }
      seen.formUnion(own.map(\.id))
    }
    throw CommandFailure.notFound(
      "Nothing that was deleted is still gone.",
      remedy: "`daybook history` shows what was recorded.")
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
