internal import DaybookEntities
internal import DaybookLMDB

/// Lets derived projections read State and tables as of the end of a batch.
extension ViewsBatch: SettledReading {
  /// Checks the sources of a derived projection.
  ///
  /// - Throws: ``SourceMissing`` if a source isn't registered before the projection or isn't up to
  ///   date.
  func checkSources(ofProjectionAt place: Int) throws {
    guard let derived = projectors[place].derived else { return }
    for source in type(of: derived).sources {
      let found = projectors[try store.position(ofSource: source, before: place)]
      guard let fault = found.fault else { continue }
      throw SourceMissing(
        source: found.name, reason: found.isAwaited ? nil : fault, isAwaited: found.isAwaited)
    }
  }

  func hasChanged(_ kind: EntityKind) -> Bool { changed.contains(.kind(kind)) }

  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void
  ) throws {
    let position = try store.position(ofSource: source, before: projectors.count)
    let buffers = projectors[position].tables.buffers
    guard buffers.indices.contains(table) else {
      throw TableFault(.noTable(count: buffers.count), table: table)
    }
    let buffer = buffers[table]
    // Differences are recorded only for tables of sums.
    guard buffer.fieldCount > 0 else { throw TableFault(.otherKind, table: table) }
    for index in buffer.keys.indices { try body(buffer.keys[index], buffer.totals[index]) }
  }

  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try withTransaction { try store.forEachRow(table, projection, from, to, in: $0.view, body) }
  }

  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    try withTransaction { try store.forEachSum(table, projection, from, to, in: $0.view, body) }
  }
}

/// Reads State and tables for derived projections while they are rebuilt; every kind is reported as
/// changed.
final class BuiltReading: SettledReading {
  private let store: ViewsStore

  init(_ store: ViewsStore) { self.store = store }

  func hasChanged(_ kind: EntityKind) -> Bool { true }

  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws {
    try store.environment.read { try store.forEachEntity(kind, in: $0.view, body) }
  }

  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void
  ) throws {}

  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try store.environment.read {
      try store.forEachRow(table, projection, from, to, in: $0.view, body)
    }
  }

  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    try store.environment.read {
      try store.forEachSum(table, projection, from, to, in: $0.view, body)
    }
  }
}

extension ViewsStore {
  /// Calls `body` with every entity of a kind in the views.
  func forEachEntity(
    _ kind: EntityKind, in view: TransactionView, _ body: (StoredEntity) throws -> Void
  ) throws {
    var prefix = TableKey()
    prefix.append(u8: kind.rawValue)
    try prefix.withBytes { (prefix) throws in
      try view.forEach(in: state.rows, prefix: prefix) { key, value in
        let position = try StateTable.position(inRowKey: key)
        let stored = try state.withRecord(value, kind, position.number, in: view) {
          StoredEntity(id: $0, number: position.number, record: Record(bytes: $1.copied()))
        }
        try body(stored)
        return true
      }
    }
  }

  /// Calls `body` with rows of a projection's table, even if the projection isn't current.
  func forEachRow(
    _ table: Int, _ projection: any Projection.Type, _ from: TableKey, _ to: TableKey,
    in view: TransactionView, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let database = try self.table(table, of: projection).database
    try from.check()
    try to.check()
    try from.withBytes { (from) throws in
      try to.withBytes { (to) throws in
        try view.forEach(in: database, from: from, to: to, body)
      }
    }
  }

  private func table(_ table: Int, of projection: any Projection.Type) throws -> Table {
    let place = try position(ofSource: projection, before: registered.count)
    let tables = registered[place].handle.tables
    guard tables.indices.contains(table) else {
      throw TableFault(.noTable(count: tables.count), table: table)
    }
    return tables[table]
  }

  func forEachSum(
    _ table: Int, _ projection: any Projection.Type, _ from: TableKey, _ to: TableKey,
    in view: TransactionView, _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    let fieldCount = try self.table(table, of: projection).fieldCount
    try forEachRow(table, projection, from, to, in: view) { key, value in
      try body(key, Sums(value, fieldCount: fieldCount))
    }
  }
}
