internal import Entities
internal import LMDB

/// Builds projections from State by sorting: each is told of every current entity once, and what it
/// puts and adds is sorted and appended.
///
/// The law (see ``Projection``) makes this the same as having applied every change. Those that are
/// derived from others come last, when the tables they read are complete.
struct ProjectionLoader {
  let target: ViewsStore
  let entries: [ViewsStore.Registered]
  /// The commit that State holds.
  let sequence: UInt64
  /// Hears how far it is; what it throws ends the work.
  let progress: (Double) throws -> Void
  /// Ends the work of the threads that report no progress.
  var cancellation = Cancellation()

  func load() throws {
    let fed = try feed()
    let appender = try BulkAppender(target.environment)
    for (position, outcome) in fed { try append(outcome, of: entries[position], with: appender) }
    try appender.finish()
    for entry in entries { try loadDerived(entry) }
  }

  /// Tells every projection that is not derived of every entity: what came of it, by its place among the
  /// entries.
  ///
  /// Two threads share the projections; what they gather is for one thread to append, since LMDB writes one
  /// transaction at a time.
  func feed() throws -> [(position: Int, outcome: Outcome)] {
    let shares = evenShares().enumerated().map { index, positions in
      Share(
        loader: self, positions: positions,
        progress: index == 0 ? progress : { _ in try cancellation.check() })
    }
    if !shares.isEmpty { try runInParallel(shares.map { share in { try share.feed() } }) }
    try progress(1)
    return shares.flatMap { zip($0.positions, $0.outcomes).map { (position: $0, outcome: $1) } }
  }

  /// The projections in two shares that take about as long.
  ///
  private func evenShares() -> [[Int]] {
    var shares: [(cost: Int, positions: [Int])] = [(0, []), (0, [])]
    let costs = entries.map { $0.type.tables.reduce(0) { $0 + ProjectionLoader.cost(of: $1) } }
    let told = entries.indices.filter { !(entries[$0].projection is any DerivedProjection) }
    for position in told.sorted(by: { costs[$0] > costs[$1] }) {
      let least = shares[0].cost <= shares[1].cost ? 0 : 1
      shares[least].cost += costs[position]
      shares[least].positions.append(position)
    }
    return shares.map(\.positions).filter { !$0.isEmpty }
  }

  /// About how long a table takes, with one of rows for a unit: a transaction flips some thirty bits, and
  /// adds to totals more often than it puts rows.
  private static func cost(of table: TableDefinition) -> Int {
    switch table.kind {
    case .rows: 1
    case .sums: table.fieldCount
    case .bitmaps: 5
    }
  }

  /// Makes what a projection has put and added its tables, and says how it is.
  func append(
    _ outcome: Outcome, of entry: ViewsStore.Registered, with appender: BulkAppender
  ) throws {
    for (index, sorter) in outcome.sorters.enumerated() {
      let database = entry.handle[index].database
      try appender.write { try $0.clear(database) }
      if outcome.fault == nil { try appender.append(sorter, to: database) }
    }
    let condition: ProjectionStatus.Condition =
      outcome.fault == nil ? .current : outcome.isAwaited ? .behind : .quarantined
    let status = ProjectionStatus(
      version: entry.version, condition: condition, since: sequence, reason: outcome.fault ?? "")
    try appender.write { try $0.put(entry.statusKey, status.bytes, in: target.meta) }
  }

  /// What one projection made of all entities.
  struct Outcome {
    /// The rows of its tables.
    var sorters: [TableSorter]
    /// Why the projection threw, if it did.
    var fault: String?
    /// Whether it is only to be waited for.
    var isAwaited = false
  }

  /// Tables whose rows go to sorters.
  func sortedTables(of entry: ViewsStore.Registered) -> ProjectionTables {
    ProjectionTables(
      buffers: entry.type.tables.map { definition in
        var buffer = TableBuffer(definition.kind)
        buffer.sorter = TableSorter(definition.kind, folder: target.path)
        return buffer
      })
  }

  /// The sorters of tables to which nothing more is added.
  func finishedSorters(of tables: inout ProjectionTables) throws -> [TableSorter] {
    var sorters: [TableSorter] = []
    for index in tables.buffers.indices {
      guard let sorter = tables.buffers[index].sorter else { continue }
      if sorter.kind != .rows { try sorter.absorb(&tables.buffers[index]) }
      if let broken = tables.buffers[index].fault { throw broken }
      try sorter.finishFilling()
      sorters.append(sorter)
    }
    return sorters
  }
}

/// The projections that one thread builds.
///
/// Unchecked `Sendable`: `feed` is called once, on one thread, and `outcomes` is read when that
/// thread has ended.
private final class Share: @unchecked Sendable {
  let loader: ProjectionLoader
  let positions: [Int]
  let progress: (Double) throws -> Void
  private(set) var outcomes: [ProjectionLoader.Outcome] = []

  init(loader: ProjectionLoader, positions: [Int], progress: @escaping (Double) throws -> Void) {
    self.loader = loader
    self.positions = positions
    self.progress = progress
  }

  /// Tells each projection of every entity and sorts what it makes of them.
  func feed() throws {
    let entries = positions.map { loader.entries[$0] }
    var tables = entries.map { loader.sortedTables(of: $0) }
    let faults = try feed(entries, &tables)
    for position in entries.indices {
      let sorters = try loader.finishedSorters(of: &tables[position])
      outcomes.append(ProjectionLoader.Outcome(sorters: sorters, fault: faults[position]))
    }
  }

  /// Tells every projection of every current entity.
  ///
  /// - Returns: for each projection why it threw, if it did; the others go on.
  private func feed(
    _ entries: [ViewsStore.Registered], _ tables: inout [ProjectionTables]
  ) throws -> [String?] {
    let target = loader.target
    let transaction = try target.environment.beginRead()
    let state = SettledState(target)
    let readings: [any StateReading] = entries.map {
      $0.type.readsState ? state as any StateReading : NoState.instance
    }
    let memo = ChangeMemo()
    let total = max(try transaction.count(of: target.state.rows), 1)
    var count = 0
    var faults = [String?](repeating: nil, count: entries.count)
    try transaction.view.forEach(in: target.state.rows) { key, value in
      var reader = ByteReader(key)
      let kind = EntityKind(rawValue: try reader.u8())
      let number = try StateTable.position(inRowKey: key).number
      memo.begin()
      let change = try target.state.withRecord(value, kind, number, in: transaction.view) {
        ProjectedChange(
          kind: kind, id: $0, number: number, before: nil, after: Record(bytes: $1.copied()),
          memo: memo)
      }
      for index in entries.indices where faults[index] == nil {
        do {
          try entries[index].projection.apply(
            change, reading: readings[index], to: &tables[index])
        } catch {
          faults[index] = "\(error)"
        }
      }
      count += 1
      if count & 0xfff == 0 { try progress(Double(count) / Double(total)) }
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
