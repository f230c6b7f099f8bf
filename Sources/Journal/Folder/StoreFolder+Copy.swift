import Entities
import LMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension StoreFolder {
  /// Makes a ledger of a consistent copy of the journal, without views; they are built when it is
  /// opened.
  ///
  /// It is made aside and renamed into its place, so it is there whole or not at all. The journal
  /// may be written meanwhile: the copy is as of its beginning.
  ///
  /// - Parameters:
  ///   - journal: The live journal of this folder.
  ///   - path: Where the copy is to be; nothing, or an empty folder.
  ///   - lineage: The lineage that the copy begins, or `nil` to keep this one's. With another lineage
  ///     the copy is also another replica. One that keeps it is a backup: it says so in the file `BACKUP`, and can
  ///     only be read.
  /// - Throws: `JournalError` with `alreadyExists`, `nested` where one would lie in the other, `diskFull`,
  ///   `fileSystem` or `storage`.
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
      // The views of another generation than any that has been: there are none to be trusted.
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

  /// A lineage that no ledger has had.
  package static func newLineage() -> UInt64 { randomNumber() }
}
