package import Entities
internal import LMDB

/// Places in tables of a view, each of which moves by itself, and one among the entities of a kind.
///
/// All go the same way, and never back. The keys that they give are in place: they live as long as the
/// view is borrowed.
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

  /// Adds a cursor over the rows of a table from `lower` on and before `upper`; it stands on the first
  /// of them, which is the greatest if reversed.
  ///
  /// - Returns: what the cursor goes by.
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

  /// The key that a cursor stands on, or `nil` at the end of its range.
  // Mutating, since Swift 6.3 fails to borrow a part of what can neither be copied nor escape.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func key(_ index: Int) -> RawSpan? { cursors.entry(index)?.key }

  /// Moves a cursor by one row.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func step(_ index: Int) throws -> RawSpan? { try cursors.step(index)?.key }

  /// Moves a cursor to the first row, the way it goes, that does not come before a key; it stays where
  /// that is already so.
  ///
  /// - Complexity: O(log rows), and less where the row is near and was near before.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func leap(_ index: Int, to key: TableKey) throws -> RawSpan? {
    let words = key.words
    return try cursors.leap(index, to: words.span.bytes.extracting(first: key.count))?.key
  }

  /// The row that a cursor stands on, or `nil` at the end of its range.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  mutating func row(_ index: Int) -> Entry? { cursors.entry(index) }

  /// Moves a cursor to the last row that does not come behind a key, whichever way it goes; where there is
  /// none, the next step takes it to the first of all.
  ///
  /// - Complexity: O(log rows).
  @_lifetime(self: copy self)
  mutating func seek(_ index: Int, atOrBefore key: TableKey) throws {
    let words = key.words
    try cursors.seek(index, atOrBefore: words.span.bytes.extracting(first: key.count))
  }

  /// Gives the entity at a place to `body` without copying its record.
  ///
  /// Quickest where it is near the one before.
  ///
  /// - Returns: `nil` where there is none.
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
  /// Cursors over rows of tables, none yet, and one over the entities of a kind.
  ///
  /// - Parameter reversed: whether they go from the greatest key downwards.
  @_lifetime(borrow self)
  package func rowCursors(_ kind: EntityKind, reversed: Bool) throws -> RowCursors {
    try RowCursors(self, kind, reversed: reversed)
  }
}
