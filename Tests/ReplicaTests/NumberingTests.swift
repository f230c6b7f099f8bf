// Goal: devices that record without each other end with the same recording numbers, each number means one entity at any
// time, and nothing is renumbered without need. Method: named cases with the exact numbers and commits; ReplicaTests
// compares numbers with the fold at every step.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging
import DaybookReplicas
import Testing

@Suite struct NumberingTests {
  /// The commits of a device that gave entities other numbers.
  private func renumberings(_ device: Device) throws -> [Commit] {
    var found: [Commit] = []
    var cursor = try device.store.history().cursor()
    while let commit = try cursor.next() {
      if commit.header.isRenumbering { found.append(commit) }
    }
    return found
  }

  /// Devices push their commits, one after the other, and all pull them.
  private func exchange(_ relay: inout Relay, _ devices: [Device]) async throws {
    for device in devices {
      try await device.pull(relay.entries(after: device.position))
      relay.push(try await device.pushed())
      try await device.pull(relay.entries(after: device.position))
    }
    for device in devices { try await device.pull(relay.entries(after: device.position)) }
  }

  @Test func whoSendsLaterGivesItsRowsGreaterNumbers() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    try await first.commit([(key(1), record([1: 1])), (key(2), record([1: 2]))], at: 10)
    try await second.commit([(key(3), record([1: 3])), (key(4), record([1: 4]))], at: 20)
    #expect(try await second.numbers(of: [key(3), key(4)]) == [key(3): 1, key(4): 2])
    try await exchange(&relay, [first, second])
    for device in [first, second] {
      let numbers = try await device.numbers(of: (1...4).map { key($0) })
      #expect(numbers == [key(1): 1, key(2): 2, key(3): 3, key(4): 4])
      #expect(try device.store.verify().isSound)
    }
    #expect(try renumberings(first).isEmpty)
    // Deleted and inserted in one commit.
    let commits = try renumberings(second)
    #expect(commits.map { $0.changes.map(\.number) } == [[2, 1, 3, 4]])
    // The next one is numbered behind all of them.
    try await second.commit([(key(5), record([1: 5]))], at: 30)
    #expect(try await second.number(of: key(5)) == 5)
    try await second.store.rebuild()
    #expect(try await second.numbers(of: [key(3), key(5)]) == [key(3): 3, key(5): 5])
    #expect(try second.store.verify().isSound)
  }

  @Test func oneAfterTheOtherRenumbersNothing() async throws {
    var relay = Relay()
    var devices: [Device] = []
    for _ in 0..<2 { devices.append(try await Device(from: Folded())) }
    for number: UInt64 in 1...12 {
      let device = devices[Int(number % 2)]
      try await device.commit([(key(number), record([1: UInt8(number)]))], at: Int64(number))
      if number % 3 == 0 { try await device.commit([(key(number), nil)], at: Int64(number)) }
      try await exchange(&relay, [device])
      try await exchange(&relay, devices)
      if number % 6 == 0 {
        // As it was, by the other device.
        let other = devices[Int((number + 1) % 2)]
        try await other.commit([(key(number), record([1: UInt8(number)]))], at: Int64(number))
        try await exchange(&relay, [other])
        try await exchange(&relay, devices)
      }
    }
    let all = (1...12).map { key($0) }
    let numbers = try await devices[0].numbers(of: all)
    #expect(numbers.count == 10 && numbers.allSatisfy { $0.key.id.low == $0.value })
    for device in devices {
      #expect(try await device.numbers(of: all) == numbers)
      #expect(try renumberings(device).isEmpty)
    }
  }

  @Test func whatWasHeldLeavesItsNumberToTheNext() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    try await first.commit([(key(1, books), record([1: 5]))], at: 10)
    relay.push(try await first.pushed())
    try await second.commit([(key(1), record([2: 3])), (key(2), record([2: 4]))], at: 20)
    try await second.commit([(key(3), record([2: 9]))], at: 21)
    try await exchange(&relay, [first, second])
    for device in [first, second] {
      #expect(try await device.numbers(of: [key(1), key(2), key(3)]) == [key(3): 1])
      #expect(try device.store.verify().isSound)
    }
    try await second.commit([(key(4), record([2: 9]))], at: 22)
    #expect(try await second.number(of: key(4)) == 2)
    try await exchange(&relay, [second, first])
    #expect(try await first.number(of: key(4)) == 2)
  }

  @Test func aNumberOfHistoryThatIsAnothersByNowIsNotGivenAgain() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    try await second.commit([(key(1), record([1: 1]))], at: 10)
    try await second.commit([(key(1), nil)], at: 11)
    try await first.commit([(key(2), record([1: 2]))], at: 12)
    relay.push(try await first.pushed())
    try await second.pull(relay.entries(after: 0))
    // History says 1, which is the other row's.
    try await second.commit([(key(1), record([1: 1]))], at: 13)
    let numbers = try await second.numbers(of: [key(1), key(2)])
    #expect(numbers[key(2)] == 1 && numbers[key(1)] != 1)
    try await exchange(&relay, [second, first])
    for device in [first, second] {
      #expect(try await device.numbers(of: [key(1), key(2)]) == [key(1): 2, key(2): 1])
      #expect(try device.store.verify().isSound)
    }
  }

  @Test func whatBothMadeHasTheNumberOfTheFirst() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    try await first.commit([(key(1), record([1: 1])), (key(2), record([1: 1]))], at: 10)
    try await second.commit([(key(2), record([1: 1])), (key(3), record([1: 1]))], at: 11)
    try await exchange(&relay, [first, second])
    for device in [first, second] {
      let numbers = try await device.numbers(of: (1...3).map { key($0) })
      #expect(numbers == [key(1): 1, key(2): 2, key(3): 3])
      #expect(try device.store.verify().isSound)
    }
  }

  @Test func manyPendingRowsAreMovedSeldom() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    let count: UInt64 = 300
    for number in 0..<count {
      try await second.commit([(key(10_000 + number), record([1: 1]))], at: 10)
    }
    for number in 0..<count {
      try await first.commit([(key(20_000 + number), record([1: 1]))], at: 10)
    }
    relay.push(try await first.pushed())
    while second.position < relay.head {
      try await second.pull(relay.entries(after: second.position, count: 10))
    }
    #expect(try renumberings(second).count <= 2)
    try await exchange(&relay, [second, first])
    let keys = (0..<count).flatMap { [key(10_000 + $0), key(20_000 + $0)] }
    let numbers = try await first.numbers(of: keys)
    #expect(Set(numbers.values) == Set(1...2 * count))
    #expect(try await second.numbers(of: keys) == numbers)
    try await second.commit([(key(1), record([1: 1]))], at: 20)
    #expect(try await second.number(of: key(1)) == 2 * count + 1)
  }

  @Test func formerPlacesAreRememberedUpToTheFloor() async throws {
    var relay = Relay()
    let (first, second) = (
      try await Device(from: Folded()), try await Device(from: Folded())
    )
    try await first.commit([(key(1), record([1: 1]))], at: 10)
    try await second.commit([(key(2), record([1: 2]))], at: 20)
    try await exchange(&relay, [first, second])
    func former(_ device: Device, _ number: UInt64) throws -> [EntityID] {
      try device.store.read {
        try $0.formerEntities(thing, at: StatePosition(cluster: 0, number: number))
      }
    }
    #expect(try former(second, 1) == [key(2).id])
    #expect(try former(second, 2).isEmpty && former(first, 1).isEmpty)
    relay.move(floor: relay.head)
    try await second.pull(relay.entries(after: second.position))
    #expect(try former(second, 1).isEmpty)
  }

  @Test func whoRejoinsTakesTheSnapshotsNumbers() async throws {
    var relay = Relay()
    let (here, away) = (try await Device(from: Folded()), try await Device(from: Folded()))
    try await here.commit([(key(1), record([1: 1]))], at: 10)
    relay.push(try await here.pushed())
    for device in [here, away] { try await device.pull(relay.entries(after: 0)) }
    // Both make 5, and each something of its own; 6 is deleted here and brought back.
    try await away.commit([(key(4), record([1: 4]))], at: 20)
    try await away.commit([(key(5), record([1: 5]))], at: 21)
    try await here.commit([(key(5), record([1: 5]))], at: 30)
    try await here.commit([(key(6), record([1: 6]))], at: 31)
    relay.push(try await here.pushed())
    try await here.pull(relay.entries(after: here.position))
    let snapshot = try await here.replica.snapshot()
    _ = try await away.rejoin(snapshot)
    #expect(
      try await away.numbers(of: [key(1), key(5), key(6)]) == [key(1): 1, key(5): 2, key(6): 3])
    #expect(try #require(await away.number(of: key(4))) >= 4)
    #expect(try away.store.verify().isSound)
    relay.push(try await away.pushed())
    try await away.replica.pull(relay.entries(after: snapshot.head))
    try await here.pull(relay.entries(after: here.position))
    for device in [here, away] {
      #expect(try await device.number(of: key(4)) == 4)
    }
    #expect(try await away.replica.digest() == here.replica.digest())
  }
}
