// Goal: who comes later than the floor loses nothing that was recorded: it stands, or a finding tells of it. Method:
// named cases with exact records; then seeded devices that stay away while the floor moves and the log is trimmed.

import DaybookEngine
import DaybookEntities
import DaybookMerging
import DaybookRandom
import DaybookReplicas
import Testing

@Suite struct RebaseTests {
  /// A device that was away while another moved on and the floor with it.
  ///
  /// - Returns: the relay, the one that was there, and the one that was away, at position 1.
  private func away(
    _ late: [(key: EntityKey, record: Record?)], while others: [(key: EntityKey, record: Record?)]
  ) async throws -> (relay: Relay, here: Device, away: Device) {
    var relay = Relay()
    let (here, away) = (try await Device(from: Folded()), try await Device(from: Folded()))
    try await here.commit(
      [(key(1), record([1: 1, 2: 1])), (key(2), record([1: 2, 3: 5, 4: 5]))], at: 10)
    relay.push(try await here.pushed())
    for device in [here, away] { try await device.pull(relay.entries(after: 0)) }
    try await away.commit(late, at: 20)
    try await here.commit(others, at: 30)
    relay.push(try await here.pushed())
    try await here.pull(relay.entries(after: here.position))
    relay.move(floor: relay.head)
    try await here.pull(relay.entries(after: here.position))
    return (relay, here, away)
  }

  /// Gives a device a snapshot of another, as after a log that was trimmed.
  private func rejoin(_ device: Device, from other: Device) async throws -> RebaseReceipt {
    let snapshot = try await other.replica.snapshot()
    return try await device.rejoin(snapshot)
  }

  @Test func whatStillHasItsValueTakesTheNewOne() async throws {
    var (relay, here, away) = try await away(
      [(key(1), record([1: 1, 2: 7])), (key(3), record([1: 3]))],
      while: [(key(1), record([1: 4, 2: 1])), (key(2), record([1: 6, 3: 5, 4: 5]))])
    let receipt = try await rejoin(away, from: here)
    #expect(receipt.commitCount == 1)
    #expect(receipt.lostCount == 0)
    #expect(try await away.record(of: key(1)) == record([1: 4, 2: 7]))
    #expect(try await away.record(of: key(2)) == record([1: 6, 3: 5, 4: 5]))
    #expect(try await away.replica.findings().isEmpty)
    let pending = try await away.replica.pending()
    #expect(pending.map(\.base) == [here.position])
    #expect(pending.map(\.number) == [1])
    relay.push(pending)
    for device in [here, away] { try await device.replica.pull(relay.entries(after: 0)) }
    #expect(try await here.record(of: key(1)) == record([1: 4, 2: 7]))
    #expect(try await here.record(of: key(3)) == record([1: 3]))
    #expect(try await here.replica.digest() == away.replica.digest())
    #expect(try await away.replica.pending().isEmpty)
    #expect(try away.store.verify().isSound)
  }

  @Test func whatWasChangedMeanwhileStandsAndAFindingTells() async throws {
    let (_, here, away) = try await away(
      [(key(1), record([1: 9, 2: 7])), (key(2), nil)],
      while: [(key(1), record([1: 4, 2: 1])), (key(2), record([1: 6, 3: 5, 4: 5]))])
    let receipt = try await rejoin(away, from: here)
    #expect(receipt.lostCount == 2)
    #expect(try await away.record(of: key(1)) == record([1: 4, 2: 7]))
    #expect(try await away.record(of: key(2)) == record([1: 6, 3: 5, 4: 5]))
    let findings = try await away.replica.findings()
    #expect(findings.map(\.id.key) == [key(1), key(2)])
    #expect(findings.allSatisfy { $0.id.rule == .tooLate })
    #expect(findings[0].values.map(\.register) == [Register(tag: 1)])
    #expect(findings[0].values[0].lost.bytes == record([1: 9]).bytes)
    #expect(findings[0].values[0].won.bytes == record([1: 4]).bytes)
    #expect(findings[1].values.map(\.register) == [.existence])
    // The others know nothing of them, and the digest does not either.
    #expect(try await away.replica.digest() == here.replica.digest())
    #expect(try await away.replica.recountedDigest() == here.replica.digest())
    #expect(try await here.replica.findings().isEmpty)
  }

  @Test func aFloorAloneIsEnough() async throws {
    let (relay, here, away) = try await away(
      [(key(1), record([1: 9, 2: 7]))], while: [(key(1), record([1: 4, 2: 1]))])
    try await away.replica.pull(relay.entries(after: away.position))
    let receipt = try #require(try await away.replica.rebase())
    #expect(receipt.commitCount == 1)
    #expect(receipt.lostCount == 1)
    #expect(try await away.record(of: key(1)) == record([1: 4, 2: 7]))
    #expect(try await away.replica.pending().map(\.base) == [here.position])
    #expect(try await away.replica.rebase() == nil)
  }

  @Test func aSnapshotThatIsNotWholeChangesNothing() async throws {
    let (_, here, away) = try await away(
      [(key(1), record([1: 9, 2: 7]))], while: [(key(2), nil)])
    let before = try await (away.replica.snapshot(), away.pushed())
    let snapshot = try await here.replica.snapshot()
    await #expect(throws: ReplicaFault.incomplete) { try await away.rejoin(snapshot, without: 1) }
    #expect(try await away.replica.snapshot() == before.0)
    #expect(try await away.replica.pending() == before.1)
    #expect(try await away.record(of: key(2)) == record([1: 2, 3: 5, 4: 5]))
  }

  @Test func whatTheLogHasAlreadyIsNotRecordedAgain() async throws {
    var (relay, here, away) = try await away(
      [(key(1), record([1: 1, 2: 7]))], while: [(key(2), nil)])
    let snapshot = try await here.replica.snapshot()
    // It was pushed before the floor, and the answer never came.
    var pushed = try await away.pushed()[0]
    pushed.base = here.position
    relay.push([pushed])
    _ = try await away.rejoin(snapshot, placed: 1)
    #expect(try await away.replica.pending().isEmpty)
    try await away.replica.pull(relay.entries(after: 0))
    #expect(try await away.record(of: key(1)) == record([1: 1, 2: 7]))
    try await here.pull(relay.entries(after: here.position))
    #expect(try await away.replica.digest() == here.replica.digest())
    #expect(try await away.replica.pending().isEmpty)
  }

  @Test func numbersStay() async throws {
    let (_, here, away) = try await away(
      [(key(3), record([1: 3])), (key(4), record([1: 4]))], while: [(key(2), nil)])
    let numbers = try await [away.number(of: key(3)), away.number(of: key(4))]
    _ = try await rejoin(away, from: here)
    #expect(try await [away.number(of: key(3)), away.number(of: key(4))] == numbers)
  }

  /// Devices that stay away; at rest all hold the same, and no value that was recorded is nowhere.
  @Test(arguments: 0..<UInt64(30)) func nothingIsLost(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var relay = Relay()
    var devices: [Device] = []
    for _ in 0..<3 { devices.append(try await Device(from: Folded())) }
    // Each change gives a property a value of its own, so that one can be looked for.
    var value: UInt8 = 0
    var recorded: [(tag: UInt8, key: EntityKey, value: UInt8)] = []
    for step in 0..<50 {
      let device = devices[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<9, using: &random) {
      case 0..<4:
        let entity = key(UInt64.random(in: 1...3, using: &random))
        let tag = UInt8.random(in: 1...2, using: &random)
        value += 1
        var values: [UInt8: UInt8] = [:]
        let standing = try await device.record(of: entity)
        for other: UInt8 in 1...2 { values[other] = standing?[other]?.first }
        values[tag] = value
        try await device.commit([(entity, record(values))], at: relay.time)
        recorded.append((tag, entity, value))
      case 4, 5:
        let pending = try await device.pushed()
        let floor = relay.floor
        relay.push(Array(pending.prefix { $0.base >= floor }))
      case 6:
        try await device.replica.pull(relay.entries(after: try await device.replica.position()))
        _ = try await device.replica.rebase()
      case 7:
        // Somebody was away for long.
        let source = devices[Int.random(in: 0..<3, using: &random)]
        let snapshot = try await source.replica.snapshot()
        guard snapshot.head > (try await device.replica.position()) else { continue }
        let placed = relay.numbers[ReplicaID(rawValue: try await device.replica.id().rawValue)]
        _ = try await device.rejoin(snapshot, placed: placed ?? 0)
      default:
        relay.move(floor: UInt64.random(in: 0...relay.head, using: &random))
      }
      #expect(
        try await device.replica.digest() == device.replica.recountedDigest(),
        "seed \(seed), step \(step)")
    }
    for _ in 0..<3 {
      for device in devices {
        try await device.replica.pull(relay.entries(after: try await device.replica.position()))
        _ = try await device.replica.rebase()
        relay.push(try await device.replica.pending())
        try await device.replica.pull(relay.entries(after: try await device.replica.position()))
      }
    }
    var fold = Fold(rules: rules)
    try fold.fold(contentsOf: relay.log)
    var findings: [Finding] = []
    for device in devices {
      #expect(try await device.replica.pending().isEmpty, "seed \(seed)")
      #expect(try await device.replica.snapshot() == fold.folded, "seed \(seed)")
      for (key, state) in fold.folded.entities {
        #expect(try await device.record(of: key) == state.record, "seed \(seed)")
      }
      #expect(try device.store.verify().isSound)
      findings += try await device.replica.findings()
    }
    let placed = relay.log.flatMap { entry -> [EntityChange] in
      guard case .commit(let commit) = entry.content else { return [] }
      return commit.changes
    }
    for one in recorded {
      let isInLog = placed.contains { $0.key == one.key && $0.after?[one.tag] == [one.value] }
      let isTold = findings.contains { finding in
        finding.id.key == one.key
          && finding.values.contains { $0.lost.bytes == record([one.tag: one.value]).bytes }
      }
      #expect(isInLog || isTold, "seed \(seed): \(one)")
    }
  }
}
