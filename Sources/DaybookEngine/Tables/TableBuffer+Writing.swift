internal import DaybookEntities
internal import DaybookLMDB

extension TableBuffer {
  /// Merges the buffered differences into a table.
  ///
  /// Differences are written in key order, so that the cursor finds neighbouring rows without
  /// searching from the root.
  ///
  /// - Returns: Whether the table changed. It doesn't if the differences cancel out.
  @discardableResult
  func write(to database: Database, in transaction: inout WriteTransaction) throws -> Bool {
    try write(ordered(), to: database, in: &transaction)
  }

  /// Merges the buffered differences into a table in the transaction of a batch.
  ///
  /// - Returns: Whether the table changed.
  @discardableResult
  func write(to database: Database, of batch: ViewsBatch) throws -> Bool {
    try batch.withTransaction { try write(to: database, in: &$0) }
  }

  private func write(
    _ order: WritingOrder, to database: Database, in transaction: inout WriteTransaction
  ) throws -> Bool {
    var cursor = try transaction.writeCursor(in: database)
    switch kind {
    case .rows: return try writeValues(order.positions, with: &cursor)
    case .sums: return try writeTotals(order.positions, with: &cursor)
    case .bitmaps: return try writeBitmaps(order, with: &cursor)
    case .places: return try writePlaces(order.positions, with: &cursor)
    }
  }

  private func ordered() -> WritingOrder {
    WritingOrder(positions: sortedPositions(), flips: kind == .bitmaps ? flipGroups : nil)
  }

  private func writeValues(
    _ order: [Int], with cursor: inout WriteCursor
  ) throws(LMDBError) -> Bool {
    var hasWritten = false
    for position in order {
      let words = keys[position].words
      let key = words.span.bytes.extracting(first: keys[position].count)
      if let value = values[position] {
        try cursor.put(key, value.span.bytes)
        hasWritten = true
      } else if try cursor.move(to: key) {
        try cursor.deleteCurrent()
        hasWritten = true
      }
    }
    return hasWritten
  }

  private func writeTotals(_ order: [Int], with cursor: inout WriteCursor) throws -> Bool {
    var hasWritten = false
    var writer = ByteWriter(reserving: 80)
    for position in order {
      var total = totals[position]
      if total.isZero { continue }
      hasWritten = true
      let words = keys[position].words
      let key = words.span.bytes.extracting(first: keys[position].count)
      var isThere = false
      if let entry = try cursor.seek(exactly: key) {
        if total.addReportingOverflow(try Sums(entry.value, fieldCount: fieldCount)) {
          throw TableFault(.overflow)
        }
        isThere = true
      }
      if total.isZero {
        if isThere { try cursor.deleteCurrent() }
        continue
      }
      writer.bytes.removeAll(keepingCapacity: true)
      total.write(to: &writer, fieldCount: fieldCount)
      if isThere {
        try cursor.replaceCurrent(with: writer.bytes.span.bytes, key: key)
      } else {
        try cursor.put(key, writer.bytes.span.bytes)
      }
    }
    return hasWritten
  }
}

extension WriteCursor {
  /// Moves to a key; returns `false` if there is no such entry.
  fileprivate mutating func move(to key: RawSpan) throws(LMDBError) -> Bool {
    if try seek(exactly: key) != nil { return true }
    return false
  }
}

/// The order in which the rows of a buffer are written.
struct WritingOrder {
  let positions: [Int]
  /// The flips, grouped by key; only set for a table of bitmaps.
  let flips: FlipGroups?
}
