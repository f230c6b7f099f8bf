internal import DaybookCLMDB

/// Reads every page of a commit without mapping the file, and checks all assumptions that LMDB
/// makes.
///
/// Every page between the meta pages and the last page must occur exactly once: either one tree
/// reaches it, or it is free. Nodes fill their pages without overlapping, keys ascend within and
/// across pages, child pages match the keys of their branches, and each tree has as many pages and
/// entries as its record says. If a file passes all checks, LMDB never reads outside it. Changed
/// values are not detected.
///
/// The layout is described in ``MetaPage``; it is that of `mdb.c` in LMDB 0.9.
struct TreeExaminer {
  let meta: MetaPage
  /// The number of complete pages in the file.
  let pageCount: UInt64
  /// One bit per page that is reachable or free.
  private var seen: [UInt64]
  /// The free pages past the end of the file.
  private var seenBehind: Set<UInt64> = []
  private var seenCount: UInt64 = 0
  /// The counts for the current tree.
  private var counted = TreeCounts()
  /// The greatest key so far in the current tree.
  private var last: ArraySlice<UInt8>?
  private var mayRepeat = false

  enum NodeFlags {
    static let overflow: UInt16 = 0x01
    static let tree: UInt16 = 0x02
  }

  init(meta: MetaPage, pageCount: Int) {
    self.meta = meta
    self.pageCount = UInt64(pageCount)
    seen = Array(repeating: 0, count: pageCount / 64 + 1)
  }

  /// Walks the free list and all databases.
  ///
  /// - Throws: ``StructureFault``, or ``LMDBError`` if the file can't be read.
  mutating func examine(_ file: borrowing OpenFile) throws {
    let databases = try databases(file)
    for root in databases {
      try walk(root, ordered: true, file) { page, _, isTree in
        if isTree { throw StructureFault(page.number, "contains a database within a database") }
      }
    }
    try noteFreePages(file)
    try checkCount(seenCount)
  }

  /// Walks the free list and all databases, unless a database has unsupported flags: it can't be
  /// examined, and is refused when it is opened.
  ///
  /// - Throws: ``StructureFault``, or ``LMDBError`` if the file can't be read.
  func examineWhole(_ file: borrowing OpenFile) throws {
    var flags = self
    if try flags.databases(file).contains(where: { $0.flags != 0 }) { return }
    var examiner = self
    try examiner.examine(file)
  }

  /// Walks the free list and the main database, compares the number of pages with that of all
  /// databases, and examines the uppermost pages of the databases.
  ///
  /// - Parameter pageCountMax: The number of databases' pages to examine.
  /// - Throws: ``StructureFault``, or ``LMDBError`` if the file can't be read.
  mutating func examineTop(_ file: borrowing OpenFile, pageCountMax: Int) throws {
    let databases = try databases(file)
    if databases.contains(where: { $0.flags != 0 }) { return }
    try noteFreePages(file)
    var total = seenCount
    for root in databases {
      for count in [root.counts.branchPages, root.counts.leafPages, root.counts.overflowPages] {
        total = total.addingReportingOverflow(count).partialValue
      }
    }
    try checkCount(total)
    var level = databases.compactMap { root in root.page.map { (page: $0, depth: root.depth) } }
    var left = pageCountMax
    while !level.isEmpty {
      var next: [(page: UInt64, depth: Int)] = []
      for (number, depth) in level {
        if left == 0 { return }
        left -= 1
        guard (1...PageWalker.depthMax).contains(depth) else {
          throw StructureFault(number, "is the root of a tree of depth \(depth)")
        }
        try note(number, count: 1, on: nil)
        let page = try Page(
          file, at: Int(number) * meta.pageByteCount, byteCount: meta.pageByteCount)
        let nodes = try page.nodes(number, isLeaf: depth == 1)
        if depth > 1 { next += nodes.map { (page: $0.child, depth: depth - 1) } }
      }
      level = next
    }
  }

  /// Walks the main database, and returns the roots of the named databases.
  private mutating func databases(_ file: borrowing OpenFile) throws -> [TreeRoot] {
    var databases: [TreeRoot] = []
    try walk(meta.main, ordered: true, file) { page, node, isTree in
      guard isTree else { return }
      guard node.byteCount == TreeRoot.byteCount, let root = TreeRoot(page, at: node.data) else {
        throw StructureFault(page.number, "contains a database record of the wrong length")
      }
      databases.append(root)
    }
    return databases
  }

  private func checkCount(_ count: UInt64) throws(StructureFault) {
    guard meta.lastPage >= 1, count == meta.lastPage - 1 else {
      throw StructureFault(
        nil, "\(count) of \(meta.lastPage) pages are in use or known to be free")
    }
  }

  /// Checks that the free list of the older commit doesn't mention a later commit.
  ///
  /// If it does, the transaction number in the older meta page is damaged: it is too small.
  func checkAge(_ file: borrowing OpenFile) throws {
    guard var number = meta.freeList.page else { return }
    for level in 1...max(1, meta.freeList.depth) {
      guard number > 1, number < pageCount, level <= PageWalker.depthMax else { return }
      let page = try Page(
        file, at: Int(number) * meta.pageByteCount, byteCount: meta.pageByteCount)
      let isLeaf = level == meta.freeList.depth
      // The older commit's pages may have been reused, because only the newer commit is needed.
      guard let node = try? page.nodes(number, isLeaf: isLeaf).last else { return }
      number = node.child
      guard isLeaf, let commit = page.load(UInt64.self, at: node.key.lowerBound) else { continue }
      guard commit <= meta.transactionID else {
        throw StructureFault(
          page.number,
          "lists pages freed by commit \(commit), but the newest is \(meta.transactionID)")
      }
    }
  }

  /// Marks the pages of the free list as free.
  private mutating func noteFreePages(_ file: borrowing OpenFile) throws {
    var records: [(leaf: UInt64, commit: UInt64, node: Node, page: Page)] = []
    try walk(meta.freeList, ordered: false, file) { page, node, isTree in
      guard !isTree, node.key.count == 8,
        let commit = page.load(UInt64.self, at: node.key.lowerBound)
      else { throw StructureFault(page.number, "is not a leaf of the free list") }
      records.append((page.number ?? 0, commit, node, page))
    }
    var before: UInt64 = 0
    for record in records {
      guard record.commit > before, record.commit <= meta.transactionID else {
        throw StructureFault(
          record.leaf, "lists pages freed by commit \(record.commit) out of order")
      }
      before = record.commit
      let (page, start) = try value(of: record.node, record.page, file)
      let count = page.load(UInt64.self, at: start) ?? 0
      guard count < record.node.byteCount / 8 else {
        throw StructureFault(record.leaf, "counts more free pages than it has")
      }
      var previous = UInt64.max
      for index in 0..<Int(count) {
        guard let number = page.load(UInt64.self, at: start + 8 * (index + 1)), number < previous
        else { throw StructureFault(record.leaf, "has free pages out of order") }
        previous = number
        try note(number, count: 1, on: record.leaf, isFree: true)
      }
    }
  }

  /// Returns where a value starts: in its leaf, or in the overflow pages that are read for it.
  private func value(
    of node: Node, _ page: Page, _ file: borrowing OpenFile
  ) throws(LMDBError) -> (page: Page, start: Int) {
    if node.flags & NodeFlags.overflow == 0 { return (page, node.data) }
    let first = Int(page.load(UInt64.self, at: node.data) ?? 0)
    let value = try Page(
      file, at: first * meta.pageByteCount + MetaPage.headerByteCount, byteCount: node.byteCount)
    return (value, 0)
  }

  // MARK: Trees

  private typealias Visit = (_ page: Page, _ node: Node, _ isTree: Bool) throws -> Void

  private mutating func walk(
    _ root: TreeRoot, ordered: Bool, _ file: borrowing OpenFile, _ visit: Visit
  ) throws {
    counted = TreeCounts()
    last = nil
    mayRepeat = false
    guard root.flags == (ordered ? 0 : UInt16(MDB_INTEGERKEY)) else {
      throw StructureFault(root.page, "is the root of a tree of an unknown type")
    }
    if let page = root.page {
      guard (1...PageWalker.depthMax).contains(root.depth) else {
        throw StructureFault(page, "is the root of a tree of depth \(root.depth)")
      }
      try walk(page, level: 1, of: root.depth, ordered, file, visit)
    } else if root.depth != 0 {
      throw StructureFault(nil, "an empty tree has depth \(root.depth)")
    }
    guard counted == root.counts else {
      throw StructureFault(
        root.page, "is the root of a tree that has \(counted), not \(root.counts)")
    }
  }

  private mutating func walk(
    _ number: UInt64, level: Int, of depth: Int, _ ordered: Bool, _ file: borrowing OpenFile,
    _ visit: Visit
  ) throws {
    let isLeaf = level == depth
    try note(number, count: 1, on: nil)
    let page = try Page(file, at: Int(number) * meta.pageByteCount, byteCount: meta.pageByteCount)
    let nodes = try page.nodes(number, isLeaf: isLeaf)
    if isLeaf { counted.leafPages += 1 } else { counted.branchPages += 1 }
    for (index, node) in nodes.enumerated() {
      // The first key of a branch page stands for all keys before the second key, and may be empty.
      if ordered, isLeaf || index > 0 {
        let key = page.bytes[node.key]
        if let last {
          let ascends = last.lexicographicallyPrecedes(key)
          guard ascends || (mayRepeat && last.elementsEqual(key)) else {
            throw StructureFault(number, "has keys that are out of order")
          }
        }
        last = key
        mayRepeat = !isLeaf
      }
      if !isLeaf {
        try walk(node.child, level: level + 1, of: depth, ordered, file, visit)
      } else {
        counted.entries += 1
        if node.flags & NodeFlags.overflow != 0 { try noteOverflow(page, node, file) }
        try visit(page, node, node.flags & NodeFlags.tree != 0)
      }
    }
  }

  private mutating func noteOverflow(
    _ page: Page, _ node: Node, _ file: borrowing OpenFile
  ) throws {
    let first = page.load(UInt64.self, at: node.data) ?? 0
    guard first > 1, first < pageCount else {
      throw StructureFault(page.number, "refers to page \(first), which doesn't exist")
    }
    let head = try Page(
      file, at: Int(first) * meta.pageByteCount, byteCount: MetaPage.headerByteCount)
    let count = UInt64(head.load(UInt32.self, at: 12) ?? 0)
    guard head.number == first, head.flags == Page.Flags.overflow,
      count * UInt64(meta.pageByteCount) >= UInt64(node.byteCount + MetaPage.headerByteCount)
    else { throw StructureFault(first, "should be the beginning of a long value") }
    counted.overflowPages += count
    try note(first, count: count, on: page.number)
  }

  /// Marks pages as in use or free; each page may be marked only once.
  ///
  /// Free pages may be past the end of the file if the same commit allocated and freed them.
  private mutating func note(
    _ first: UInt64, count: UInt64, on page: UInt64?, isFree: Bool = false
  ) throws {
    let end = first.addingReportingOverflow(count)
    guard first > 1, !end.overflow, end.partialValue - 1 <= meta.lastPage else {
      throw StructureFault(page, "refers to page \(first), which doesn't exist")
    }
    guard isFree || end.partialValue <= pageCount else {
      throw StructureFault(first, "is beyond the end of the file")
    }
    for number in first..<end.partialValue {
      var isNew = true
      if number < pageCount {
        let bit: UInt64 = 1 << (number % 64)
        isNew = seen[Int(number / 64)] & bit == 0
        seen[Int(number / 64)] |= bit
      } else {
        isNew = seenBehind.insert(number).inserted
      }
      guard isNew else { throw StructureFault(number, "is in use twice, or in use and free") }
      seenCount += 1
    }
  }
}
