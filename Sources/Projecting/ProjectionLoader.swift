internal import Entities
internal import LMDB

/// Builds projections from State by sorting: each is told of every current entity once, and what it
/// puts and adds is sorted and appended.
///
/// The law (see ``Projection``) makes this the same as having applied every change.
struct ProjectionLoader {
  let target: ViewsStore
  let entries: [ViewsStore.Registered]
  /// The commit that State holds.
  let sequence: UInt64
  let progress: (Double) -> Void

  func load() throws {
    var tables = entries.map { entry in
      ProjectionTables(
        buffers: entry.type.tables.map { definition in
          var buffer = TableBuffer(definition.kind)
          buffer.sorter = TableSorter(fieldCount: buffer.fieldCount, folder: target.path)
          return buffer
        })
    }
    let faults = try feed(&tables)
    let appender = try BulkAppender(target.environment)
    for (position, entry) in entries.enumerated() {
      var fault = faults[position]
      for index in tables[position].buffers.indices {
        guard let sorter = tables[position].buffers[index].sorter else { continue }
        if sorter.fieldCount > 0 { try sorter.absorb(&tables[position].buffers[index]) }
        if let broken = tables[position].buffers[index].fault { throw broken }
        let database = entry.handle[index].database
        try appender.write { try $0.clear(database) }
        if fault == nil { try appender.append(sorter, to: database) }
      }
      if fault?.isEmpty == true { fault = "unknown" }
      let status = ProjectionStatus(
        version: entry.version, condition: fault == nil ? .current : .quarantined, since: sequence,
        reason: fault ?? "")
      try appender.write { try $0.put(entry.statusKey, status.bytes, in: target.meta) }
    }
    try appender.finish()
  }

  /// Tells every projection of every current entity.
  ///
  /// - Returns: for each projection why it threw, if it did; the others go on.
  private func feed(_ tables: inout [ProjectionTables]) throws -> [String?] {
    let transaction = try target.environment.beginRead()
    let state = SettledState(target)
    let total = max(try transaction.count(of: target.state.rows), 1)
    var count = 0
    var faults = [String?](repeating: nil, count: entries.count)
    try transaction.view.forEach(in: target.state.rows) { key, value in
      var reader = ByteReader(key)
      let kind = EntityKind(rawValue: try reader.u8())
      let number = try StateTable.position(inRowKey: key).number
      let change = try target.state.withRecord(value, kind, number, in: transaction.view) {
        ProjectedChange(
          kind: kind, id: $0, number: number, before: nil, after: Record(bytes: $1.copied()))
      }
      for index in entries.indices where faults[index] == nil {
        do {
          try entries[index].projection.apply(change, reading: state, to: &tables[index])
        } catch {
          faults[index] = "\(error)"
        }
      }
      count += 1
      if count & 0xfff == 0 { progress(Double(count) / Double(total)) }
      return true
    }
    return faults
  }
}

/// Reads State when it is complete, for projections that are built from it.
private final class SettledState: StateReading {
  private let store: ViewsStore
  private let numbers = NumberCache()

  init(_ store: ViewsStore) { self.store = store }

  func number(of id: EntityID, kind: EntityKind) throws -> UInt64? {
    try numbers.number(of: id, kind: kind) {
      try store.environment.read {
        try store.state.position(of: id, kind: kind, in: $0.view)?.number
      }
    }
  }

  func record(of id: EntityID, kind: EntityKind) throws -> Record? {
    try store.environment.read { try store.state.entity(kind, id: id, in: $0.view)?.record }
  }
}
