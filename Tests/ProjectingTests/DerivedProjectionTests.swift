// Goal: a projection that is derived from another one's tables is current at every step, and is never
// current without it.
// Method: groups of readings are added up by parity, from the totals of groups alone; the toy store's
// source is made to throw, left out, registered too late, and given another version.

import DaybookEngine
import DaybookEntities
import Testing

/// What the readings of even groups, and those of odd ones, come to.
private struct Parity: DerivedProjection {
  static let name = "Parity"
  static let version: UInt32 = 1
  static let tables = [
    TableDefinition("totals", .sums(fields: 2)), TableDefinition("batches", .rows),
  ]
  static let sources: [any Projection.Type] = [GroupTotals.self]

  func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws {
    guard reading.hasChanged(readingKind) else { return }
    // Built anew there are no differences, and no rows of its own: all of the source is added.
    var isThere = false
    try reading.forEachRow(in: 1, of: Parity.self, from: TableKey(), to: Parity.end) { _, _ in
      isThere = true
      return false
    }
    if !isThere {
      try reading.forEachSum(in: 0, of: GroupTotals.self, from: TableKey(), to: Parity.end) {
        key, sums in
        tables.add(0, Parity.key(of: TableKey(bytes: key)), sums)
        return true
      }
      return tables.put(1, Parity.key(9))
    }
    try reading.forEachDifference(in: 0, of: GroupTotals.self) { key, sums in
      tables.add(0, Parity.key(of: key), sums)
    }
  }

  static var end: TableKey {
    var key = TableKey()
    for _ in 0..<9 { key.append(u8: 0xff) }
    return key
  }

  static func key(_ number: UInt8) -> TableKey {
    var key = TableKey()
    key.append(u8: number)
    return key
  }

  static func key(of group: TableKey) -> TableKey { key(group[3] & 1) }

  static func total(_ parity: UInt8, in store: EventStore) throws -> Sums {
    try store.read { view in
      try view.sums(key(parity), in: view.tables(of: Parity.self)[0]) ?? Sums()
    }
  }
}

@Suite struct DerivedProjectionTests {
  private func open(_ scratch: Scratch, _ types: [any Projection.Type]) async throws -> EventStore {
    try await EventStore.open(at: scratch.path, schema: toySchema, projections: types)
  }

  @Test func itFollowsItsSource() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [GroupTotals.self, Parity.self])
    let ids = try await store.record([
      Reading(group: 1, amount: 10), Reading(group: 3, amount: 20), Reading(group: 2, amount: 5),
    ])
    #expect(try Parity.total(1, in: store) == Sums(30, 2))
    try await store.amend(ids[0], to: Reading(group: 2, amount: 7))
    #expect(try Parity.total(1, in: store) == Sums(20, 1))
    try await store.amend(ids[1], to: nil)
    #expect(try Parity.total(1, in: store) == Sums())
    #expect(try Parity.total(0, in: store) == Sums(12, 2))
    #expect(try store.verify().findings == [])
    #expect(await store.projectors[1].statistics.batchCount == 3)
    try await store.close()

    let again = try await open(scratch, [GroupTotals.self, Parity.self])
    try await again.rebuild(comparing: true)
    #expect(try Parity.total(0, in: again) == Sums(12, 2))
    // Large against the ledger, so that the views are built anew.
    _ = try await again.record((0..<30_000).map { Reading(group: $0 % 5, amount: 1) })
    #expect(try Parity.total(1, in: again) == Sums(12_000, 12_000))
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  @Test func itIsSetAsideWithItsSourceAndComesBackWithIt() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [GroupTotals.self, Parity.self])
    let bad = try await store.record([Reading(group: 1, amount: -666)])
    let error = #expect(throws: ProjectingError.self) { try Parity.total(1, in: store) }
    #expect(error?.code == .quarantined)
    #expect(error?.message.contains("“GroupTotals”, which is set aside") == true)
    try await store.close()
    let again = try await open(scratch, [GroupTotals.self, Parity.self])
    #expect(throws: ProjectingError.self) { try Parity.total(1, in: again) }
    // Built from a source that throws again, it stays aside.
    try await again.rebuild()
    #expect(throws: ProjectingError.self) { try Parity.total(1, in: again) }
    try await again.amend(bad[0], to: Reading(group: 1, amount: 4))
    try await again.rebuild()
    #expect(try Parity.total(1, in: again) == Sums(4, 1))
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  @Test func itIsBuiltWhenAddedLaterAndCatchesUpAfterOthers() async throws {
    let scratch = Scratch()
    let without = try await open(scratch, [GroupTotals.self])
    _ = try await without.record([Reading(group: 1, amount: 1)])
    try await without.close()
    let with = try await open(scratch, [GroupTotals.self, Parity.self])
    #expect(try Parity.total(1, in: with) == Sums(1, 1))
    _ = try await with.record([Reading(group: 1, amount: 2)])
    try await with.close()
    let other = try await open(scratch, [GroupTotals.self])
    _ = try await other.record([Reading(group: 1, amount: 4)])
    try await other.close()
    let again = try await open(scratch, [GroupTotals.self, Parity.self])
    #expect(try Parity.total(1, in: again) == Sums(7, 3))
    try await again.close()
  }

  @Test func invalidatedItIsBuiltAnewWithItsSource() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [GroupTotals.self, Parity.self])
    let bad = try await store.record([Reading(group: 1, amount: -666)])
    try await store.amend(bad[0], to: Reading(group: 1, amount: 4))
    #expect(throws: ProjectingError.self) { try Parity.total(1, in: store) }
    try await store.invalidate([GroupTotals.self])
    #expect(try Parity.total(1, in: store) == Sums(4, 1))
    _ = try await store.record([Reading(group: 3, amount: 1)])
    #expect(try Parity.total(1, in: store) == Sums(5, 2))
    try await store.invalidate([Parity.self])
    #expect(try Parity.total(1, in: store) == Sums(5, 2))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func withoutItsSourceBeforeItItSaysSo() async throws {
    for types in [[Parity.self], [Parity.self, GroupTotals.self]] as [[any Projection.Type]] {
      let store = try await EventStore.ephemeral(schema: toySchema, projections: types)
      _ = try await store.record([Reading(group: 1, amount: 1)])
      let error = #expect(throws: ProjectingError.self) { try Parity.total(1, in: store) }
      #expect(
        error?.message.contains("not registered before it") == true, "\(String(describing: error))")
      try await store.close()
    }
  }

  /// The source's tables mean something else, so what is derived from them is built anew too: here by
  /// a program that derives from the new version.
  @Test func anotherVersionOfTheSourceBuildsItAnew() async throws {
    struct DoubledParity: DerivedProjection {
      static let name = Parity.name
      static let version = Parity.version
      static let tables = Parity.tables
      static let sources: [any Projection.Type] = [DoubledTotals.self]

      func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws {
        guard reading.hasChanged(readingKind) else { return }
        try reading.forEachSum(in: 0, of: DoubledTotals.self, from: TableKey(), to: Parity.end) {
          key, sums in
          tables.add(0, Parity.key(of: TableKey(bytes: key)), sums)
          return true
        }
        tables.put(1, Parity.key(9))
      }
    }
    let scratch = Scratch()
    let old = try await open(scratch, [GroupTotals.self, Parity.self])
    _ = try await old.record([Reading(group: 1, amount: 5)])
    try await old.close()
    let new = try await open(scratch, [DoubledTotals.self, DoubledParity.self])
    let doubled = try new.read { view in
      try view.sums(Parity.key(1), in: view.tables(of: DoubledParity.self)[0])
    }
    #expect(doubled == Sums(10, 2))
    try await new.close()
    // The older program can feed neither: the source is newer than it knows.
    let older = try await open(scratch, [GroupTotals.self, Parity.self])
    _ = try await older.record([Reading(group: 2, amount: 1)])
    let error = #expect(throws: ProjectingError.self) { try Parity.total(1, in: older) }
    #expect(error?.code == .behind)
    try await older.close()
    let newer = try await open(scratch, [DoubledTotals.self, DoubledParity.self])
    let sums = try newer.read { view in
      let table = try view.tables(of: DoubledParity.self)[0]
      return try [view.sums(Parity.key(0), in: table), view.sums(Parity.key(1), in: table)]
    }
    #expect(sums == [Sums(2, 2), Sums(10, 2)])
    try await newer.close()
  }
}
