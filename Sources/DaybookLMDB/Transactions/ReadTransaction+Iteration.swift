extension ReadTransaction {
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
    try view.forEach(in: database, from: lower, to: upper, reversed: reversed, body)
  }

  /// Calls a closure with the entries whose keys begin with the given bytes, until it returns
  /// false.
  public func forEach(
    in database: Database, prefix: RawSpan, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try view.forEach(in: database, prefix: prefix, reversed: reversed, body)
  }
}
