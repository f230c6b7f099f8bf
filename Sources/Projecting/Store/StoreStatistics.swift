package import Entities
internal import Journal
internal import LMDB

/// What is known of the files of a store.
package struct StoreStatistics: Sendable {
  /// One LMDB environment.
  package struct Files: Sendable {
    /// Bytes that its pages take up.
    package let byteCount: Int
    /// Bytes of these that are free, to be used by later commits.
    package let freeByteCount: Int
    /// Bytes of address space set aside.
    package let mapByteCount: Int
    /// Bytes of one page.
    package let pageByteCount: Int
    /// Reader slots that have been in use at the same time.
    package let readerCount: Int
  }

  /// The store's identity.
  package let identity: EntityID
  /// The version of the folder's format.
  package let formatVersion: UInt32
  /// The lineage.
  package let lineage: UInt64
  /// The live generation of the journal.
  package let journalGeneration: UInt32
  /// The live generation of the views.
  package let viewsGeneration: UInt32
  /// The newest commit.
  package let sequence: UInt64
  /// Its time, in microseconds since 1970.
  package let wallMicroseconds: Int64
  /// The journal's files.
  package let journal: Files
  /// The views' files.
  package let views: Files
}

extension EventStore {
  /// What is known of the files.
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
