/// The counts in the record of a tree; see ``TreeRoot``.
struct TreeCounts: Equatable, CustomStringConvertible {
  var branchPages: UInt64 = 0
  var leafPages: UInt64 = 0
  var overflowPages: UInt64 = 0
  var entries: UInt64 = 0

  var description: String {
    "\(entries) entries on \(branchPages) + \(leafPages) + \(overflowPages) pages"
  }
}

/// A node that has been checked to be within its page.
struct Node {
  /// The range of the key.
  let key: Range<Int>
  /// The offset of the node's data.
  let data: Int
  /// The number of bytes of the value, whether it is stored in this page or on overflow pages.
  let byteCount: Int
  let flags: UInt16
  /// The child page of a branch node.
  let child: UInt64
}

extension Page {
  /// Returns the nodes of a page, after checking that they lie within it and don't overlap.
  func nodes(_ expected: UInt64, isLeaf: Bool) throws(StructureFault) -> [Node] {
    func fault(_ reason: String) -> StructureFault { StructureFault(expected, reason) }
    guard number == expected else { throw fault("has another page's number") }
    guard flags == (isLeaf ? Flags.leaf : Flags.branch) else {
      throw fault("is not a \(isLeaf ? "leaf" : "branch") page")
    }
    let header = MetaPage.headerByteCount
    guard let lower = load(UInt16.self, at: 12).map(Int.init), lower.isMultiple(of: 2),
      let upper = load(UInt16.self, at: 14).map(Int.init), lower > header, lower <= upper,
      upper <= bytes.count
    else { throw fault("has invalid bounds") }
    var nodes: [Node] = []
    nodes.reserveCapacity((lower - header) / 2)
    // The bytes that nodes occupy: each start in the upper half of a word, and each end in the lower.
    var used: [UInt64] = []
    used.reserveCapacity((lower - header) / 2)
    for index in 0..<(lower - header) / 2 {
      guard let offset = nodeOffset(index), offset >= upper, offset.isMultiple(of: 2),
        let words = node(index)
      else { throw fault("has a node outside its bounds") }
      let size = Int(words.low | words.high << 16)
      let key = offset + 8..<words.data
      let isLong = isLeaf && words.flags & TreeExaminer.NodeFlags.overflow != 0
      let end = words.data + (isLeaf ? (isLong ? 8 : size) : 0)
      guard end <= bytes.count else { throw fault("has a node that ends outside it") }
      guard !isLeaf || words.flags <= TreeExaminer.NodeFlags.tree else {
        throw fault("has a node of an unknown type")
      }
      guard key.count <= Limits.keyByteCountMax, !key.isEmpty || (!isLeaf && index == 0) else {
        throw fault("has a key of \(key.count) bytes")
      }
      used.append(UInt64(offset) << 32 | UInt64((end + 1) & ~1))
      nodes.append(
        Node(
          key: key, data: words.data, byteCount: size, flags: words.flags,
          child: words.low | words.high << 16 | UInt64(words.flags) << 32))
    }
    used.sort()
    var end = upper
    for word in used {
      guard word >> 32 == end else { throw fault("has nodes that do not fill it") }
      end = Int(word & 0xFFFF_FFFF)
    }
    guard end == bytes.count else { throw fault("has nodes that do not fill it") }
    return nodes
  }
}
