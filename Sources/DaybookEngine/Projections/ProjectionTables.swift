/// Collects the differences that a projection makes to its tables.
///
/// Differences to the same row are merged, so each row is written once per batch. A difference that
/// a table can't store is ignored and recorded in ``fault``; the projection is then quarantined, as
/// if it had thrown.
public struct ProjectionTables {
  package var buffers: [TableBuffer]
  /// The first difference that a table couldn't store, or `nil` if there is none.
  public private(set) var fault: TableFault?

  /// Creates tables that are buffered in memory and never written, for testing a projection.
  public init(for definitions: [TableDefinition]) {
    buffers = definitions.map { TableBuffer($0.kind) }
  }

  package init(buffers: [TableBuffer]) { self.buffers = buffers }

  /// Puts a row into a table, replacing a row with the same key.
  ///
  /// - Parameters:
  ///   - table: The index in ``Projection/tables`` of a table of rows or places.
  ///   - key: At most ``TableKey/byteCountMax`` bytes; in a table of places, it ends in the
  ///     position.
  ///   - value: At most 1,900 bytes; empty in a table of places.
  public mutating func put(_ table: Int, _ key: TableKey, _ value: [UInt8] = []) {
    guard takes(key, in: table) else { return }
    switch buffers[table].kind {
    case .rows where value.count > TableBuffer.valueByteCountMax:
      refuse(table, .longValue(byteCount: value.count))
    case .places where !key.endsInPlace(value): refuse(table, .noPlace)
    case .rows, .places: buffers[table].put(key, value)
    case .sums, .bitmaps: refuse(table, .otherKind)
    }
  }

  /// Removes a row from a table, if the row exists.
  ///
  /// - Parameters: The same as for ``put(_:_:_:)``.
  public mutating func remove(_ table: Int, _ key: TableKey) {
    guard takes(key, in: table) else { return }
    switch buffers[table].kind {
    case .places where !key.endsInPlace([]): refuse(table, .noPlace)
    case .rows, .places: buffers[table].remove(key)
    case .sums, .bitmaps: refuse(table, .otherKind)
    }
  }

  /// Adds numbers to a row of a table of sums.
  ///
  /// - Parameters:
  ///   - table: The index in ``Projection/tables`` of a table of sums.
  ///   - key: At most ``TableKey/byteCountMax`` bytes.
  ///   - sums: The numbers to add; the totals must not overflow 128 bits.
  public mutating func add(_ table: Int, _ key: TableKey, _ sums: Sums) {
    guard takes(key, in: table) else { return }
    guard buffers[table].fieldCount > 0 else { return refuseSums(table) }
    buffers[table].add(key, sums)
    if buffers[table].hasOverflown { refuse(table, .overflow) }
  }

  /// Flips a number in a set: inserts it if it is absent, and removes it if it is present.
  ///
  /// - Parameters:
  ///   - table: The index in ``Projection/tables`` of a table of bitmaps.
  ///   - key: At most ``TableKey/byteCountMax`` bytes.
  ///   - number: A number from 0 to 8,191.
  public mutating func flip(_ table: Int, _ key: TableKey, _ number: Int) {
    guard takes(key, in: table), isOfBitmaps(table, number, upTo: Bitmap.bitCount - 1) else {
      return
    }
    buffers[table].flip(key, number)
  }

  /// Flips a number in several sets of a table.
  ///
  /// The key of each set is `head` followed by one of `tails` as three bytes, most significant byte
  /// first.
  ///
  /// - Parameters:
  ///   - table: The index in ``Projection/tables`` of a table of bitmaps.
  ///   - head: At most 28 bytes.
  ///   - tails: Numbers below 2²⁴.
  ///   - number: A number from 0 to 8,191.
  public mutating func flip(_ table: Int, _ head: TableKey, tails: [UInt32], _ number: Int) {
    guard takes(head, in: table), isOfBitmaps(table, number, upTo: Bitmap.bitCount - 1) else {
      return
    }
    if head.count > TableKey.byteCountMax - 3 { return refuse(table, .longKey) }
    if tails.contains(where: { $0 > 0xff_ffff }) { return refuse(table, .numberOutOfRange) }
    buffers[table].flip(head, tails: tails, number)
  }

  /// Flips the number `first` + *i* in a set for each bit *i* that is set in `mask`.
  ///
  /// - Parameters:
  ///   - table: The index in ``Projection/tables`` of a table of bitmaps.
  ///   - key: At most ``TableKey/byteCountMax`` bytes.
  ///   - first: A number from 0 to 8,160.
  ///   - mask: One bit for each of the 32 numbers that start at `first`.
  public mutating func flip(_ table: Int, _ key: TableKey, from first: Int, _ mask: UInt32) {
    guard takes(key, in: table), isOfBitmaps(table, first, upTo: Bitmap.bitCount - 32) else {
      return
    }
    buffers[table].flip(key, from: first, mask)
  }

  // MARK: Faults

  /// Returns whether the table exists and the key isn't too long; if not, records a fault.
  @inline(__always)
  private mutating func takes(_ key: TableKey, in table: Int) -> Bool {
    if table >= 0, table < buffers.count, !key.isTooLong { return true }
    let isThere = buffers.indices.contains(table)
    refuse(table, isThere ? .longKey : .noTable(count: buffers.count))
    return false
  }

  @inline(__always)
  private mutating func isOfBitmaps(_ table: Int, _ number: Int, upTo most: Int) -> Bool {
    let isOfBitmaps = buffers[table].kind == .bitmaps
    if isOfBitmaps, number >= 0, number <= most { return true }
    refuse(table, isOfBitmaps ? .numberOutOfRange : .otherKind)
    return false
  }

  @inline(never)
  private mutating func refuseSums(_ table: Int) {
    guard case .sums(let fields) = buffers[table].kind else { return refuse(table, .otherKind) }
    refuse(table, .fieldCount(fields))
  }

  @inline(never)
  private mutating func refuse(_ table: Int, _ reason: TableFault.Reason) {
    fault = fault ?? TableFault(reason, table: table)
  }

  /// Discards all differences.
  mutating func removeAll() {
    for index in buffers.indices { buffers[index].removeAll() }
    fault = nil
  }

  // MARK: Buffered differences

  /// Returns the rows that a table of rows or places would have if it had been empty, in ascending
  /// order.
  ///
  /// Only the buffered differences are included.
  public func rows(_ table: Int) -> [(key: TableKey, value: [UInt8])] {
    buffers[table].sortedRows().compactMap { row in row.value.map { (row.key, $0) } }
  }

  /// Returns the rows that a table of sums would have if it had been empty, in ascending order.
  ///
  /// Only the buffered differences are included.
  public func sums(_ table: Int) -> [(key: TableKey, sums: Sums)] {
    buffers[table].sortedSums().filter { !$0.sums.isZero }
  }

  /// Returns the rows that a table of bitmaps would have if it had been empty, in ascending order.
  ///
  /// Only the buffered differences are included.
  public func bitmaps(_ table: Int) -> [(key: TableKey, bitmap: Bitmap)] {
    buffers[table].sortedBitmaps()
  }
}
