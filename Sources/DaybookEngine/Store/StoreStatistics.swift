package import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Statistics about the files of a store.
package struct StoreStatistics: Sendable {
  /// Statistics about one LMDB environment.
  package struct Files: Sendable {
    /// The number of bytes in the environment's pages.
    package let byteCount: Int
    /// The number of free bytes in these pages, which later commits reuse.
    package let freeByteCount: Int
    /// The number of bytes of reserved address space.
    package let mapByteCount: Int
    /// The number of bytes of a page.
    package let pageByteCount: Int
    /// The maximum number of reader slots that have been in use at the same time.
    package let readerCount: Int
  }

  /// The store's identity.
  package let identity: EntityID
  /// The version of the folder's format.
  package let formatVersion: UInt32
  /// The store's lineage, which a restore replaces.
  package let lineage: UInt64
  /// The live generation of the journal.
  package let journalGeneration: UInt32
  /// The live generation of the views.
  package let viewsGeneration: UInt32
  /// The newest commit.
  package let sequence: UInt64
  /// The time of the newest commit, in microseconds since 1970.
  package let wallMicroseconds: Int64
  /// The journal's files.
  package let journal: Files
  /// The views' files.
  package let views: Files
}

extension EventStore {
  /// Returns statistics about the store's files.
  package func storeStatistics() throws -> StoreStatistics {
    let open = try openStore()
    let head = try open.journal.head()
    return StoreStatistics(
      identity: folder.identity, formatVersion: open.journal.format, lineage: open.journal.lineage,
      journalGeneration: open.journal.generation, viewsGeneration: open.views.generation,
      sequence: head.sequence, wallMicroseconds: head.wallMicroseconds,
      journal: try StoreStatistics.Files(open.journal.environment),
      views: try StoreStatistics.Files(open.views.environment))
  }
}

extension StoreStatistics.Files {
  fileprivate init(_ environment: Environment) throws {
    let info = try environment.info
    freeByteCount = try environment.freePageCount() * info.pageByteCount
    byteCount = info.usedByteCount
    mapByteCount = info.mapByteCount
    pageByteCount = info.pageByteCount
    readerCount = info.readerCount
  }
}
