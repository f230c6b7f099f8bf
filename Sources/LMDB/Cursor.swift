internal import CLMDB

/// A place in a database that moves in both directions; from ``TransactionView/cursor(in:)``.
///
/// It starts before the first entry. A movement that finds nothing returns nil and leaves it
/// before the first or behind the last entry, whichever way it went. The entries live as long as
/// the transaction, not just until the next movement.
///
/// Opening one allocates, moving it does not.
public struct Cursor: ~Copyable, ~Escapable {
  private var core: CursorCore

  @_lifetime(copy view)
  init(_ view: TransactionView, _ database: Database) throws(LMDBError) {
    core = try CursorCore(view, database)
  }

  deinit {
    mdb_cursor_close(core.raw)
  }

  @_lifetime(copy self)
  @inline(__always)
  private func entry(_ isFound: Bool) -> Entry? {
    guard isFound else { return nil }
    return _overrideLifetime(core.entry(), copying: self)
  }

  /// Moves to the first entry.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func first() throws(LMDBError) -> Entry? {
    let isFound = try core.first()
    return entry(isFound)
  }

  /// Moves to the last entry.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func last() throws(LMDBError) -> Entry? {
    let isFound = try core.last()
    return entry(isFound)
  }

  /// Moves to the entry after this one; from the start, to the first one.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() throws(LMDBError) -> Entry? {
    let isFound = try core.next()
    return entry(isFound)
  }

  /// Moves to the entry before this one; from behind the last one, to the last one.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func previous() throws(LMDBError) -> Entry? {
    let isFound = try core.previous()
    return entry(isFound)
  }

  /// Moves to the first entry whose key is not less than the given one.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func seek(atOrAfter key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(atOrAfter: key)
    }
    return entry(isFound)
  }

  /// Moves to the last entry whose key is not greater than the given one.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func seek(atOrBefore key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(atOrBefore: key)
    }
    return entry(isFound)
  }

  /// Moves to the last entry whose key is less than the given one.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func seek(before key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(before: key)
    }
    return entry(isFound)
  }

  /// Moves to the entry with the given key; without one, it stands where it would come next.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func seek(exactly key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(exactly: key)
    }
    return entry(isFound)
  }
}

extension CursorCore {
  /// The entry it stands on; the caller says how long it lives.
  @_lifetime(immortal)
  @inline(__always)
  func entry() -> Entry {
    let key = RawSpan(_unsafeStart: key.start, byteCount: key.mv_size)
    let value = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
    return _overrideLifetime(Entry(key: key, value: value), copying: ())
  }
}
