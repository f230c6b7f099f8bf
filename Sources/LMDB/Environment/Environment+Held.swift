internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A read transaction that is kept for the sake of the pages it protects; nothing is read through it.
struct HeldCommit {
  /// `MDB_txn`; nil where none is kept.
  var raw: OpaquePointer?
}

// Commits that are not flushed leave the pages of an older one alone as long as somebody reads that. So a commit
// that was flushed can be had again after a power failure, whatever was written since: by its meta pages.
extension Environment {
  /// Keeps every page of the newest commit from being used again, until another one is held, `letGo`, or the
  /// environment closes.
  ///
  /// Unlike a read transaction it hinders neither closing nor growing the map, since nobody reads through it.
  ///
  /// - Throws: ``LMDBError``; what was held before still is.
  package func holdNewest() throws(LMDBError) {
    var taken: OpaquePointer?
    let code = try inside("mdb_txn_begin") {
      mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &taken)
    }
    try check(code, "mdb_txn_begin")
    hold(HeldCommit(raw: taken))
  }

  /// Lets the pages of the commit that was held be used again.
  package func letGo() {
    hold(HeldCommit())
  }

  private func hold(_ next: HeldCommit) {
    // The address is a number until the lock is held: it belongs to nobody else.
    let place = Int(bitPattern: next.raw)
    held.withLock { current in
      if let old = current.raw { mdb_txn_abort(old) }
      current.raw = OpaquePointer(bitPattern: place)
    }
  }

  /// The two meta pages as they are now.
  ///
  /// Nobody may commit meanwhile.
  package func metaPages() throws(LMDBError) -> MetaPages {
    let file = try OpenFile(path: path + "/data.mdb")
    return try MetaPages(of: file)
  }
}

/// What LMDB's two meta pages say, byte for byte: enough to have the newer of their commits again.
package struct MetaPages: Hashable, Sendable {
  /// Both, one behind the other.
  package let bytes: [UInt8]

  /// The bytes of both.
  package static let byteCount = 2 * MetaPage.byteCount

  private let pageByteCount: Int

  /// The newer of the two commits.
  package var newestCommit: UInt64 {
    [0, MetaPage.byteCount].map { start in
      bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: start + MetaPage.byteCount - 8, as: UInt64.self)
      }
    }.reduce(0, max)
  }

  /// Pages from their bytes, or `nil` where those are no pages of LMDB.
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

  /// Writes the pages into a data file that nobody has open, and flushes it.
  ///
  /// The newer commit of the two is then the newest again, provided that it was flushed, and held as long as
  /// anything was committed after it.
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
