internal import DaybookCLMDB

/// A meta page of a data file: the page size and the roots of one commit.
///
/// The layout is that of LMDB's data format 1 on 64-bit machines, in the byte order of the machine.
/// A page header of 16 bytes (page number at 0, flags at 10) is followed by the magic number,
/// version, address, map size, the records of the free list and of the main database, the last page
/// and the transaction ID.
struct MetaPage: Equatable {
  static let headerByteCount = 16
  static let byteCount = headerByteCount + 24 + 2 * TreeRoot.byteCount + 16
  /// The offset of the page size.
  static let sizeOffset = headerByteCount + 24
  static let magic: UInt32 = 0xBEEF_C0DE
  static let version: UInt32 = 1
  /// The maximum size of a map: the address space of a process on 64-bit machines.
  static let mapByteCountMax: UInt64 = 1 << 47

  private let version: UInt32
  let mapByteCount: UInt64
  let pageByteCount: Int
  let freeList: TreeRoot
  let main: TreeRoot
  let lastPage: UInt64
  let transactionID: UInt64

  /// Reads the newer of the two meta pages.
  static func newest(of file: borrowing OpenFile) throws(LMDBError) -> MetaPage {
    let (first, second) = try both(of: file)
    return newer(first, second)
  }

  /// Returns the newer of the two meta pages.
  static func newer(_ first: MetaPage, _ second: MetaPage) -> MetaPage {
    second.transactionID > first.transactionID ? second : first
  }

  /// Reads the two meta pages in the order of the file.
  static func both(
    of file: borrowing OpenFile
  ) throws(LMDBError) -> (first: MetaPage, second: MetaPage) {
    let first = try MetaPage(file, at: 0)
    let second = try MetaPage(file, at: first.pageByteCount)
    switch (first.version == version, second.version == version) {
    case (true, true): return (first, second)
    case (false, false): throw FileJudgement.fault(MDB_VERSION_MISMATCH, file.path)
    // One program writes both pages, so their versions can't differ.
    default: throw FileJudgement.fault(MDB_CORRUPTED, file.path)
    }
  }

  /// Checks that the two meta pages belong to consecutive commits.
  ///
  /// Commits alternate between the pages; even-numbered commits are on the first. If a transaction
  /// number were damaged, LMDB could take the older commit for the newest and silently lose the
  /// newest one.
  static func checkTurns(_ first: MetaPage, _ second: MetaPage) throws(StructureFault) {
    let (even, odd) = (first.transactionID, second.transactionID)
    // In a new environment, both numbers are zero.
    if even == 0, odd == 0 { return }
    guard even.isMultiple(of: 2), !odd.isMultiple(of: 2), even &+ 1 == odd || odd &+ 1 == even
    else {
      throw StructureFault(nil, "its meta pages are of commits \(even) and \(odd)")
    }
    guard first.pageByteCount == second.pageByteCount else {
      throw StructureFault(nil, "its meta pages have different page sizes")
    }
    let (newer, older) = odd > even ? (second, first) : (first, second)
    // LMDB never removes pages from a file.
    guard newer.lastPage >= older.lastPage else {
      throw StructureFault(
        nil,
        "its newest commit has \(newer.lastPage) pages, but the previous one has \(older.lastPage)")
    }
    guard max(first.mapByteCount, second.mapByteCount) <= mapByteCountMax else {
      throw StructureFault(nil, "its meta pages have an impossible map size")
    }
  }

  private init(_ file: borrowing OpenFile, at offset: Int) throws(LMDBError) {
    let page = try Page(file, at: offset, byteCount: Self.byteCount)
    let path = file.path
    guard page.bytes.count == Self.byteCount else {
      throw FileJudgement.fault(LMDBError.Own.truncated, path)
    }
    let start = Self.headerByteCount
    guard page.flags & Page.Flags.meta != 0, page.load(UInt32.self, at: start) == Self.magic else {
      throw FileJudgement.fault(MDB_INVALID, path)
    }
    version = page.load(UInt32.self, at: start + 4) ?? 0
    mapByteCount = page.load(UInt64.self, at: start + 16) ?? 0
    let roots = Self.sizeOffset
    pageByteCount = Int(page.load(UInt32.self, at: roots) ?? 0)
    guard (256...65_536).contains(pageByteCount), pageByteCount & (pageByteCount - 1) == 0,
      let freeList = TreeRoot(page, at: roots),
      let main = TreeRoot(page, at: roots + TreeRoot.byteCount),
      let lastPage = page.load(UInt64.self, at: roots + 2 * TreeRoot.byteCount),
      let transactionID = page.load(UInt64.self, at: roots + 2 * TreeRoot.byteCount + 8)
    else { throw FileJudgement.fault(MDB_INVALID, path) }
    self.freeList = freeList
    self.main = main
    self.lastPage = lastPage
    self.transactionID = transactionID
  }
}

/// The record of one tree: `MDB_db`.
struct TreeRoot: Equatable {
  static let byteCount = 48

  let flags: UInt16
  let depth: Int
  let counts: TreeCounts
  /// The number of the root page; nil for an empty tree.
  let page: UInt64?

  var overflowPageCount: UInt64 { counts.overflowPages }

  init?(_ bytes: Page, at offset: Int) {
    guard let flags = bytes.load(UInt16.self, at: offset + 4),
      let depth = bytes.load(UInt16.self, at: offset + 6),
      let branchPages = bytes.load(UInt64.self, at: offset + 8),
      let leafPages = bytes.load(UInt64.self, at: offset + 16),
      let overflowPages = bytes.load(UInt64.self, at: offset + 24),
      let entries = bytes.load(UInt64.self, at: offset + 32),
      let root = bytes.load(UInt64.self, at: offset + 40)
    else { return nil }
    self.flags = flags
    self.depth = Int(depth)
    counts = TreeCounts(
      branchPages: branchPages, leafPages: leafPages, overflowPages: overflowPages,
      entries: entries)
    page = root == .max ? nil : root
  }
}

/// The bytes of one page, with bounds-checked access.
struct Page {
  enum Flags {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
    static let leafOfFixedSize: UInt16 = 0x20
  }

  let bytes: [UInt8]

  init(_ file: borrowing OpenFile, at offset: Int, byteCount: Int) throws(LMDBError) {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var failure: LMDBError?
    var count = 0
    bytes.withUnsafeMutableBytes {
      do throws(LMDBError) { count = try file.read(into: $0, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
    bytes.removeLast(byteCount - count)
    self.bytes = bytes
  }

  /// Reads a number at an offset; nil if the number isn't entirely within the page.
  func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<T>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  var number: UInt64? { load(UInt64.self, at: 0) }
  var flags: UInt16 { load(UInt16.self, at: 10) ?? 0 }

  /// The number of nodes, or nil if the page header is invalid.
  var nodeCount: Int? {
    guard let end = load(UInt16.self, at: 12).map(Int.init), end >= 16, end <= bytes.count
    else { return nil }
    return (end - 16) / 2
  }

  /// Returns the offset of a node.
  func nodeOffset(_ index: Int) -> Int? {
    load(UInt16.self, at: 16 + 2 * index).map(Int.init)
  }

  /// Returns the fields of a node.
  ///
  /// They are the low and high halves of a size or page number, the flags, and the offset of the
  /// data.
  func node(_ index: Int) -> (low: UInt64, high: UInt64, flags: UInt16, data: Int)? {
    guard let offset = nodeOffset(index), offset >= 16,
      let first = load(UInt16.self, at: offset), let second = load(UInt16.self, at: offset + 2),
      let flags = load(UInt16.self, at: offset + 4),
      let keyByteCount = load(UInt16.self, at: offset + 6),
      offset + 8 + Int(keyByteCount) <= bytes.count
    else { return nil }
    #if _endian(little)
      return (UInt64(first), UInt64(second), flags, offset + 8 + Int(keyByteCount))
    #else
      return (UInt64(second), UInt64(first), flags, offset + 8 + Int(keyByteCount))
    #endif
  }
}
