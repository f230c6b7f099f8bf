// Goal: whoever brings back what was deleted says only that it exists, so what others changed meanwhile comes back with
// it. Method: two devices, one of which deletes and brings back while the other one amends, in every order.

import DaybookEngine
import DaybookEntities
import DaybookMerging
import DaybookReplicas
import Testing

@Suite struct UndeletingTests {
  private let both = record([1: 1, 2: 2])

  private func exchange(_ devices: [Device], _ relay: inout Relay) async throws {
    for _ in 0..<2 {
      for device in devices {
        relay.push(try await device.pushed())
        try await device.pull(relay.entries(after: device.position))
      }
    }
  }

  private func began(_ relay: inout Relay) async throws -> [Device] {
    let devices = [try await Device(from: Folded()), try await Device(from: Folded())]
    try await devices[0].commit([(key(1), both)], at: 10)
    try await exchange(devices, &relay)
    return devices
  }

  private func expect(_ devices: [Device], _ expected: Record?) async throws {
    for device in devices {
      #expect(try await device.record(of: key(1)) == expected)
      #expect(try await device.replica.pending().isEmpty)
      #expect(try await device.replica.recountedDigest() == devices[0].replica.digest())
    }
  }

  @Test func whatAnotherChangedInTheTombstoneComesBack() async throws {
    var relay = Relay()
    let devices = try await began(&relay)
    try await devices[0].commit([(key(1), nil)], at: 20)
    try await devices[1].commit([(key(1), record([1: 1, 2: 9]))], at: 21)
    try await exchange(devices, &relay)
    try await expect(devices, nil)
    try await devices[0].commit([(key(1), both)], at: 30)
    let sent = try await devices[0].pushed()
    #expect(
      sent.map(\.changes) == [[EntityChange(key(1), before: nil, after: both, tombstone: both)]])
    try await exchange(devices, &relay)
    try await expect(devices, record([1: 1, 2: 9]))
  }

  @Test func deletedAndBroughtBackBeforeAnybodyKnew() async throws {
    var relay = Relay()
    let devices = try await began(&relay)
    try await devices[0].commit([(key(1), nil)], at: 20)
    _ = try await devices[0].pushed()
    try await devices[0].commit([(key(1), both)], at: 21)
    #expect(try await devices[0].pushed().last?.changes[0].tombstone == both)
    try await devices[1].commit([(key(1), record([1: 7, 2: 2]))], at: 15)
    try await exchange([devices[1], devices[0]], &relay)
    try await exchange(devices, &relay)
    try await expect(devices, record([1: 7, 2: 2]))
  }

  @Test func whatAnotherDeletedIsBroughtBackHere() async throws {
    var relay = Relay()
    let devices = try await began(&relay)
    try await devices[1].commit([(key(1), nil)], at: 20)
    try await exchange(devices, &relay)
    try await devices[0].commit([(key(2), both)], at: 25)
    try await devices[0].commit([(key(1), both)], at: 30)
    #expect(try await devices[0].pushed().last?.changes[0].tombstone == both)
    try await exchange(devices, &relay)
    try await expect(devices, both)
  }

  @Test func anythingElseUnderItsIDIsInsertedWhole() async throws {
    var relay = Relay()
    let devices = try await began(&relay)
    try await devices[0].commit([(key(1), nil)], at: 20)
    try await devices[0].commit([(key(1), record([1: 3]))], at: 21)
    #expect(try await devices[0].pushed().last?.changes[0].tombstone == nil)
    try await exchange(devices, &relay)
    try await expect(devices, record([1: 3]))
  }

  @Test func whatTheLogNeverKnewIsInsertedWhole() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    for (before, after) in [(nil, both), (both, nil)] as [(Record?, Record?)] {
      try await store.append { context in
        try context.apply(
          Change(kind: thing, id: key(1).id, number: 1, before: before, after: after))
      }
    }
    let replica = try await Replica.begin(store, rules: rules)
    try await store.append { [both] context in
      try context.apply(
        Change(kind: thing, id: key(1).id, number: 1, before: nil, after: both))
    }
    let changes = try await replica.pending().flatMap(\.changes)
    #expect(changes == [EntityChange(key(1), before: nil, after: both)])
  }
}
