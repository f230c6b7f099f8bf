internal import DaybookCLMDB
import DaybookPlatform

extension CursorCore {
  /// Replaces the value of the current entry, given the entry's key.
  ///
  /// If the number of bytes changes, LMDB deletes the node and inserts it again, which moves data
  /// in the page. The memory of the key must therefore not be in that page.
  @inline(__always)
  mutating func replace(
    with bytes: UnsafeRawBufferPointer, _ keyBytes: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    guard position == .onEntry else { throw failure(EINVAL, "mdb_cursor_put") }
    guard bytes.count <= Limits.valueByteCountMax else {
      throw failure(MDB_BAD_VALSIZE, "mdb_cursor_put")
    }
    var key = MDB_val(keyBytes)
    var value = MDB_val(bytes)
    let code = mdb_cursor_put(raw, &key, &value, UInt32(MDB_CURRENT))
    if code != 0 { throw failure(code, "mdb_cursor_put") }
  }

  /// Stores an entry and moves to it.
  @inline(__always)
  mutating func put(
    _ keyBytes: UnsafeRawBufferPointer, _ valueBytes: UnsafeRawBufferPointer, _ flags: UInt32
  ) throws(LMDBError) {
    guard valueBytes.count <= Limits.valueByteCountMax else {
      throw failure(MDB_BAD_VALSIZE, "mdb_cursor_put")
    }
    var key = MDB_val(keyBytes)
    var value = MDB_val(valueBytes)
    let code = mdb_cursor_put(raw, &key, &value, flags)
    if code != 0 { throw failure(code, "mdb_cursor_put") }
    position = .onEntry
  }

  /// Deletes the current entry.
  @inline(__always)
  mutating func delete() throws(LMDBError) {
    guard position == .onEntry else { throw failure(EINVAL, "mdb_cursor_del") }
    let code = mdb_cursor_del(raw, 0)
    if code != 0 { throw failure(code, "mdb_cursor_del") }
    position = .onDeleted
  }
}

extension WriteTransaction {
  /// Creates a cursor that can change a database, before its first entry.
  @_lifetime(&self)
  public mutating func writeCursor(in database: Database) throws(LMDBError) -> WriteCursor {
    try WriteCursor(&self, database)
  }

  /// Deletes the entries of a range, and returns their number.
  ///
  /// - Parameters:
  ///   - lower: The first key to delete; nil for the first entry.
  ///   - upper: The key before which to stop; nil for the end.
  ///   - database: The database.
  ///   - countMax: The maximum number of entries to delete.
  /// - Complexity: O(log *n* + deleted entries).
  @discardableResult
  public mutating func deleteRange(
    from lower: RawSpan?, to upper: RawSpan?, in database: Database, countMax: Int = .max
  ) throws(LMDBError) -> Int {
    var cursor = try writeCursor(in: database)
    var count = 0
    var isFound = try cursor.move(atOrAfter: lower)
    while isFound, count < countMax {
      if let upper, cursor.compareKey(with: upper) >= 0 { break }
      try cursor.deleteCurrent()
      count += 1
      isFound = try cursor.core.next()
    }
    return count
  }
}

extension WriteCursor {
  fileprivate mutating func move(atOrAfter key: RawSpan?) throws(LMDBError) -> Bool {
    guard let key else { return try core.first() }
    return try key.withUnsafeBytes { (key) throws(LMDBError) in try core.seek(atOrAfter: key) }
  }

  fileprivate func compareKey(with other: RawSpan) -> Int {
    other.withUnsafeBytes { compare(core.key.buffer, $0) }
  }
}
