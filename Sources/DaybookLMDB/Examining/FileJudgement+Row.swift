extension FileJudgement {
  /// Reads a row of the main database without mapping the file, which may be damaged.
  ///
  /// If the newest commit's pages can't be followed, the previous commit is tried.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - path: The folder of the data file.
  /// - Returns: The value, or `nil` if the row can't be reached from any commit.
  /// - Complexity: O(depth of the main database).
  package static func value(for key: [UInt8], path: String) -> [UInt8]? {
    guard let file = try? OpenFile(path: path + "/data.mdb"),
      let (first, second) = try? MetaPage.both(of: file)
    else { return nil }
    let isSecondNewer = second.transactionID > first.transactionID
    for meta in isSecondNewer ? [second, first] : [first, second] {
      if let value = try? value(for: key, meta, file) { return value }
    }
    return nil
  }

  private static func value(
    for key: [UInt8], _ meta: MetaPage, _ file: borrowing OpenFile
  ) throws -> [UInt8]? {
    guard var number = meta.main.page, meta.main.depth <= PageWalker.depthMax else { return nil }
    let pageCount = try UInt64(file.byteCount() / meta.pageByteCount)
    for level in 1...max(1, meta.main.depth) {
      guard number < pageCount else { return nil }
      let isLeaf = level == meta.main.depth
      let page = try Page(
        file, at: Int(number) * meta.pageByteCount, byteCount: meta.pageByteCount)
      let nodes = try page.nodes(number, isLeaf: isLeaf)
      if isLeaf {
        guard let node = nodes.first(where: { page.bytes[$0.key].elementsEqual(key) }),
          node.flags == 0
        else { return nil }
        return Array(page.bytes[node.data..<node.data + node.byteCount])
      }
      // The first key of a branch page is empty; it stands for all keys before the second key.
      let child = nodes.last { !key.lexicographicallyPrecedes(page.bytes[$0.key]) }
      guard let child else { return nil }
      number = child.child
    }
    return nil
  }
}
