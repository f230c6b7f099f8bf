public import Entities
public import Journal
internal import LMDB

/// One table of a projection, ready to be read.
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

/// The tables of one projection, in the order of its definitions.
public struct ProjectionHandle: Sendable {
  let tables: [Table]

  /// The `index`-th table.
  ///
  /// - Precondition: the projection has it.
  @inline(__always)
  public subscript(index: Int) -> Table { tables[index] }
}

/// Everything derived, State and projections, as of one commit.
///
/// A view is a read transaction: it never waits for the writer, nor the writer for it, and what it
/// answers does not change while it lives. It cannot leave the closure that it is given to.
public struct View: ~Copyable {
  let transaction: ReadTransaction
  let open: OpenStore
  let head: ViewsHead
  /// Hears of what is read, where somebody observes.
  let tracker: ReadTracker?

  /// The last commit that the view holds.
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

  /// A view of what a batch has written and nobody else sees, through its transaction.
  init(_ open: OpenStore, lent transaction: consuming ReadTransaction, head: ViewsHead) {
    self.transaction = transaction
    self.open = open
    self.head = head
    tracker = nil
  }

  /// Identifies the last commit that the view holds.
  public var token: Token {
    tracker?.noteEverything()
    return untrackedToken
  }

  // MARK: Projections

  /// The tables of a projection.
  ///
  /// - Throws: ``ProjectingError`` where the projection is not registered, quarantined, or behind.
  public func tables(of projection: any Projection.Type) throws -> ProjectionHandle {
    tracker?.note(.statuses)
    return try store.handle(of: projection, head, in: transaction.view)
  }

  /// The value of a row, copied, or `nil` where there is none.
  public func row(_ key: TableKey, in table: Table) throws -> [UInt8]? {
    try key.check()
    tracker?.note(table.tag)
    return try key.withBytes { (bytes) throws -> [UInt8]? in
      try transaction.get(bytes, in: table.database)?.copied()
    }
  }

  /// Gives the value of a row to `body` without copying it; `nil` where there is none.
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

  /// The totals of a row, or `nil` where they are all 0.
  public func sums(_ key: TableKey, in table: Table) throws -> Sums? {
    try key.check()
    tracker?.note(table.tag)
    return try key.withBytes { (bytes) throws -> Sums? in
      guard let value = try transaction.get(bytes, in: table.database) else { return nil }
      return try Sums(value, fieldCount: table.fieldCount)
    }
  }

  /// Gives the rows from `from` on and before `to` to `body` until it returns false.
  ///
  /// - Parameter reversed: from the greatest key downwards.
  /// - Complexity: O(log rows) for the first, O(1) for each further row.
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

  /// Gives the totals from `from` on and before `to` to `body` until it returns false.
  ///
  /// - Complexity: O(log rows) for the first, O(1) for each further row.
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

  /// An entity by its id.
  public func entity(_ kind: EntityKind, _ id: EntityID) throws -> StoredEntity? {
    tracker?.note(.kind(kind))
    return try store.state.entity(kind, id: id, in: transaction.view)
  }

  /// An entity by its place among the rows of its kind.
  public func entity(
    _ kind: EntityKind, cluster: UInt32, number: UInt64
  ) throws -> StoredEntity? {
    tracker?.note(.kind(kind))
    let position = StatePosition(cluster: cluster, number: number)
    return try store.state.entity(kind, at: position, in: transaction.view)
  }

  /// Where the row of an entity is, or `nil` where there is no such entity.
  public func position(of id: EntityID, kind: EntityKind) throws -> StatePosition? {
    tracker?.note(.kind(kind))
    return try store.state.position(of: id, kind: kind, in: transaction.view)
  }

  /// Gives the entity at a place to `body` without copying its record.
  ///
  /// - Returns: `nil` where there is none.
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

  /// Gives the entities of a kind, ordered by cluster and number, to `body` until it returns false.
  ///
  /// - Parameters:
  ///   - from: the first position, the least where `nil`.
  ///   - to: the position after the last, past the greatest where `nil`.
  ///   - reversed: from the greatest downwards.
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

  /// Gives the places of entities of a kind to `body`, in the order of State, until it returns false; for stepping over
  /// them.
  ///
  /// - Parameters: as for entities.
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
