internal import Entities
public import Journal
internal import LMDB

extension EventStore {
  /// Makes a store of a consistent copy of the journal at `path`, as of now.
  ///
  /// Readers and writers go on meanwhile. The copy keeps identity and lineage; its views are built
  /// when it is opened. Runs on the caller's thread.
  ///
  /// - Throws: `JournalError` where something is at the path already, or the copy fails.
  /// - Complexity: O(journal).
  public func backup(to path: String) throws {
    try folder.copy(openStore().journal, to: path)
  }

  /// Makes a store at `path` of a backup, with a new lineage: tokens of the store that was backed up
  /// are not valid in it.
  ///
  /// - Throws: `JournalError` where the backup is none or damaged, something is at the path already,
  ///   or the copy fails.
  /// - Complexity: O(journal).
  public static func restore(from backup: String, to path: String, schema: Schema) throws {
    let folder = try StoreFolder.open(at: backup)
    let journal = try JournalStore.open(
      folder, folder.current(), schema: schema, readOnly: true)
    _ = try journal.verifyChain()
    try folder.copy(journal, to: path, lineage: StoreFolder.newLineage())
  }
}
