internal import DaybookCLMDB

/// The position and movements of a cursor, without the lifetimes, which ``Cursor`` and
/// ``WriteCursor`` add.
///
/// LMDB doesn't define the position of a cursor after a movement that found no entry. This cursor
/// is then before the first or after the last entry, and can move back from there.
struct CursorCore {
  enum Position {
    case beforeFirst
    case onEntry
    /// The cursor is between two entries, where an entry was deleted.
    case onDeleted
    case afterLast
  }

  let raw: OpaquePointer?
  let owner: Unmanaged<Environment>
  var position = Position.beforeFirst
  var key = MDB_val()
  var value = MDB_val()

  init(_ view: borrowing TransactionView, _ database: Database) throws(LMDBError) {
    view.requireOwn(database)
    var opened: OpaquePointer?
    try view.check(mdb_cursor_open(view.raw, database.dbi, &opened), "mdb_cursor_open")
    raw = opened
    owner = view.owner
  }

  @inline(never)
  func failure(_ code: Int32, _ operation: String) -> LMDBError {
    owner.takeUnretainedValue().failure(code, operation)
  }

  /// Moves the cursor; if there is an entry, sets `key` and `value` and returns true.
  @inline(__always)
  mutating func move(_ operation: MDB_cursor_op, orElse missed: Position) throws(LMDBError) -> Bool
  {
    let code = mdb_cursor_get(raw, &key, &value, operation)
    if code == 0 {
      position = .onEntry
      return true
    }
    position = missed
    if code == MDB_NOTFOUND { return false }
    throw failure(code, "mdb_cursor_get")
  }

  @inline(__always)
  mutating func first() throws(LMDBError) -> Bool {
    try move(MDB_FIRST, orElse: .afterLast)
  }

  @inline(__always)
  mutating func last() throws(LMDBError) -> Bool {
    try move(MDB_LAST, orElse: .beforeFirst)
  }

  @inline(__always)
  mutating func next() throws(LMDBError) -> Bool {
    switch position {
    case .onEntry, .onDeleted: try move(MDB_NEXT, orElse: .afterLast)
    case .beforeFirst: try first()
    case .afterLast: false
    }
  }

  @inline(__always)
  mutating func previous() throws(LMDBError) -> Bool {
    switch position {
    case .onEntry, .onDeleted: try move(MDB_PREV, orElse: .beforeFirst)
    case .afterLast: try last()
    case .beforeFirst: false
    }
  }

  @inline(__always)
  mutating func seek(atOrAfter wanted: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    // LMDB rejects an empty key here. It precedes all keys, so move to the first entry instead.
    if wanted.isEmpty { return try first() }
    key = MDB_val(wanted)
    return try move(MDB_SET_RANGE, orElse: .afterLast)
  }

  mutating func seek(before wanted: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: wanted) else { return try last() }
    return try previous()
  }

  mutating func seek(atOrBefore wanted: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: wanted) else { return try last() }
    if compare(key.buffer, wanted) == 0 { return true }
    return try previous()
  }

  @inline(__always)
  mutating func seek(exactly wanted: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: wanted) else { return false }
    return compare(key.buffer, wanted) == 0
  }
}
