internal import DaybookCLMDB
import DaybookPlatform

/// A read transaction that only protects pages from reuse; nothing is read through it.
struct HeldCommit {
  /// `MDB_txn`; nil if no commit is held.
  var raw: OpaquePointer?
}

// LMDB doesn't reuse the pages of a commit while a reader uses it. If the last flushed commit is
// held, its pages therefore survive any number of unflushed commits. After a power failure, the
// commit can be restored by writing back its meta pages.
extension Environment {
  /// Protects the pages of the newest commit from reuse.
  ///
  /// The protection ends when another commit is held, `releaseHeldCommit` is called, or the
  /// environment closes. Unlike a read transaction, it doesn't prevent closing the environment or
  /// growing the map, because nothing is read through it.
  ///
  /// - Throws: ``LMDBError``; the previously held commit then stays held.
  package func holdNewest() throws(LMDBError) {
    var taken: OpaquePointer?
    let code = try inside("mdb_txn_begin") {
      mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &taken)
    }
    try check(code, "mdb_txn_begin")
    hold(HeldCommit(raw: taken))
  }

  /// Allows the pages of the held commit to be reused.
  package func releaseHeldCommit() {
    hold(HeldCommit())
  }

  private func hold(_ next: HeldCommit) {
    // Pass the pointer as an integer, because a pointer can't be captured here. No other reference
    // to the transaction exists.
    let place = Int(bitPattern: next.raw)
    held.withLock { current in
      if let old = current.raw { mdb_txn_abort(old) }
      current.raw = OpaquePointer(bitPattern: place)
    }
  }

  /// Reads the two current meta pages.
  ///
  /// - Precondition: No commit happens during the call.
  package func metaPages() throws(LMDBError) -> MetaPages {
    let file = try OpenFile(path: path + "/data.mdb")
    return try MetaPages(of: file)
  }
}

/// The bytes of LMDB's two meta pages, which can restore the newer of the two commits.
package struct MetaPages: Hashable, Sendable {
  /// The first meta page, followed by the second.
  package let bytes: [UInt8]

  /// The number of bytes of both pages.
  package static let byteCount = 2 * MetaPage.byteCount

  private let pageByteCount: Int

  /// The number of the newer of the two commits.
  package var newestCommit: UInt64 {
    [0, MetaPage.byteCount].map { start in
      bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: start + MetaPage.byteCount - 8, as: UInt64.self)
      }
    }.reduce(0, max)
  }

  /// Creates meta pages from their bytes; `nil` if the bytes are invalid.
  package init?(bytes: [UInt8]) {
    guard bytes.count == MetaPages.byteCount else { return nil }
    let size = bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: MetaPage.sizeOffset, as: UInt32.self))
    }
    guard (256...65_536).contains(size), size & (size - 1) == 0 else { return nil }
    self.bytes = bytes
    pageByteCount = size
  }

  fileprivate init(of file: borrowing OpenFile) throws(LMDBError) {
    let size = try MetaPage.newest(of: file).pageByteCount
    let first = try Page(file, at: 0, byteCount: MetaPage.byteCount)
    let second = try Page(file, at: size, byteCount: MetaPage.byteCount)
    bytes = first.bytes + second.bytes
    pageByteCount = size
  }

  /// Writes the pages into a data file that isn't open, and flushes the file.
  ///
  /// This makes the newer of the two commits the newest again. That commit must have been flushed,
  /// and held during all later commits.
  ///
  /// - Parameter path: The folder.
  package func restore(path: String) throws(LMDBError) {
    let path = path + "/data.mdb"
    let file = try OpenFile(path: path, writing: true)
    for (index, offset) in [0, pageByteCount].enumerated() {
      let start = index * MetaPage.byteCount
      try file.write(Array(bytes[start..<start + MetaPage.byteCount]), at: offset)
    }
    try file.flush()
  }
}
