// Goal: the law of projections: the tables are a function of the current entities, not of the path
// that led there.
// Method: seeded random changes are applied one after the other; every table then equals the table
// that one application for each current entity makes. A fault put in on purpose (a change left out)
// must make the comparison fail. A projection that is derived from others is told of batches of random
// sizes, and compared with what it makes when it is built from complete tables.

import Daybook
import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookProjections
import Testing

/// All rows of all tables, as text that can be compared and read.
func contents(_ tables: ProjectionTables, _ type: any Projection.Type) -> [String] {
  var lines: [String] = []
  for (position, table) in type.tables.enumerated() {
    switch table.kind {
    case .rows, .places:
      for row in tables.rows(position) {
        lines.append("\(table.name) \(hex(row.key)) \(row.value)")
      }
    case .sums:
      for row in tables.sums(position) {
        let sums = (0..<4).map { "\(row.sums[$0])" }.joined(separator: " ")
        lines.append("\(table.name) \(hex(row.key)) \(sums)")
      }
    case .bitmaps:
      for row in tables.bitmaps(position) {
        row.bitmap.forEachNumber { lines.append("\(table.name) \(hex(row.key)) \($0)") }
      }
    }
  }
  return lines
}

private func hex(_ key: TableKey) -> String {
  (0..<key.count).map { String(key[$0], radix: 16) }.joined(separator: ".")
}

private func apply(
  _ changes: [Change], _ type: any Projection.Type, _ world: World
) throws -> [String] {
  if let derived = type as? any DerivedProjection.Type {
    return try settled(changes, derived, world)
  }
  let projection = type.init()
  var tables = ProjectionTables(for: type.tables)
  for change in changes {
    let projected = ProjectedChange(
      kind: change.kind, id: change.id, number: change.number, before: change.before,
      after: change.after)
    try projection.apply(projected, reading: world, to: &tables)
  }
  return contents(tables, type)
}

/// What a derived projection makes of changes that come in batches of 1 to 9.
private func settled(
  _ changes: [Change], _ type: any DerivedProjection.Type, _ world: World
) throws -> [String] {
  let store = SettledStore(type, world)
  var rest = changes[...]
  while !rest.isEmpty {
    let count = Int.random(in: 1...9, using: &world.random)
    try store.take(rest.prefix(count))
    rest = rest.dropFirst(count)
  }
  return store.contents
}

/// One insertion for each entity that the changes leave.
private func current(after changes: [Change]) -> [Change] {
  var order: [EntityID] = []
  var latest: [EntityID: Change] = [:]
  for change in changes {
    if latest[change.id] == nil { order.append(change.id) }
    latest[change.id] = change
  }
  return order.compactMap { latest[$0] }.filter { $0.after != nil }.map {
    Change(kind: $0.kind, id: $0.id, number: $0.number, before: nil, after: $0.after)
  }
}

@Test(arguments: 0..<24 as Range<UInt64>)
func tablesFollowFromCurrentEntities(seed: UInt64) throws {
  let world = World(seed: seed, changesPlans: true)
  var changes = world.founding()
  for _ in 0..<150 { changes.append(world.step()) }
  for projection in Ledger.projections {
    let incremental = try apply(changes, projection, world)
    let fresh = try apply(current(after: changes).shuffled(using: &world.random), projection, world)
    if !mayBeEmpty(projection) {
      #expect(!fresh.isEmpty, "seed \(seed), \(projection.name)")
    }
    #expect(incremental == fresh, "seed \(seed), \(projection.name)")
    if let derived = projection as? any DerivedProjection.Type {
      let store = SettledStore(derived, world)
      try store.build(current(after: changes))
      #expect(incremental == store.contents, "seed \(seed), \(projection.name) built anew")
    }
  }
}

/// Whether a few changes can leave a projection nothing: no transaction of a series, no money assigned.
private func mayBeEmpty(_ projection: any Projection.Type) -> Bool {
  projection is Recurring.Type || projection is Envelopes.Type
}

@Test
func someSeedsFillEveryProjection() throws {
  for projection in Ledger.projections where mayBeEmpty(projection) {
    let isFilled = try (0..<24 as Range<UInt64>).contains { seed in
      let world = World(seed: seed, changesPlans: true)
      var changes = world.founding()
      for _ in 0..<150 { changes.append(world.step()) }
      return try !apply(current(after: changes), projection, world).isEmpty
    }
    #expect(isFilled, "\(projection.name)")
  }
}

@Test
func aChangeLeftOutIsFound() throws {
  let world = World(seed: 7, changesPlans: true)
  var changes = world.founding()
  for _ in 0..<150 { changes.append(world.step()) }
  let left = try #require(
    changes.firstIndex {
      // An expense, the type that is not written, of a series.
      $0.kind == .transaction && $0.after == nil && $0.before?[Tag.Transaction.series] != nil
        && $0.before?[Tag.Transaction.type] == nil
    })
  var incomplete = changes
  incomplete.remove(at: left)
  for projection in Ledger.projections
  where projection.name != Rates.name && projection.name != Envelopes.name {
    let faulty = try apply(incomplete, projection, world)
    #expect(try faulty != apply(current(after: changes), projection, world), "\(projection.name)")
  }
}

@Test
func deletingEverythingLeavesNothing() throws {
  let world = World(seed: 11, changesPlans: true)
  var changes = world.founding()
  for _ in 0..<100 { changes.append(world.step()) }
  let gone = current(after: changes).map {
    Change(kind: $0.kind, id: $0.id, number: $0.number, before: $0.after, after: nil)
  }
  for projection in Ledger.projections {
    #expect(try apply(changes + gone, projection, world).isEmpty, "\(projection.name)")
  }
}

@Test
func anAmendmentWithoutFiguresTouchesNothing() throws {
  let world = World(seed: 3, changesPlans: true)
  var changes = world.founding()
  for _ in 0..<40 { changes.append(world.step()) }
  for old in world.transactions {
    var new = old
    new.note = "a note"
    new.status = .reconciled
    let change = Change(
      kind: .transaction, id: old.id.rawValue, number: old.number, before: old.record(),
      after: new.record())
    for projection in Ledger.projections where projection.name != Search.name {
      #expect(try apply([change], projection, world).isEmpty)
    }
  }
}

@Test
func aPostingToNothingIsRefused() throws {
  let world = World(seed: 5, changesPlans: true)
  var changes = world.founding()
  while world.transactions.allSatisfy({ $0.type != .transfer }) { changes.append(world.step()) }
  let change = try #require(
    changes.last { $0.kind == .transaction && $0.after != nil })
  let stranger = World(seed: 6)
  #expect(throws: (any Error).self) { try apply([change], Balances.self, stranger) }
}

@Test
func aCountBelowZeroIsAnErrorNotZero() throws {
  #expect(try checkedCount(0, in: "totals", "food") == 0)
  #expect(throws: ProjectionFault.self) { try checkedCount(-1, in: "totals", "food") }
}
