package import DaybookEntities
package import DaybookSyncWire

/// A store to which a log can be copied; see ``LogCopier``.
///
/// Entries and chunks are written first, under a ledger that the store doesn't have yet.
/// ``finishCopy(_:of:)`` then adds the ledger in one transaction, so an interrupted copy is never
/// served.
package protocol CopyTarget: RelayStore {
  /// Deletes the entries and chunks of an interrupted copy.
  ///
  /// - Returns: Whether there were any. If the store contains the ledger, the method deletes
  ///   nothing and returns `false`.
  func discardCopy(of ledger: EntityID) async throws -> Bool
  /// Writes the next entries of a copy.
  func place(_ entries: [KeptEntry], of ledger: EntityID) async throws
  /// Writes a chunk of a copy.
  func place(_ chunk: SealedEntry, of ledger: EntityID) async throws
  /// Writes the rest of the log's data, after which the ledger is served.
  ///
  /// - Throws: ``CopyFault`` if the store already contains the ledger, or lacks part of the copy.
  func finishCopy(_ record: LogRecord, of ledger: EntityID) async throws
}

/// An entry of a log, with its position.
package struct KeptEntry: Sendable {
  /// The entry's position.
  package var position: UInt64
  /// The entry with the metadata that is stored with it.
  package var row: EntryRow
}

/// The reason why a log couldn't be copied.
package enum CopyFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The source's log fails verification.
  case damaged(EntityID, [String])
  /// The target contains another log of the ledger.
  case alreadyThere(EntityID)
  /// The log has already been copied to another location.
  case copiedBefore(EntityID, to: String)
  /// The source's log, devices or quota changed during the copy.
  case changed(EntityID)
  /// The target lacks data that was written to it.
  case incomplete(EntityID, [String])

  /// The problem and its remedy, as sentences.
  package var description: String {
    switch self {
    case .damaged(let ledger, let faults):
      "Couldn't copy \(ledger): its log is damaged (\(faults.joined(separator: "; "))). "
        + "Restore the folder from a backup, and copy again."
    case .alreadyThere(let ledger):
      "Couldn't copy \(ledger): the target already has this ledger, with a different log."
    case .copiedBefore(let ledger, let place):
      "Couldn't copy \(ledger): it was copied to \(place) before. If that copy was never served, run "
        + "`daybook-relay ledgers \(ledger) --serve-again` on this folder, and copy again."
    case .changed(let ledger):
      "Couldn't copy \(ledger): it changed during the copy. Run the command again."
    case .incomplete(let ledger, let faults):
      "The copy of \(ledger) is not complete (\(faults.joined(separator: "; "))). Don't serve it."
    }
  }
}
