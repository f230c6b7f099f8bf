internal import DaybookCLMDB

/// A bidirectional cursor over a database, from ``TransactionView/cursor(in:)``.
///
/// The cursor starts before the first entry. A movement that finds no entry returns nil and leaves
/// the cursor before the first or after the last entry, depending on the direction. Entries stay
/// valid until the transaction ends, even if the cursor moves.
///
/// Opening a cursor allocates; moving it doesn't.
public struct Cursor: ~Copyable, ~Escapable {
  private var core: CursorCore
  /// The number of steps that ``advance(to:reversed:)`` tries before it searches.
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

  /// Moves to the next entry, or from the initial position to the first entry.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func next() throws(LMDBError) -> Entry? {
    let isFound = try core.next()
    return entry(isFound)
  }

  /// Moves to the previous entry, or from the end to the last entry.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func previous() throws(LMDBError) -> Entry? {
    let isFound = try core.previous()
    return entry(isFound)
  }

  /// Moves to the first entry whose key is not less than the given key.
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

  /// Moves to the last entry whose key is not greater than the given key.
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

  /// Moves to the last entry whose key is less than the given key.
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

  /// Moves to the entry with the given key; if there is none, moves to the next greater entry.
  ///
  /// - Returns: nil if there is no entry with the key.
  /// - Complexity: O(log *n*).
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func seek(exactly key: RawSpan) throws(LMDBError) -> Entry? {
    let isFound = try key.withUnsafeBytes { (key) throws(LMDBError) in
      try core.seek(exactly: key)
    }
    return entry(isFound)
  }

  /// Moves to the entry with the given key, like ``seek(exactly:)``.
  ///
  /// It is faster if keys are requested in order (descending if `reversed`) and are close to each
  /// other. A step takes a fifth of the time of a search. If a few steps don't reach the key, fewer
  /// steps are tried the next time.
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
  /// Returns the current entry; its lifetime is determined by the caller.
  @_lifetime(immortal)
  @inline(__always)
  func entry() -> Entry {
    let key = RawSpan(_unsafeStart: key.start, byteCount: key.mv_size)
    let value = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
    return _overrideLifetime(Entry(key: key, value: value), copying: ())
  }
}
