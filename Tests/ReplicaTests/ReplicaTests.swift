// Goal: at all times a replica's State is the fold of the log as far as it was pulled, and then of its own pending
// commits; and replicas that have seen the same log hold the same. Method: seeded devices record, push and pull in
// slices of any size; the pure fold of what the test itself wrote down says what each has to hold.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging
import DaybookRandom
import DaybookReplicas
import Foundation
import Testing

@Suite struct ReplicaTests {
  private let keys: [EntityKey] =
    (1...5).map { key($0) } + (1...4).map { key($0, folder) } + [key(1, books)]

  /// What a device has to hold: the fold of the log so far, and of what is pending.
  private func expected(
    _ device: Device, _ log: [LogEntry], from snapshot: Folded
  ) throws -> (local: [EntityKey: Record], confirmed: Folded) {
    var fold = Fold(rules: rules, from: snapshot)
    try fold.fold(contentsOf: log.prefix { $0.position <= device.position })
    let pending = try fold.pending(device.expectedPending)
    var local: [EntityKey: Record] = [:]
    for (key, state) in fold.folded.entities.merging(pending.entities, uniquingKeysWith: { $1 })
    where state.exists {
      local[key] = state.record
    }
    return (local, fold.folded)
  }

  private func check(
    _ device: Device, _ log: [LogEntry], from snapshot: Folded, _ comment: Comment
  ) async throws {
    let pending = try await device.pushed()
    let expected = try expected(device, log, from: snapshot)
    for key in keys where !device.broughtBack.contains(key) {
      let held = try await device.record(of: key)
      #expect(held == expected.local[key], "\(comment), \(key)")
    }
    try await checkNumbers(device, expected.confirmed, comment)
    #expect(pending == device.expectedPending, comment)
    // Read anew, by one who remembers nothing.
    #expect(try await Replica(device.store, rules: rules).pending() == pending, comment)
    let digest = try await device.replica.digest()
    #expect(digest == expected.confirmed.digest, comment)
    #expect(try await device.replica.recountedDigest() == digest, comment)
  }

  /// Each entity has the log's number; entities that the log does not have are numbered behind these.
  private func checkNumbers(
    _ device: Device, _ confirmed: Folded, _ comment: Comment
  ) async throws {
    let changed = Set(device.expectedPending.flatMap { $0.changes.map(\.key) })
    let numbers = try await device.numbers(of: keys)
    for (key, number) in numbers {
      let known = confirmed.entities[key]?.number ?? 0
      if known == 0 {
        #expect(number >= confirmed.nextNumbers[key.kind] ?? 1, "\(comment), \(key)")
      } else if !changed.contains(key) {
        #expect(number == known, "\(comment), \(key)")
      }
    }
    for kind in [thing, folder, books] {
      let given = numbers.filter { $0.key.kind == kind }.values
      #expect(Set(given).count == given.count, "\(comment): \(numbers)")
    }
  }

  private func anyRecord(_ key: EntityKey, _ random: inout SeededGenerator) -> Record? {
    // As in a ledger, what others may be in is never gone.
    if key.kind == thing, Int.random(in: 0..<8, using: &random) == 0 { return nil }
    if key.kind == folder {
      return record([
        1: UInt8.random(in: 1...5, using: &random), 2: UInt8.random(in: 1...9, using: &random),
      ])
    }
    if key.kind == books { return record([1: UInt8.random(in: 0...3, using: &random)]) }
    var properties: [UInt8: UInt8] = [:]
    for tag: UInt8 in 1...4 where Bool.random(using: &random) {
      properties[tag] = UInt8.random(in: 1...3, using: &random)
    }
    return record(properties)
  }

  /// Seeds from 0 on; more with `DAYBOOK_SEEDS`.
  private static let seeds: Range<UInt64> = {
    let asked = ProcessInfo.processInfo.environment["DAYBOOK_SEEDS"].flatMap(UInt64.init)
    return 0..<(asked ?? 40)
  }()

  @Test(arguments: seeds) func everyDeviceHoldsTheFold(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var relay = Relay()
    let snapshot = Folded()
    var devices: [Device] = []
    for _ in 0..<3 { devices.append(try await Device(from: snapshot)) }
    for step in 0..<60 {
      let index = Int.random(in: 0..<3, using: &random)
      let device = devices[index]
      switch Int.random(in: 0..<11, using: &random) {
      case 10:
        // As a copy that was restored.
        if Int.random(in: 0..<3, using: &random) == 0 { try await device.replica.rename() }
      case 0..<5:
        var wanted: [(EntityKey, Record?)] = []
        for key in keys.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
          wanted.append((key, anyRecord(key, &random)))
        }
        let error = Int64.random(in: -20...20, using: &random)
        try await device.commit(wanted, at: relay.time + error)
      case 5, 6:
        let commits = try await device.pushed()
        let least = relay.floor
        relay.push(
          Array(commits.prefix(Int.random(in: 0...3, using: &random)).prefix { $0.base >= least }))
      case 7, 8:
        let entries = relay.entries(
          after: device.position, count: Int.random(in: 1...4, using: &random))
        try await device.pull(entries)
      default:
        // Nobody may push below it any more.
        let bases = devices.map { min($0.position, $0.expectedPending.first?.base ?? $0.position) }
        relay.move(floor: bases.min() ?? 0)
      }
      try await check(
        device, relay.log, from: snapshot, "seed \(seed), step \(step), device \(index)")
    }
    // At rest: everything is pushed and pulled.
    for _ in 0..<2 {
      for device in devices {
        relay.push(try await device.pushed())
        try await device.pull(relay.entries(after: device.position))
      }
    }
    var fold = Fold(rules: rules)
    try fold.fold(contentsOf: relay.log)
    for device in devices {
      let held = try await device.replica.snapshot()
      #expect(held == fold.folded, "seed \(seed)")
      for (key, number) in try await device.numbers(of: keys) {
        #expect(number == fold.folded.entities[key]?.number, "seed \(seed), \(key)")
      }
      #expect(try await device.replica.pending().isEmpty)
      #expect(
        try await device.replica.findings() == fold.folded.findings.values.sorted { $0.id < $1.id })
      let waiting = try await device.replica.held()
      #expect(Set(waiting) == Set(fold.folded.held.values.joined()), "seed \(seed)")
      #expect(try device.store.verify().isSound)
      try await device.close()
    }
  }

  @Test func whoJoinsLaterBeginsWithASnapshot() async throws {
    var relay = Relay()
    let first = try await Device(from: Folded())
    try await first.commit([(key(1), record([1: 1])), (key(2), record([1: 2]))], at: 10)
    try await first.commit([(key(2), nil)], at: 20)
    relay.push(try await first.pushed())
    try await first.pull(relay.entries(after: 0))
    let snapshot = try await first.replica.snapshot()
    let second = try await Device(from: snapshot)
    #expect(try await second.record(of: key(1)) == record([1: 1]))
    #expect(try await second.replica.snapshot() == snapshot)
    try await second.commit([(key(1), record([1: 1, 2: 9]))], at: 30)
    relay.push(try await second.pushed())
    try await first.pull(relay.entries(after: first.position))
    #expect(try await first.record(of: key(1)) == record([1: 1, 2: 9]))
  }

  @Test func aStoreThatHasEntitiesBecomesTheFirstReplica() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    try await store.append { context in
      try context.apply(
        Change(kind: thing, id: key(1).id, number: 1, before: nil, after: record([1: 1])))
    }
    let replica = try await Replica.begin(store, rules: rules)
    let snapshot = try await replica.snapshot()
    #expect(snapshot.entities.count == 1)
    #expect(try await replica.pending().isEmpty)
    let second = try await Device(from: snapshot)
    #expect(try await second.record(of: key(1)) == record([1: 1]))
  }

  @Test func whatIsPendingOutlivesARestart() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var relay = Relay()
    let device = try await Device(from: Folded(), path: folder.appendingPathComponent("a").path)
    try await device.commit([(key(1), record([1: 1]))], at: 10)
    try await device.commit([(key(1), record([1: 2, 2: 1]))], at: 20)
    let before = try await device.pushed()
    try await device.restart()
    #expect(try await device.pushed() == before)
    relay.push([before[0]])
    try await device.pull(relay.entries(after: 0))
    try await device.restart()
    #expect(try await device.pushed() == [before[1]])
    #expect(try await device.replica.position() == 1)
    #expect(try device.store.verify().isSound)
    try await device.close()
  }

  @Test func historySaysWhoseACommitWas() async throws {
    var relay = Relay()
    let first = try await Device(from: Folded())
    let second = try await Device(from: Folded())
    try await first.commit([(key(1), record([1: 1]))], at: 10)
    relay.push(try await first.pushed())
    try await second.pull(relay.entries(after: 0))
    var cursor = try second.store.history().cursor()
    var replicas: [UInt64] = []
    while let commit = try cursor.next() { replicas.append(commit.header.replica) }
    let id = try await first.replica.id()
    #expect(replicas.last == id.rawValue)
  }

  @Test func aStoreThatIsNotSharedIsToldSo() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    #expect(throws: ReplicaFault.notShared) { try Replica(store, rules: rules) }
  }

  @Test func anotherCommitUnderTheOwnNameIsNoticed() async throws {
    let device = try await Device(from: Folded())
    try await device.commit([(key(1), record([1: 1]))], at: 10)
    var other = try await device.pushed()[0]
    other.changes = [EntityChange(key(1), before: nil, after: record([1: 2]))]
    let entry = LogEntry(position: 1, received: 10, content: .commit(other))
    await #expect(throws: ReplicaFault.unknownOwnCommit(position: 1, number: 1)) {
      try await device.pull([entry])
    }
    #expect(try await device.pushed() == device.expectedPending)
  }

  @Test func aSliceThatCannotBeFoldedChangesNothing() async throws {
    let device = try await Device(from: Folded())
    let commit = ReplicaCommit(
      replica: ReplicaID(rawValue: 9), number: 1, base: 0, clock: 5,
      changes: [EntityChange(key(1), before: nil, after: record([1: 1]))])
    let entries = [
      LogEntry(position: 1, received: 5, content: .commit(commit)),
      LogEntry(position: 3, received: 6, content: .commit(commit)),
    ]
    await #expect(throws: FoldFault.self) { try await device.pull(entries) }
    #expect(try await device.record(of: key(1)) == nil)
    #expect(try await device.replica.position() == 0)
  }
}
