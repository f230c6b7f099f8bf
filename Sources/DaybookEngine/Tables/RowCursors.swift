package import DaybookEntities
internal import DaybookLMDB

/// Independently moving cursors over the tables of a view, and one over the entities of a kind.
///
/// All move in the same direction, and never back. The keys that they return aren't copied: they
/// are valid as long as the view is borrowed.
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

  /// Opens a cursor over the rows of a table from `lower` to before `upper`.
  ///
  /// The cursor is on the first row of the range, or on the last if reversed.
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

  /// The current key of a cursor, or `nil` at the end of its range.
  // Mutating, since Swift 6.3 can't borrow a part of a value that is neither copyable nor
  // escapable.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func key(_ index: Int) -> RawSpan? { cursors.entry(index)?.key }

  /// Moves a cursor by one row, and returns its new current key, or `nil` at the end of its range.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func step(_ index: Int) throws -> RawSpan? { try cursors.step(index)?.key }

  /// Moves a cursor to the first row, in its direction, that doesn't come before a key; doesn't
  /// move it if its current row already qualifies.
  ///
  /// - Returns: The new current key, or `nil` at the end of the range.
  /// - Complexity: O(log *n*) for a table of *n* rows, and less if this row and the previous ones
  ///   are near.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func leap(_ index: Int, to key: TableKey) throws -> RawSpan? {
    let words = key.words
    return try cursors.leap(index, to: words.span.bytes.extracting(first: key.count))?.key
  }

  /// The current row of a cursor, or `nil` at the end of its range.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func row(_ index: Int) -> Entry? { cursors.entry(index) }

  /// Moves a cursor to the last row whose key isn't greater than a key, regardless of its
  /// direction.
  ///
  /// If there is none, a forward step moves it to the first row.
  ///
  /// - Complexity: O(log *n*).
  @_lifetime(self: copy self)
  mutating func seek(_ index: Int, atOrBefore key: TableKey) throws {
    let words = key.words
    try cursors.seek(index, atOrBefore: words.span.bytes.extracting(first: key.count))
  }

  /// Calls `body` with the entity at a position, without copying its record.
  ///
  /// This is fastest if the position is near the previous one.
  ///
  /// - Returns: the result of `body`, or `nil` if there is no entity at the position.
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
  /// Creates cursors over tables, none yet, and one over the entities of a kind.
  ///
  /// - Parameter reversed: whether they move in descending order.
  @_lifetime(borrow self)
  package func rowCursors(_ kind: EntityKind, reversed: Bool) throws -> RowCursors {
    try RowCursors(self, kind, reversed: reversed)
  }
}
