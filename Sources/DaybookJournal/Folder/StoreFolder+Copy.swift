import DaybookEntities
import DaybookLMDB
import DaybookPlatform

extension StoreFolder {
  /// Creates a ledger from a consistent copy of the journal, without views.
  ///
  /// The views are built when the copy is opened. The copy is created next to its destination and
  /// then renamed, so it appears at its destination completely or not at all. The journal can be
  /// written during the copy; the copy contains the journal's state at the start.
  ///
  /// - Parameters:
  ///   - journal: The live journal of this folder.
  ///   - path: The destination, which must be an empty folder or not exist.
  ///   - lineage: The lineage of the copy, or `nil` to keep this ledger's lineage. A copy with a
  ///     new lineage is also a new replica. A copy that keeps the lineage is a backup: it contains
  ///     the file `BACKUP` and is read-only.
  /// - Throws: `JournalError` with `alreadyExists`, `diskFull`, `fileSystem` or `storage`, or with
  ///   `nested` if one of the two folders is inside the other.
  package func copy(
    _ journal: JournalStore, to path: String, lineage: UInt64? = nil
  ) throws(JournalError) {
    let path = StoreFolder.trimmed(path)
    try checkIsApart(from: path)
    try StoreFolder.makeAside(path) { aside throws(JournalError) in
      let made = StoreFolder(
        path: aside, identity: identity, isFlushed: true, support: support)
      try made.furnishFormat()
      do {
        let place = made.journalPath(journal.generation)
        try journal.environment.copyCompacted(to: place)
        if lineage != nil { try JournalStore.renewReplica(at: place) }
      } catch {
        throw storageError(error, "Copying the journal to", aside)
      }
      // The number of the views generation has never been used, so no existing views can be
      // mistaken for the copy's views.
      let highest = try current().highest + 1
      try made.writeCurrent(
        Current(
          journal: journal.generation, views: highest, lineage: lineage ?? journal.lineage,
          highest: highest, format: journal.format))
      if lineage == nil {
        try TextFile(title: StoreFolder.backupTitle, lines: []).write(
          "BACKUP", in: aside, flushing: true)
      }
    }
    try Files.flushFolder(StoreFolder.parent(of: path))
  }

  static let backupTitle = "daybook backup"

  /// Returns a new random lineage.
  package static func newLineage() -> UInt64 { randomNumber() }
}
