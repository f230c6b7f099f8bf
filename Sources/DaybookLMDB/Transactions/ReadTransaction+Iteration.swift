extension ReadTransaction {
  /// Visits the entries of a range in order, until the closure returns false.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - lower: The first key to visit; nil for the first entry.
  ///   - upper: The key to stop before; nil for the end.
  ///   - reversed: Whether to visit them from the last to the first.
  ///   - body: Receives key and value in place, and returns whether to continue.
  /// - Throws: ``LMDBError``, or what the closure throws.
  /// - Complexity: O(log *n* + visited).
  public func forEach(
    in database: Database, from lower: RawSpan? = nil, to upper: RawSpan? = nil,
    reversed: Bool = false, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try view.forEach(in: database, from: lower, to: upper, reversed: reversed, body)
  }

  /// Visits the entries whose keys begin with the given bytes, until the closure returns false.
  public func forEach(
    in database: Database, prefix: RawSpan, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try view.forEach(in: database, prefix: prefix, reversed: reversed, body)
  }
}
