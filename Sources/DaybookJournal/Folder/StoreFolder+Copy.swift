import DaybookEntities
import DaybookLMDB
import DaybookPlatform

extension StoreFolder {
  /// Creates a ledger from a consistent copy of the journal, without views; they are built when it
  /// is opened.
  ///
  /// The copy is created next to its destination and then renamed, so it appears there completely
  /// or not at all. The journal can be written in the meantime; the copy has its state at the
  /// start.
  ///
  /// - Parameters:
  ///   - journal: The live journal of this folder.
  ///   - path: The destination, which must not exist or be an empty folder.
  ///   - lineage: The lineage that the copy begins, or `nil` to keep this one's. A copy with
  ///     another lineage is also another replica. A copy that keeps it is a backup: it contains the
  ///     file `BACKUP` and is read-only.
  /// - Throws: `JournalError` with `alreadyExists`, `nested` if one folder would be inside the
  ///   other, `diskFull`, `fileSystem` or `storage`.
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
      // Use a views generation that has never existed, so that no existing views are trusted.
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
