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
  /// How many steps ``advance(to:reversed:)`` tries before it searches.
  private var stepCountMax = 2

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

  /// Moves to the entry with the given key like ``seek(exactly:)``, and takes less time where keys are asked
  /// for in order, or in the opposite one if reversed, and lie close together.
  ///
  /// A step is a fifth of a search. Where a few steps do not lead there, fewer are tried the next time.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func advance(
    to key: RawSpan, reversed: Bool
  ) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      if try step(to: key, reversed: reversed) { return true }
      return try core.seek(exactly: key)
    }
    return entry(isFound)
  }

  @inline(__always)
  private mutating func step(
    to key: UnsafeRawBufferPointer, reversed: Bool
  ) throws(LMDBError) -> Bool {
    guard stepCountMax > 0, case .onEntry = core.position else { return false }
    for _ in 0..<stepCountMax {
      guard try reversed ? core.previous() : core.next() else { break }
      let order = compare(core.key.buffer, key)
      if order == 0 {
        stepCountMax = 4
        return true
      }
      if reversed ? order < 0 : order > 0 { break }
    }
    stepCountMax /= 2
    return false
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
