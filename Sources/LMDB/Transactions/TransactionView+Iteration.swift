extension TransactionView {
  /// Visits the entries of a range in order, until the closure returns false.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - lower: The least key to visit; nil for the first one.
  ///   - upper: The key to stop before; nil for the end.
  ///   - reversed: Whether to visit them from the last to the first.
  ///   - body: Gets key and value in place, and says whether to go on.
  /// - Throws: ``LMDBError``, or what the closure threw.
  /// - Complexity: O(log *n* + visited).
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

  /// Visits the entries whose keys begin with the given bytes, until the closure returns false.
  ///
  /// - Complexity: O(log *n* + visited).
  public func forEach(
    in database: Database, prefix: RawSpan, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    // What follows all keys with the prefix: the prefix, counted up by one in its last byte that
    // can be; a prefix of 255s alone has nothing behind it.
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

/// The order of keys.
@inline(__always)
func compare(_ left: RawSpan, _ right: RawSpan) -> Int {
  left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) } }
}
