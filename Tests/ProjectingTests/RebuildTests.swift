// Goal: a rebuild takes the place of the live views in one step, while readers and writers of this and
// other stores on the same folder go on; it can be cancelled, and it leaves alone what other programs
// keep.
// Method: the rebuild is held at its named points by a gate; what is appended and read meanwhile is
// compared with what the test knows. Two stores on one folder stand in for two processes where only
// one of them has the files open at a time, child processes elsewhere.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Foundation
import Testing

/// The second version of GroupTotals: counts everything twice.
struct DoubledTotals: Projection {
  static let name = GroupTotals.name
  static let version: UInt32 = 2
  static let tables = GroupTotals.tables

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    let first = GroupTotals()
    try first.apply(change, reading: state, to: &tables)
    guard change.kind == readingKind else { return }
    if let before = change.before {
      let reading = try Reading(before)
      tables.add(0, first.key(reading.group), -Sums(Int128(reading.amount), 1))
    }
    if let after = change.after {
      let reading = try Reading(after)
      tables.add(0, first.key(reading.group), Sums(Int128(reading.amount), 1))
    }
  }
}

/// How many readings there are.
struct Population: Projection {
  static let name = "Population"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("count", .sums(fields: 1))]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    if change.before != nil { tables.add(0, Self.key, Sums(-1)) }
    if change.after != nil { tables.add(0, Self.key, Sums(1)) }
  }

  static var key: TableKey {
    var key = TableKey()
    key.append(u8: 1)
    return key
  }

  static func count(_ store: EventStore) throws -> Int {
    try store.read { view in
      Int(try view.sums(key, in: try view.tables(of: Population.self)[0])?[0] ?? 0)
    }
  }
}

@Suite struct RebuildTests {
  static func open(
    _ scratch: Scratch, _ types: [any Projection.Type] = [GroupTotals.self],
    waits: Bool = true, trace: (@Sendable (String) -> Void)? = nil
  ) async throws -> EventStore {
    var options = EventStoreOptions()
    options.trace = trace
    options.waitsForProjections = waits
    return try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: types, options: options)
  }

  static func generations(_ scratch: Scratch, _ prefix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path)
      .filter { $0.hasPrefix(prefix) || $0.hasPrefix("removed-") }.sorted()
  }

  @Test(arguments: ["rebuild reserved", "rebuild built", "rebuild caught up"])
  func writersAndReadersGoOnMeanwhile(point: String) async throws {
    let scratch = Scratch()
    let gate = Gate(point)
    let store = try await Self.open(scratch, trace: { gate.pass($0) })
    let ids = try await store.record((1...300).map { Reading(group: 1, amount: Int64($0)) })
    async let report = store.rebuild()
    await gate.arrival(at: point)
    // More commits than the last round takes, in all operations.
    for amount in 1...120 {
      _ = try await store.record([Reading(group: 2, amount: Int64(amount))])
    }
    try await store.amend(ids[0], to: Reading(group: 2, amount: 5))
    try await store.amend(ids[1], to: nil)
    let expected = (Sums(Int128(300 * 301 / 2 - 3), 298), Sums(Int128(60 * 121 + 5), 121))
    #expect(try store.total(1) == expected.0)
    #expect(try store.total(2) == expected.1)
    gate.open(point)
    let sequence = try await report.sequence
    #expect(sequence == 123)
    #expect(try await report.findings == [])
    #expect(try store.total(1) == expected.0)
    #expect(try store.total(2) == expected.1)
    #expect(try Self.generations(scratch, "views-") == ["views-0002"])
    #expect(try store.verify().findings == [])
    _ = try await store.record([Reading(group: 2, amount: 1)])
    try await store.close()
    let again = try await Self.open(scratch)
    #expect(try again.total(2) == Sums(expected.1[0] + 1, 122))
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  @Test(arguments: ["rebuild reserved", "rebuild built", "rebuild caught up"])
  func aCancelledOneLeavesTheOldViews(point: String) async throws {
    let scratch = Scratch()
    let gate = Gate(point)
    let store = try await Self.open(scratch, trace: { gate.pass($0) })
    _ = try await store.record((1...9_000).map { Reading(group: 1, amount: Int64($0)) })
    let task = Task { try await store.rebuild() }
    await gate.arrival(at: point)
    task.cancel()
    gate.open(point)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Self.generations(scratch, "views-") == ["views-0001"])
    #expect(try store.total(1)[1] == 9_000)
    // And it can be done again.
    try await store.rebuild()
    #expect(try Self.generations(scratch, "views-") == ["views-0003"])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test(arguments: ["rebuild reserved", "rebuild built", "rebuild caught up"])
  func aPurgePastItsCommitHasItBeginAgain(point: String) async throws {
    let scratch = Scratch()
    let gate = Gate(point)
    let store = try await Self.open(scratch, trace: { gate.pass($0) })
    for amount in 1...5 { _ = try await store.record([Reading(group: 1, amount: Int64(amount))]) }
    async let report = store.rebuild()
    await gate.arrival(at: point)
    for amount in 1...120 {
      _ = try await store.record([Reading(group: 2, amount: Int64(amount))])
    }
    // Neither what it was built for nor what came then is kept.
    var purge = PurgeOptions()
    purge.policy = .count(1)
    _ = try await store.purge(purge)
    gate.open(point)
    #expect(try await report.sequence >= 125)
    #expect(try store.total(1) == Sums(15, 5))
    #expect(try store.total(2) == Sums(60 * 121, 120))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func whatDiffersInTheOldViewsIsReportedAndReplaced() async throws {
    let scratch = Scratch()
    let store = try await Self.open(scratch)
    _ = try await store.record([Reading(group: 1, amount: 3), Reading(group: 2, amount: 4)])
    #expect(try await store.rebuild(comparing: true).findings == [])
    try await store.close()
    // Views that were kept by a faulty version of the same program.
    struct Faulty: Projection {
      static let name = GroupTotals.name
      static let version = GroupTotals.version
      static let tables = GroupTotals.tables
      func apply(
        _ change: borrowing ProjectedChange, reading state: any StateReading,
        to tables: inout ProjectionTables
      ) throws {}
    }
    let faulty = try await Self.open(scratch, [Faulty.self])
    _ = try await faulty.record([Reading(group: 1, amount: 5)])
    try await faulty.close()
    let again = try await Self.open(scratch)
    #expect(try again.total(1) == Sums(3, 1))
    let report = try await again.rebuild(comparing: true)
    #expect(report.rowCount > 0)
    #expect(report.findings.contains { $0.message.contains("GroupTotals.totals") })
    #expect(try again.total(1) == Sums(8, 2))
    #expect(try await again.rebuild(comparing: true).findings == [])
    try await again.close()
  }

  @Test func aNewProjectionIsBuiltBesideTheLiveViews() async throws {
    let scratch = Scratch()
    let store = try await Self.open(scratch)
    _ = try await store.record((1...50).map { Reading(group: 1, amount: Int64($0)) })
    try await store.close()
    let gate = Gate("rebuild built")
    let both: [any Projection.Type] = [GroupTotals.self, Population.self]
    let again = try await Self.open(scratch, both, waits: false, trace: { gate.pass($0) })
    await gate.arrival(at: "rebuild built")
    // The others answer and are written meanwhile.
    _ = try await again.record([Reading(group: 1, amount: 0)])
    #expect(try again.total(1)[1] == 51)
    #expect(await again.projectors[1].health == .building)
    let error = #expect(throws: ProjectingError.self) { try Population.count(again) }
    #expect(error?.code == .notReady)
    gate.open("rebuild built")
    // Closing would cancel it: wait for it as the writer does, by its last step.
    await gate.arrival(at: "after flip")
    _ = try await again.record([Reading(group: 2, amount: 0)])
    #expect(try Population.count(again) == 52)
    #expect(await again.projectors[1].health == .current)
    #expect(try again.verify().findings == [])
    try await again.close()
    // By default open waits for it.
    let other = try await Self.open(scratch, [DoubledTotals.self, Population.self])
    #expect(try doubled(other, 1)[1] == 102)
    #expect(try Population.count(other) == 52)
    try await other.close()
  }

  @Test func closingEndsARebuildInTheBackground() async throws {
    let scratch = Scratch()
    let store = try await Self.open(scratch)
    _ = try await store.record((1...50).map { Reading(group: 1, amount: Int64($0)) })
    try await store.close()
    let gate = Gate("rebuild built")
    let both: [any Projection.Type] = [GroupTotals.self, Population.self]
    let again = try await Self.open(scratch, both, waits: false, trace: { gate.pass($0) })
    await gate.arrival(at: "rebuild built")
    async let closing: Void = again.close()
    gate.open("rebuild built")
    try await closing
    #expect(try Self.generations(scratch, "views-").count == 1)
    let once = try await Self.open(scratch, both)
    #expect(try Population.count(once) == 50)
    try await once.close()
  }

  @Test func aProgramWithoutAProjectionDoesNotDropItSilently() async throws {
    let scratch = Scratch()
    let both: [any Projection.Type] = [GroupTotals.self, Population.self]
    let owner = try await Self.open(scratch, both)
    _ = try await owner.record([Reading(group: 1, amount: 1)])
    try await owner.close()
    let other = try await Self.open(scratch)
    try await other.rebuild()
    _ = try await other.record([Reading(group: 1, amount: 1)])
    try await other.close()
    // A reader finds it behind, not empty.
    var options = EventStoreOptions()
    options.isReadOnly = true
    let reader = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: both, options: options)
    let error = #expect(throws: ProjectingError.self) { try Population.count(reader) }
    #expect(error?.code == .notRegistered || error?.code == .behind)
    #expect(try reader.total(1) == Sums(2, 2))
    try await reader.close()
    let again = try await Self.open(scratch, both)
    #expect(try Population.count(again) == 2)
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  @Test func olderCodeNeverTakesThePlaceOfANewerVersion() async throws {
    let scratch = Scratch()
    let old = try await Self.open(scratch)
    _ = try await old.record([Reading(group: 1, amount: 1)])
    try await old.close()
    let new = try await Self.open(scratch, [DoubledTotals.self])
    #expect(try doubled(new, 1) == Sums(2, 2))
    try await new.close()
    let older = try await Self.open(scratch)
    let error = #expect(throws: ProjectingError.self) { try older.total(1) }
    #expect(error?.code == .newerVersion)
    try await older.rebuild()
    _ = try await older.record([Reading(group: 1, amount: 3)])
    let later = #expect(throws: ProjectingError.self) { try older.total(1) }
    #expect(later?.code == .newerVersion)
    try await older.close()
    let again = try await Self.open(scratch, [DoubledTotals.self])
    #expect(try doubled(again, 1) == Sums(8, 4))
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  private func doubled(_ store: EventStore, _ group: UInt32) throws -> Sums {
    try store.read { view in
      try view.sums(GroupTotals().key(group), in: view.tables(of: DoubledTotals.self)[0]) ?? Sums()
    }
  }
}
