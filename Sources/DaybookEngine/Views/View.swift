public import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB

/// A table of a projection.
public struct Table: Sendable {
  let database: Database
  let fieldCount: Int
  let tag: ChangeTag

  init(_ database: Database, _ definition: TableDefinition, of projection: String) {
    self.database = database
    fieldCount = definition.fieldCount
    tag = .table(named: "\(projection).\(definition.name)")
  }
}

/// The tables of one projection, in the order in which it defines them.
public struct ProjectionHandle: Sendable {
  let tables: [Table]

  /// Returns the `index`-th table.
  ///
  /// - Precondition: The projection has such a table.
  @inline(__always)
  public subscript(index: Int) -> Table { tables[index] }
}

/// State and the projections, as of one commit.
///
/// A view is a read transaction: its contents don't change, and the view and the writer don't block
/// each other. A view can't escape the closure that receives it.
public struct View: ~Copyable {
  let transaction: ReadTransaction
  let open: OpenStore
  let head: ViewsHead
  /// Records reads for an observer, or `nil` if there is none.
  let tracker: ReadTracker?

  /// The last commit that the view contains.
  public var checkpoint: Checkpoint {
    tracker?.noteEverything()
    return head.checkpoint
  }

  var store: ViewsStore { open.views }

  init(_ open: OpenStore, tracker: ReadTracker? = nil) throws {
    var head = ViewsHead.empty
    transaction = try open.views.beginRead(&head)
    self.open = open
    self.head = head
    self.tracker = tracker
    tracker?.begin(head.checkpoint, lineage: open.journal.lineage)
  }

  /// Creates a view of a batch's uncommitted data, in the batch's transaction.
  init(_ open: OpenStore, lent transaction: consuming ReadTransaction, head: ViewsHead) {
    self.transaction = transaction
    self.open = open
    self.head = head
    tracker = nil
  }

  /// A token for the last commit that the view contains.
  public var token: Token {
    tracker?.noteEverything()
    return untrackedToken
  }

  // MARK: Projections

  /// Returns the tables of a projection.
  ///
  /// - Throws: ``ProjectingError`` if the projection isn't registered or built, is quarantined or
  ///   behind, or if the views contain a newer version of it.
  public func tables(of projection: any Projection.Type) throws -> ProjectionHandle {
    tracker?.note(.statuses)
    return try store.handle(of: projection, head, in: transaction.view)
  }

  /// Returns a copy of a row's value, or `nil` if the row doesn't exist.
  ///
  /// - Throws: ``ProjectingError`` if the key is too long.
  public func row(_ key: TableKey, in table: Table) throws -> [UInt8]? {
    try key.check()
    tracker?.note(table.tag)
    return try key.withBytes { (bytes) throws -> [UInt8]? in
      try transaction.get(bytes, in: table.database)?.copied()
    }
  }

  /// Calls `body` with the value of a row, without copying the value.
  ///
  /// - Returns: The result of `body`, or `nil` if the row doesn't exist.
  /// - Throws: ``ProjectingError`` if the key is too long; the errors of `body`.
  public func withRow<R>(
    _ key: TableKey, in table: Table, _ body: (_ value: RawSpan) throws -> R
  ) throws -> R? {
    try key.check()
    tracker?.note(table.tag)
    return try key.withBytes { (bytes) throws -> R? in
      guard let value = try transaction.get(bytes, in: table.database) else { return nil }
      return try body(value)
    }
  }

  /// Returns the totals of a row, or `nil` if they are all 0.
  ///
  /// - Throws: ``ProjectingError`` if the key is too long.
  public func sums(_ key: TableKey, in table: Table) throws -> Sums? {
    try key.check()
    tracker?.note(table.tag)
    return try key.withBytes { (bytes) throws -> Sums? in
      guard let value = try transaction.get(bytes, in: table.database) else { return nil }
      return try Sums(value, fieldCount: table.fieldCount)
    }
  }

  /// Calls `body` with the rows whose keys are in `from..<to`, until it returns `false`.
  ///
  /// - Parameter reversed: Whether to iterate in descending order.
  /// - Throws: ``ProjectingError`` if a key is too long.
  /// - Complexity: O(log *n*) for the first of *n* rows, O(1) for each further one.
  public func forEachRow(
    in table: Table, from: TableKey, to: TableKey, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try from.check()
    try to.check()
    tracker?.note(table.tag)
    try from.withBytes { (from) throws in
      try to.withBytes { (to) throws in
        try transaction.view.forEach(
          in: table.database, from: from, to: to, reversed: reversed, body)
      }
    }
  }

  /// Calls `body` with the totals whose keys are in `from..<to`, until it returns `false`.
  ///
  /// - Parameter reversed: Whether to iterate in descending order.
  /// - Throws: ``ProjectingError`` if a key is too long.
  /// - Complexity: O(log *n*) for the first of *n* rows, O(1) for each further one.
  public func forEachSum(
    in table: Table, from: TableKey, to: TableKey, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    let fieldCount = table.fieldCount
    try forEachRow(in: table, from: from, to: to, reversed: reversed) { key, value in
      try body(key, Sums(value, fieldCount: fieldCount))
    }
  }

  // MARK: State

  /// Returns the entity with the given id, or `nil` if it doesn't exist.
  public func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    tracker?.note(.kind(kind))
    return try store.state.entity(kind, id: id, in: transaction.view)
  }

  /// Returns the entity at a position among the rows of its kind, or `nil` if there is none.
  public func entity(
    _ kind: EntityKind, cluster: UInt32, number: UInt64
  ) throws -> StoredEntity? {
    tracker?.note(.kind(kind))
    let position = StatePosition(cluster: cluster, number: number)
    return try store.state.entity(kind, at: position, in: transaction.view)
  }

  /// Returns the position of an entity's row, or `nil` if the entity doesn't exist.
  public func position(of id: EntityID, kind: EntityKind) throws -> StatePosition? {
    tracker?.note(.kind(kind))
    return try store.state.position(of: id, kind: kind, in: transaction.view)
  }

  /// Calls `body` with the entity at a position, without copying its record.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no entity at the position.
  public func withEntity<R>(
    _ kind: EntityKind, at position: StatePosition,
    _ body: (_ id: EntityID, _ record: RawSpan) throws -> R
  ) throws -> R? {
    tracker?.note(.kind(kind))
    let state = store.state
    return try StateTable.rowKey(kind, position).withBytes { (key) throws -> R? in
      guard let value = try transaction.get(key, in: state.rows) else { return nil }
      return try state.withRecord(value, kind, position.number, in: transaction.view, body)
    }
  }

  /// Calls `body` with the entities of a kind, ordered by cluster and number, until it returns
  /// `false`.
  ///
  /// - Parameters:
  ///   - from: The first position to include; `nil` for the first entity.
  ///   - to: The position after the last to include; `nil` for the last entity.
  ///   - reversed: Whether to iterate in descending order.
  public func forEachEntity(
    _ kind: EntityKind, from: StatePosition? = nil, to: StatePosition? = nil,
    reversed: Bool = false,
    _ body: (_ position: StatePosition, _ id: EntityID, _ record: RawSpan) throws -> Bool
  ) throws {
    let state = store.state
    try forEachStored(kind, from: from, to: to, reversed: reversed) { position, value in
      try state.withRecord(value, kind, position.number, in: transaction.view) {
        try body(position, $0, $1)
      }
    }
  }

  /// Calls `body` with the positions of the entities of a kind, in the order of State, until it
  /// returns `false`.
  ///
  /// Use it to skip entities without reading their records.
  ///
  /// - Parameters: The same as for ``forEachEntity(_:from:to:reversed:_:)``.
  package func forEachPosition(
    _ kind: EntityKind, from: StatePosition? = nil, to: StatePosition? = nil,
    reversed: Bool = false, _ body: (_ position: StatePosition) throws -> Bool
  ) throws {
    try forEachStored(kind, from: from, to: to, reversed: reversed) { position, _ in
      try body(position)
    }
  }

  private func forEachStored(
    _ kind: EntityKind, from: StatePosition?, to: StatePosition?, reversed: Bool,
    _ body: (_ position: StatePosition, _ value: RawSpan) throws -> Bool
  ) throws {
    tracker?.note(.kind(kind))
    let least = StatePosition(cluster: 0, number: 0)
    let lower = StateTable.rowKey(kind, from ?? least)
    var upper = TableKey()
    if let to {
      upper = StateTable.rowKey(kind, to)
    } else {
      upper.append(u8: kind.rawValue)
      upper = upper.afterPrefix ?? StateTable.rowKey(kind, StatePosition.greatest)
    }
    try lower.withBytes { (lower) throws in
      try upper.withBytes { (upper) throws in
        try transaction.view.forEach(
          in: store.state.rows, from: lower, to: upper, reversed: reversed
        ) { key, value in
          try body(try StateTable.position(inRowKey: key), value)
        }
      }
    }
  }
}
