internal import DaybookCLMDB

/// Walks the trees of a data file, without mapping it, to find every reachable page.
///
/// See ``FileJudgement``.
struct PageWalker {
  /// The maximum depth of a tree that LMDB's cursors can follow.
  static let depthMax = 32

  private enum NodeFlags {
    static let overflow: UInt16 = 0x01
    static let tree: UInt16 = 0x02
  }

  private let meta: MetaPage
  /// The number of complete pages in the file.
  private let pageCount: UInt64
  /// One bit per page that has been reached; each page may be reached only once.
  private var reached: [UInt64]

  init(meta: MetaPage, pageCount: Int) {
    self.meta = meta
    self.pageCount = UInt64(pageCount)
    reached = Array(repeating: 0, count: pageCount / 64 + 1)
  }

  mutating func walk(_ file: borrowing OpenFile) throws(LMDBError) {
    try walk(meta.freeList, isMain: false, file)
    try walk(meta.main, isMain: true, file)
  }

  private mutating func walk(
    _ root: TreeRoot, isMain: Bool, _ file: borrowing OpenFile
  ) throws(LMDBError) {
    guard let page = root.page else { return }
    guard (1...Self.depthMax).contains(root.depth) else {
      throw FileJudgement.fault(MDB_CORRUPTED, file.path)
    }
    let hasOwnTrees = root.flags & UInt16(MDB_DUPSORT) != 0
    let readsLeaves = isMain || hasOwnTrees || root.overflowPageCount > 0
    try walk(page, level: 1, of: root.depth, readsLeaves: readsLeaves, file)
  }

  private mutating func walk(
    _ number: UInt64, level: Int, of depth: Int, readsLeaves: Bool, _ file: borrowing OpenFile
  ) throws(LMDBError) {
    try reach(number, count: 1, file)
    let isLeaf = level == depth
    if isLeaf, !readsLeaves { return }
    let page = try read(number, file)
    guard let nodeCount = page.nodeCount,
      page.flags & (isLeaf ? Page.Flags.leaf : Page.Flags.branch) != 0
    else { throw FileJudgement.fault(MDB_CORRUPTED, file.path) }
    // A leaf that contains only values of a fixed size doesn't refer to other pages.
    if isLeaf, page.flags & Page.Flags.leafOfFixedSize != 0 { return }
    for index in 0..<nodeCount {
      guard let node = page.node(index) else {
        throw FileJudgement.fault(MDB_CORRUPTED, file.path)
      }
      if !isLeaf {
        let child = node.low | node.high << 16 | UInt64(node.flags) << 32
        try walk(child, level: level + 1, of: depth, readsLeaves: readsLeaves, file)
      } else if node.flags & NodeFlags.overflow != 0 {
        try reachOverflow(of: page, at: node.data, byteCount: node.low | node.high << 16, file)
      } else if node.flags & NodeFlags.tree != 0 {
        guard let root = TreeRoot(page, at: node.data) else {
          throw FileJudgement.fault(MDB_CORRUPTED, file.path)
        }
        try walk(root, isMain: false, file)
      } else if node.data + Int(node.low | node.high << 16) > page.bytes.count {
        throw FileJudgement.fault(MDB_CORRUPTED, file.path)
      }
    }
  }

  private mutating func reachOverflow(
    of page: Page, at offset: Int, byteCount: UInt64, _ file: borrowing OpenFile
  ) throws(LMDBError) {
    guard let first = page.load(UInt64.self, at: offset) else {
      throw FileJudgement.fault(MDB_CORRUPTED, file.path)
    }
    let perPage = UInt64(meta.pageByteCount)
    let count = (byteCount + UInt64(MetaPage.headerByteCount) + perPage - 1) / perPage
    try reach(first, count: count, file)
  }

  /// Marks pages as reached; throws if the file doesn't contain them or they have already been
  /// reached.
  private mutating func reach(
    _ first: UInt64, count: UInt64, _ file: borrowing OpenFile
  ) throws(LMDBError) {
    let last = first.addingReportingOverflow(count - 1)
    guard !last.overflow, first > 1, last.partialValue <= meta.lastPage else {
      throw FileJudgement.fault(MDB_CORRUPTED, file.path)
    }
    guard last.partialValue < pageCount else {
      throw FileJudgement.fault(LMDBError.Own.truncated, file.path)
    }
    for number in first...last.partialValue {
      let bit: UInt64 = 1 << (number % 64)
      guard reached[Int(number / 64)] & bit == 0 else {
        throw FileJudgement.fault(MDB_CORRUPTED, file.path)
      }
      reached[Int(number / 64)] |= bit
    }
  }

  private func read(_ number: UInt64, _ file: borrowing OpenFile) throws(LMDBError) -> Page {
    let page = try Page(
      file, at: Int(number) * meta.pageByteCount, byteCount: meta.pageByteCount)
    guard page.bytes.count == meta.pageByteCount else {
      throw FileJudgement.fault(LMDBError.Own.truncated, file.path)
    }
    guard page.number == number else { throw FileJudgement.fault(MDB_CORRUPTED, file.path) }
    return page
  }
}
