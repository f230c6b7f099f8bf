// Goal: a derived projection can be tested without a store. Method: the tables of its sources, and its
// own, are kept in dictionaries that batches of differences are added to, as the engine does.

import DaybookEngine
import DaybookEntities

/// The tables of a derived projection and its sources, in memory.
final class SettledStore: SettledReading {
  private let type: any DerivedProjection.Type
  private let world: any StateReading
  private var entities: [EntityKind: [EntityID: Change]] = [:]
  private var tables: [String: MemoryTables] = [:]
  // Of the batch.
  private var changed: Set<EntityKind>?
  private var differences: [String: ProjectionTables] = [:]

  private struct MemoryTables {
    var rows: [[TableKey: [UInt8]]]
    var sums: [[TableKey: Sums]]
  }

  init(_ type: any DerivedProjection.Type, _ world: any StateReading) {
    self.type = type
    self.world = world
    for projection in type.sources + [type as any Projection.Type] {
      let count = projection.tables.count
      tables[projection.name] = MemoryTables(
        rows: .init(repeating: [:], count: count), sums: .init(repeating: [:], count: count))
    }
  }

  /// Takes a batch of changes.
  func take(_ changes: some Sequence<Change>) throws {
    try feed(changes)
    changed = Set(changes.map(\.kind))
    try settle()
  }

  /// Takes all entities, and builds the projection from complete tables.
  func build(_ changes: [Change]) throws {
    try feed(changes)
    differences = [:]
    changed = nil
    try settle()
  }

  private func feed(_ changes: some Sequence<Change>) throws {
    for change in changes {
      entities[change.kind, default: [:]][change.id] = change.after == nil ? nil : change
    }
    for source in type.sources {
      let projection = source.init()
      var buffer = ProjectionTables(for: source.tables)
      for change in changes {
        try projection.apply(
          ProjectedChange(
            kind: change.kind, id: change.id, number: change.number, before: change.before,
            after: change.after), reading: world, to: &buffer)
      }
      differences[source.name] = buffer
      write(buffer, source)
    }
  }

  private func settle() throws {
    var buffer = ProjectionTables(for: type.tables)
    try type.init().settle(self, to: &buffer)
    write(buffer, type)
  }

  private func write(_ buffer: ProjectionTables, _ projection: any Projection.Type) {
    guard var memory = tables[projection.name] else { return }
    for (index, table) in projection.tables.enumerated() {
      switch table.kind {
      case .rows, .places:
        for (key, value) in buffer.buffers[index].sortedRows() { memory.rows[index][key] = value }
      case .sums:
        for (key, sums) in buffer.sums(index) {
          var total = memory.sums[index][key] ?? Sums()
          total += sums
          memory.sums[index][key] = total.isZero ? nil : total
        }
      case .bitmaps: preconditionFailure("neither a derived projection nor a source has bitmaps")
      }
    }
    tables[projection.name] = memory
  }

  /// All rows of the derived projection, as those of others.
  var contents: [String] {
    guard let memory = tables[type.name] else { return [] }
    var whole = ProjectionTables(for: type.tables)
    for index in type.tables.indices {
      for (key, value) in memory.rows[index] { whole.put(index, key, value) }
      for (key, sums) in memory.sums[index] { whole.add(index, key, sums) }
    }
    return ProjectionTests.contents(whole, type)
  }

  // MARK: Reading

  func hasChanged(_ kind: EntityKind) -> Bool { changed?.contains(kind) ?? true }

  func forEachEntity(_ kind: EntityKind, _ body: (StoredEntity) throws -> Void) throws {
    for change in (entities[kind] ?? [:]).values.sorted(by: { $0.number < $1.number }) {
      guard let record = change.after else { continue }
      try body(StoredEntity(id: change.id, number: change.number, record: record))
    }
  }

  func forEachDifference(
    in table: Int, of source: any Projection.Type, _ body: (TableKey, Sums) throws -> Void
  ) throws {
    for (key, sums) in differences[source.name]?.sums(table) ?? [] { try body(key, sums) }
  }

  func forEachRow(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let rows = tables[projection.name]?.rows[table] ?? [:]
    for (key, value) in rows.sorted(by: { $0.key < $1.key }) where key >= from && key < to {
      if try !key.withBytes({ (key) throws -> Bool in try body(key, value.span.bytes) }) { return }
    }
  }

  func forEachSum(
    in table: Int, of projection: any Projection.Type, from: TableKey, to: TableKey,
    _ body: (_ key: RawSpan, _ sums: Sums) throws -> Bool
  ) throws {
    let rows = tables[projection.name]?.sums[table] ?? [:]
    for (key, sums) in rows.sorted(by: { $0.key < $1.key }) where key >= from && key < to {
      if try !key.withBytes({ (key) throws -> Bool in try body(key, sums) }) { return }
    }
  }
}
