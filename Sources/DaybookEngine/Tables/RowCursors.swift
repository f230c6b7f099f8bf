package import DaybookEntities
internal import DaybookLMDB

/// Independent cursors over the tables of a view, and a cursor over the entities of a kind.
///
/// All cursors move in the same direction and never back. The keys that they return aren't copied;
/// they are valid as long as the view is borrowed.
package struct RowCursors: ~Copyable, ~Escapable {
  private var cursors: RangeCursors
  private var entities: Cursor
  private let transaction: TransactionView
  private let state: StateTable
  private let kind: EntityKind
  private let tracker: ReadTracker?
  private let reversed: Bool
  private var hasReadEntities = false

  @_lifetime(borrow view)
  init(_ view: borrowing View, _ kind: EntityKind, reversed: Bool) throws {
    transaction = view.transaction.view
    state = view.store.state
    cursors = transaction.rangeCursors(reversed: reversed)
    entities = try transaction.cursor(in: state.rows)
    tracker = view.tracker
    self.kind = kind
    self.reversed = reversed
  }

  /// Opens a cursor over the rows of a table, from `lower` up to, but not including, `upper`.
  ///
  /// The cursor starts at the first row of the range, or at the last if reversed.
  ///
  /// - Returns: The cursor's index.
  @_lifetime(self: copy self)
  package mutating func open(
    _ table: Table, from lower: TableKey, to upper: TableKey
  ) throws -> Int {
    tracker?.note(table.tag)
    return try lower.withBytes { (lower) throws in
      try upper.withBytes { (upper) throws in
        try cursors.open(table.database, from: lower, to: upper)
      }
    }
  }

  /// Returns the current key of a cursor, or `nil` at the end of its range.
  // This method is mutating because Swift 6.3 can't borrow a part of a value that is neither
  // copyable nor escapable.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func key(_ index: Int) -> RawSpan? { cursors.entry(index)?.key }

  /// Moves a cursor by one row and returns the new current key, or `nil` at the end of its range.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func step(_ index: Int) throws -> RawSpan? { try cursors.step(index)?.key }

  /// Moves a cursor to the first row, in its direction, that doesn't come before a key.
  ///
  /// If the current row already qualifies, the cursor doesn't move.
  ///
  /// - Returns: The current key after the call, or `nil` at the end of the range.
  /// - Complexity: O(log *n*) for a table of *n* rows; less if the row is near the previous ones.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func leap(_ index: Int, to key: TableKey) throws -> RawSpan? {
    let words = key.words
    return try cursors.leap(index, to: words.span.bytes.extracting(first: key.count))?.key
  }

  /// Returns the current row of a cursor, or `nil` at the end of its range.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func row(_ index: Int) -> Entry? { cursors.entry(index) }

  /// Moves a cursor to the last row whose key is at most `key`, regardless of the cursor's
  /// direction.
  ///
  /// If there is no such row, the next forward step moves it to the first row.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(self: copy self)
  mutating func seek(_ index: Int, atOrBefore key: TableKey) throws {
    let words = key.words
    try cursors.seek(index, atOrBefore: words.span.bytes.extracting(first: key.count))
  }

  /// Calls `body` with the entity at a position, without copying its record.
  ///
  /// The call is fastest if the position is near the previous one.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no entity at the position.
  @_lifetime(self: copy self)
  package mutating func withEntity(
    at position: StatePosition, _ body: (_ id: EntityID, _ record: RawSpan) throws -> Bool
  ) throws -> Bool? {
    if !hasReadEntities {
      tracker?.note(.kind(kind))
      hasReadEntities = true
    }
    let key = StateTable.rowKey(kind, position)
    let words = key.words
    let bytes = words.span.bytes.extracting(first: key.count)
    guard let row = try entities.advance(to: bytes, reversed: reversed) else { return nil }
    return try state.withRecord(row.value, kind, position.number, in: transaction, body)
  }
}

extension View {
  /// Creates a set with one cursor over the entities of a kind; cursors over tables can be opened
  /// later.
  ///
  /// - Parameter reversed: Whether the cursors move in descending order.
  @_lifetime(borrow self)
  package func rowCursors(_ kind: EntityKind, reversed: Bool) throws -> RowCursors {
    try RowCursors(self, kind, reversed: reversed)
  }
}
