internal import Entities
public import Journal
internal import LMDB

extension EventStore {
  /// Makes a store of a consistent copy of the journal at `path`, as of now.
  ///
  /// Readers and writers go on meanwhile. The copy keeps identity and lineage; its views are built
  /// when it is opened. Runs on the caller's thread.
  ///
  /// - Throws: `JournalError` where something is at the path already, it lies in the store's own folder, or the
  ///   copy fails.
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
    var folder = try StoreFolder.open(at: backup)
    var sharedLockPath: String?
    var place: TemporaryFolder?
    if try folder.writingRefusal() != nil {
      sharedLockPath = folder.writerPath
      if try folder.needsRecovery() {
        let made = try TemporaryFolder()
        folder = try recoveredCopy(of: folder, in: made)
        place = made
        sharedLockPath = nil
      }
    }
    defer { withExtendedLifetime(place) {} }
    let journal = try JournalStore.open(
      folder, folder.current(), schema: schema, readOnly: true, sharedLockPath: sharedLockPath)
    _ = try journal.verifyChain()
    try folder.copy(journal, to: path, lineage: StoreFolder.newLineage())
  }

  /// A copy of the store in a temporary folder, as of now, in which decisions can be tried out; it is gone when it is
  /// closed.
  ///
  /// - Complexity: O(history).
  package func scratchCopy() async throws -> EventStore {
    let place = try TemporaryFolder()
    let path = place.path + "/ledger"
    try folder.copy(openStore().journal, to: path, lineage: StoreFolder.newLineage())
    var options = options
    options.isReadOnly = false
    options.sharedLockPath = nil
    let copy = try await EventStore.open(
      at: path, schema: schema, projections: types, options: options)
    copy.place.withLock { $0 = place }
    return copy
  }

  /// A copy of a store in which nothing can be written, whose journal has been recovered.
  private static func recoveredCopy(
    of folder: StoreFolder, in place: TemporaryFolder
  ) throws -> StoreFolder {
    let lock = try folder.lockShared()
    defer { lock.release() }
    let path = place.path + "/ledger"
    try folder.copyFiles(to: path, holding: lock)
    let copy = try StoreFolder.open(at: path)
    try copy.recoverJournal()
    return copy
  }
}
