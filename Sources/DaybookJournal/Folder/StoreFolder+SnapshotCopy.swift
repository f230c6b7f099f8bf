import DaybookEntities
import DaybookPlatform

// A snapshot copy is a folder with a journal and views that never change, so that other processes
// can read it without locks. Copying again adds a generation and makes it live; readers that still
// have the old files open continue to read them.
extension StoreFolder {
  private static let snapshotCopyName = "SNAPSHOT"
  private static let snapshotCopyTitle = "daybook snapshot copy"

  /// Whether this folder contains a snapshot copy.
  package func isSnapshotCopy() throws(JournalError) -> Bool {
    try Files.identity(path + "/" + StoreFolder.snapshotCopyName) != nil
  }

  /// Makes a snapshot copy of this ledger, or replaces an earlier one.
  ///
  /// A new copy is created next to its destination and then renamed, and a new generation becomes
  /// live with `CURRENT`. So other processes see the old copy or the new one, never a part.
  ///
  /// - Parameters:
  ///   - path: The destination: an earlier copy of this ledger, an empty folder, or none.
  ///   - journal: The live journal.
  ///   - contents: A text that identifies what the copy contains. If an earlier copy has the same,
  ///     nothing is copied.
  ///   - copy: Copies the journal and the views to a folder, under the given number.
  /// - Returns: Whether anything was copied.
  /// - Throws: `JournalError` with `alreadyExists` if the destination contains anything else;
  ///   `nested`, `diskFull`, `fileSystem` or `storage`.
  package func makeSnapshotCopy(
    at path: String, of journal: JournalStore, contents: String,
    _ copy: (_ made: StoreFolder, _ number: UInt32) throws -> Void
  ) throws -> Bool {
    let path = StoreFolder.trimmed(path)
    try checkIsApart(from: path)
    if let old = try earlierCopy(at: path) {
      return try old.withWriter { lock in
        if try old.snapshotContents() == contents { return false }
        try old.removeUnfinished(holding: lock)
        try old.makeLive(try old.current().highest + 1, journal, contents, copy)
        try old.removeUnfinished(holding: lock)
        return true
      }
    }
    try StoreFolder.makeAside(path) { aside throws(JournalError) in
      let made = StoreFolder(path: aside, identity: identity, isFlushed: true, support: support)
      try made.furnishFormat()
      do { try made.makeLive(1, journal, contents, copy) } catch {
        throw storageError(error, "Copying the ledger to", aside)
      }
    }
    try Files.flushFolder(StoreFolder.parent(of: path))
    return true
  }

  private func earlierCopy(at path: String) throws(JournalError) -> StoreFolder? {
    guard try Files.identity(path + "/" + StoreFolder.snapshotCopyName) != nil else { return nil }
    let found = try StoreFolder.open(at: path, supporting: support)
    guard found.identity == identity else {
      throw JournalError(
        .alreadyExists, "“\(path)” is a copy of another ledger: choose another folder.", path: path)
    }
    return found
  }

  private func snapshotContents() throws(JournalError) -> String? {
    let place = path + "/" + StoreFolder.snapshotCopyName
    let bytes = try Files.read(place, upTo: TextFile.byteCountMax)
    return TextFile(bytes, title: StoreFolder.snapshotCopyTitle)?["contents"]
  }

  private func makeLive(
    _ number: UInt32, _ journal: JournalStore, _ contents: String,
    _ copy: (_ made: StoreFolder, _ number: UInt32) throws -> Void
  ) throws {
    try copy(self, number)
    try Files.flushFolder(path)
    try writeCurrent(
      Current(
        journal: number, views: number, lineage: journal.lineage, highest: number,
        format: journal.format))
    // If this file is stale because the process died, the next copy is made again.
    try TextFile(title: StoreFolder.snapshotCopyTitle, lines: [("contents", contents)]).write(
      StoreFolder.snapshotCopyName, in: path, flushing: true)
  }
}
