internal import DaybookEntities
internal import DaybookLMDB

/// Feeds entities to some of the projections on one thread, and collects their rows.
struct ProjectionFeed {
  private let loader: ProjectionLoader
  private let positions: [Int]
  private let projections: [any Projection]
  private let readings: [any StateReading]
  private var tables: [ProjectionTables]
  private var faults: [String?]
  private let memo = ChangeMemo()

  /// Creates a feed for some of the loader's projections, given their indices.
  ///
  /// - Parameter state: The entities, for projections that read State.
  init(_ loader: ProjectionLoader, _ positions: [Int], state: any StateReading) {
    self.loader = loader
    self.positions = positions
    let entries = positions.map { loader.entries[$0] }
    projections = entries.map(\.projection)
    readings = entries.map { $0.type.readsState ? state : UnavailableState.instance }
    tables = entries.map { loader.sortedTables(of: $0) }
    faults = Array(repeating: nil, count: entries.count)
  }

  /// Feeds an entity to each projection.
  ///
  /// A projection that throws receives no further entities; the others continue.
  mutating func tell(_ kind: EntityKind, _ id: EntityID, _ number: UInt64, _ record: Record) {
    memo.begin()
    let change = ProjectedChange(
      kind: kind, id: id, number: number, before: nil, after: record, memo: memo)
    for index in projections.indices where faults[index] == nil {
      do {
        try projections[index].apply(change, reading: readings[index], to: &tables[index])
        if let fault = tables[index].fault { throw fault }
      } catch {
        faults[index] = "\(error)"
      }
    }
  }

  /// Sorts the collected rows and returns the outcome of each projection.
  consuming func finish() throws -> [ProjectionLoader.Outcome] {
    var outcomes: [ProjectionLoader.Outcome] = []
    for (index, position) in positions.enumerated() {
      var outcome = ProjectionLoader.Outcome(
        position: position, sorters: [], fault: faults[index])
      do {
        outcome.sorters = try loader.finishedSorters(of: &tables[index])
      } catch let fault as TableFault {
        outcome.fault = outcome.fault ?? "\(fault)"
      }
      outcomes.append(outcome)
    }
    return outcomes
  }
}

/// Reads the completed State, for projections that read State while they are built.
final class SettledState: StateReading {
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
