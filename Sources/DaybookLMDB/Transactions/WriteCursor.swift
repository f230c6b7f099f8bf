internal import DaybookCLMDB

/// A cursor that can change a database of a write transaction, from
/// ``WriteTransaction/writeCursor(in:)``.
///
/// It moves like a ``Cursor`` and can change the current entry. While it is alive, it has exclusive
/// access to the transaction.
///
/// Finish using an entry before using the cursor again, because the next change may move the
/// entry's bytes. The compiler considers an entry to be in use until the end of the scope that
/// binds it, so pass results out of that scope first:
///
/// ```swift
/// while true {
///   let isStale: Bool
///   if let entry = try cursor.next() { isStale = entry.value.byteCount == 0 } else { break }
///   if isStale { try cursor.deleteCurrent() }
/// }
/// ```
public struct WriteCursor: ~Copyable, ~Escapable {
  var core: CursorCore

  @_lifetime(&transaction)
  init(_ transaction: inout WriteTransaction, _ database: Database) throws(LMDBError) {
    core = try CursorCore(transaction.view, database)
  }

  deinit {
    mdb_cursor_close(core.raw)
  }

  @_lifetime(&self)
  @inline(__always)
  private mutating func entry(_ isFound: Bool) -> Entry? {
    guard isFound else { return nil }
    return _overrideLifetime(core.entry(), mutating: &self)
  }

  /// Moves to the first entry.
  @_lifetime(&self)
  public mutating func first() throws(LMDBError) -> Entry? {
    let isFound = try core.first()
    return entry(isFound)
  }

  /// Moves to the last entry.
  @_lifetime(&self)
  public mutating func last() throws(LMDBError) -> Entry? {
    let isFound = try core.last()
    return entry(isFound)
  }

  /// Moves to the next entry; after a deletion, moves to the entry after the deleted one.
  @_lifetime(&self)
  public mutating func next() throws(LMDBError) -> Entry? {
    let isFound = try core.next()
    return entry(isFound)
  }

  /// Moves to the previous entry; after a deletion, moves to the entry before the deleted one.
  @_lifetime(&self)
  public mutating func previous() throws(LMDBError) -> Entry? {
    let isFound = try core.previous()
    return entry(isFound)
  }

  /// Moves to the first entry whose key is not less than the given key.
  @_lifetime(&self)
  public mutating func seek(atOrAfter key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(atOrAfter: key)
    }
    return entry(isFound)
  }

  /// Moves to the last entry whose key is not greater than the given key.
  @_lifetime(&self)
  public mutating func seek(atOrBefore key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(atOrBefore: key)
    }
    return entry(isFound)
  }

  /// Moves to the last entry whose key is less than the given key.
  @_lifetime(&self)
  public mutating func seek(before key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(before: key)
    }
    return entry(isFound)
  }

  /// Moves to the entry with the given key; if there is none, moves to the next greater entry and
  /// returns nil.
  @_lifetime(&self)
  public mutating func seek(exactly key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(exactly: key)
    }
    return entry(isFound)
  }

  /// Replaces the value of the current entry.
  ///
  /// `key` must be the entry's key, in memory outside the page.
  ///
  /// - Throws: ``LMDBError/Kind/invalid`` if there is no current entry.
  public mutating func replaceCurrent(with value: RawSpan, key: RawSpan) throws(LMDBError) {
    try key.withUnsafeBytes { (key) throws(LMDBError) in
      try value.withUnsafeBytes { (value) throws(LMDBError) in
        try core.replace(with: value, key)
      }
    }
  }

  /// Stores an entry and moves to it.
  ///
  /// Storing entries in key order avoids searches.
  ///
  /// - Parameters:
  ///   - key: 1 to ``Limits/keyByteCountMax`` bytes.
  ///   - value: Up to ``Limits/valueByteCountMax`` bytes.
  ///   - flags: Options for storing the entry.
  public mutating func put(
    _ key: RawSpan, _ value: RawSpan, flags: PutFlags = []
  ) throws(LMDBError) {
    try key.withUnsafeBytes { (key) throws(LMDBError) in
      try value.withUnsafeBytes { (value) throws(LMDBError) in
        try core.put(key, value, flags.rawValue)
      }
    }
  }

  /// Deletes the current entry; the cursor is then between the two adjacent entries.
  ///
  /// - Throws: ``LMDBError/Kind/invalid`` if there is no current entry.
  public mutating func deleteCurrent() throws(LMDBError) {
    try core.delete()
  }
}
