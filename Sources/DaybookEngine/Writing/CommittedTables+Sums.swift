extension CommittedTables {
  /// Calls `body` with each row of sums whose key is in `from..<to`, until it returns `false`.
  public func forEachSum(
    in table: Table, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    let fieldCount = table.fieldCount
    try forEachRow(in: table, from: from, to: to) { key, value in
      try body(key, Sums(value, fieldCount: fieldCount))
    }
  }
}
