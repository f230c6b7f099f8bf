// Goal: what comes of projections that ask State of nothing, which a rebuild tells apart from the others, is the
// same. Method: batches of insertions, amendments, deletions and long records, against the figures by hand and the
// full verification; one that asks all the same.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Testing

/// What GroupTotals keeps, by a projection that says that it asks State of nothing.
struct ApartTotals: Projection {
  static let name = "ApartTotals"
  static let version: UInt32 = 1
  static let tables = GroupTotals.tables
  static let readsState = false

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    try GroupTotals().apply(change, reading: state, to: &tables)
  }
}

/// Asks State in spite of what it says.
private struct Liar: Projection {
  static let name = "Liar"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("none", .rows)]
  static let readsState = false

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    _ = try state.number(of: change.id, kind: change.kind)
  }
}

@Suite struct ApartTests {
  private func open(_ path: String, _ types: [any Projection.Type]) async throws -> EventStore {
    var options = EventStoreOptions()
    // However large a batch is, it is applied and not rebuilt from.
    options.bulkChangeCountMin = .max
    return try await EventStore.open(
      at: path, schema: toySchema, projections: types, options: options)
  }

  private func total(_ group: UInt32, _ store: EventStore) throws -> Sums {
    try store.read { view in
      let tables = try view.tables(of: ApartTotals.self)
      return try view.sums(GroupTotals().key(group), in: tables[0]) ?? Sums()
    }
  }

  /// A record that is kept in parts.
  private func long(_ reading: Reading) -> Record {
    var writer = RecordWriter()
    writer.put(1) { $0.u32be(reading.group) }
    writer.put(2) { $0.zigzag(reading.amount) }
    writer.put(3) { $0.raw([UInt8](repeating: 7, count: 5_000)) }
    return writer.record
  }

  @Test(arguments: [31, 32, 33, 700]) func whatIsToldApartIsTheSame(count: Int) async throws {
    let scratch = Scratch()
    let store = try await open(scratch.path, [GroupTotals.self, ApartTotals.self])
    let readings = (0..<count).map { Reading(group: UInt32($0 % 3), amount: Int64($0)) }
    let ids = try await store.record(readings)
    // Else both could be taken in one batch.
    _ = try store.total(0)
    try await store.append { context in
      for (index, id) in ids.enumerated() {
        let old = try #require(try context.entity(readingKind, id))
        // Every seventh goes, every fifth becomes long, every other one goes to the next group.
        var after: Record? = Reading(group: UInt32(index % 3) + 1, amount: 10).record
        if index % 5 == 0 { after = long(Reading(group: 1, amount: 10)) }
        if index % 7 == 0 { after = nil }
        try context.apply(
          Change(
            kind: readingKind, id: id, number: old.number, before: old.record, after: after))
        // And comes back as another within the same batch.
        guard index % 14 == 0 else { continue }
        try context.apply(
          Change(
            kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
            before: nil, after: long(Reading(group: 5, amount: 1))))
      }
    }
    for group in 0..<6 as Range<UInt32> {
      var expected = Sums()
      for index in 0..<count {
        if index % 14 == 0, group == 5 { expected += Sums(1, 1) }
        if index % 7 == 0 { continue }
        if (index % 5 == 0 ? 1 : UInt32(index % 3) + 1) == group { expected += Sums(10, 1) }
      }
      #expect(try store.total(group) == expected, "group \(group)")
      #expect(try total(group, store) == expected, "group \(group), told apart")
    }
    #expect(try store.verify().findings == [])
    let statistics = await store.projectors[1].statistics
    #expect(statistics.batchCount == 2)
    try await store.close()
  }

  @Test(arguments: [1, 100]) func whoAsksAllTheSameIsSetAside(count: Int) async throws {
    let scratch = Scratch()
    let store = try await open(scratch.path, [Liar.self, ApartTotals.self, GroupTotals.self])
    _ = try await store.record(
      [Reading](repeating: Reading(group: 1, amount: 2), count: count))
    guard case .quarantined(_, let reason) = await store.projectors[0].health else {
      Issue.record("The one that asked goes on.")
      return
    }
    #expect(reason.contains("readsState"), "\(reason)")
    #expect(try store.total(1) == Sums(Int128(2 * count), Int128(count)))
    #expect(try total(1, store) == Sums(Int128(2 * count), Int128(count)))
    try await store.close()
  }

  @Test func oneThatThrowsIsSetAsideAlone() async throws {
    let scratch = Scratch()
    let store = try await open(scratch.path, [ApartTotals.self, Population.self])
    _ = try await store.record([Reading(group: 1, amount: 3)])
    _ = try await store.record((0..<200).map { Reading(group: 1, amount: $0 == 150 ? -666 : 1) })
    #expect(await store.projectors[1].health == .current)
    #expect(try Population.count(store) == 201)
    #expect(throws: ProjectingError.self) { try total(1, store) }
    guard case .quarantined(atSequence: 1, _) = await store.projectors[0].health else {
      Issue.record("The one that threw goes on.")
      return
    }
    try await store.close()
    // Its tables are as they were before.
    let again = try await open(scratch.path, [ApartTotals.self, Population.self])
    #expect(throws: ProjectingError.self) { try total(1, again) }
    try await again.close()
  }

  /// What a decision reads is a snapshot, of which anything may be asked at any time.
  @Test func aQuestionWithinAQuestionIsAnswered() async throws {
    let scratch = Scratch()
    let store = try await open(scratch.path, [GroupTotals.self])
    let ids = try await store.record([Reading(group: 1, amount: 3)])
    #expect(try store.total(1) == Sums(3, 1))
    let found = try await store.append { context in
      var found: [Record?] = []
      try context.withCommittedTables(of: GroupTotals.self) { tables, handle in
        let (from, to) = (GroupTotals().key(0), GroupTotals().key(9))
        try tables.forEachRow(in: handle[0], from: from, to: to) { _, _ in
          found.append(try context.entity(readingKind, ids[0])?.record)
          return true
        }
      }
      return found
    }.result
    #expect(found == [Reading(group: 1, amount: 3).record])
    try await store.close()
  }
}
