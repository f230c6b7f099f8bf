extension TransactionView {
  /// Calls a closure with the entries of a range in order, until it returns false.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - lower: The first key to include; nil for the first entry.
  ///   - upper: The key before which to stop; nil for the end.
  ///   - reversed: Whether to iterate from the last entry to the first.
  ///   - body: Receives the key and value in place, and returns whether to continue.
  /// - Throws: ``LMDBError``, or the errors of the closure.
  /// - Complexity: O(log *n* + visited entries).
  public func forEach(
    in database: Database, from lower: RawSpan? = nil, to upper: RawSpan? = nil,
    reversed: Bool = false, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    var cursor = try cursor(in: database)
    if reversed {
      var entry: Entry?
      if let upper { entry = try cursor.seek(before: upper) } else { entry = try cursor.last() }
      while let found = entry {
        if let lower, compare(found.key, lower) < 0 { return }
        guard try body(found.key, found.value) else { return }
        entry = try cursor.previous()
      }
    } else {
      var entry: Entry?
      if let lower { entry = try cursor.seek(atOrAfter: lower) } else { entry = try cursor.first() }
      while let found = entry {
        if let upper, compare(found.key, upper) >= 0 { return }
        guard try body(found.key, found.value) else { return }
        entry = try cursor.next()
      }
    }
  }

  /// Calls a closure with the entries whose keys begin with the given bytes, until it returns
  /// false.
  ///
  /// - Complexity: O(log *n* + visited entries).
  public func forEach(
    in database: Database, prefix: RawSpan, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    // The range ends at the prefix with its last byte below 255 incremented and all bytes after
    // that byte removed. If the prefix consists only of 255s, the range has no end.
    var end = Array(prefix)
    while end.last == .max { end.removeLast() }
    guard let last = end.popLast() else {
      try forEach(in: database, from: prefix, reversed: reversed, body)
      return
    }
    end.append(last + 1)
    try forEach(in: database, from: prefix, to: end.span.bytes, reversed: reversed, body)
  }
}

/// Compares keys in LMDB's order.
@inline(__always)
func compare(_ left: RawSpan, _ right: RawSpan) -> Int {
  left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) } }
}
