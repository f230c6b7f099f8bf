// Goal: what another replica begins with comes and goes in parts, says the same as the fold, and is whole or not there.
// Method: a replica with tombstones, findings, pending commits and records of every length gives its elements; stores
// take them in, in parts, interrupted, twice, and after another snapshot.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging
import DaybookReplicas
import Foundation
import Testing

@Suite struct JoiningTests {
  /// A device of whose log something was deleted, something lost, something is held, and something is pending.
  private func eventful() async throws -> (device: Device, folded: Folded) {
    var relay = Relay()
    let first = try await Device(from: Folded())
    let second = try await Device(from: Folded())
    var long = RecordWriter()
    long.put(1) { $0.raw([UInt8](repeating: 7, count: 600_000)) }
    try await first.commit(
      (1...300).map { (key($0), record([1: UInt8($0 % 5), 2: 1])) } + [(key(400), long.record)],
      at: 10)
    try await first.commit([(key(7), nil)], at: 20)
    relay.push(try await first.pushed())
    try await first.pull(relay.entries(after: 0))
    try await second.pull(relay.entries(after: 0))
    try await second.commit([(key(3), record([1: 9])), (key(500, folder), record([2: 1]))], at: 30)
    relay.push(try await second.pushed())
    try await first.commit([(key(3), record([1: 8])), (key(9), nil)], at: 40)
    try await first.commit([(key(1, books), record([1: 5]))], at: 41)
    relay.push(try await first.pushed())
    try await second.commit([(key(10), record([1: 9, 2: 1]))], at: 42)
    relay.push(try await second.pushed())
    try await first.pull(relay.entries(after: first.position))
    try await first.commit(
      [(key(4), record([1: 1])), (key(5), nil), (key(0), record([1: 1])), (key(900), record([:]))],
      at: 50)
    var fold = Fold(rules: rules)
    try fold.fold(contentsOf: relay.log)
    #expect(!fold.folded.findings.isEmpty && !fold.folded.held.isEmpty)
    return (first, fold.folded)
  }

  private func elements(_ folded: Folded) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    folded.forEachElement { elements.append($0) }
    return elements
  }

  private func elements(_ replica: Replica) async throws -> [[UInt8]] {
    var elements: [[UInt8]] = []
    try await replica.forEachElement { elements.append($0) }
    return elements
  }

  private func batches(_ elements: [[UInt8]], of count: Int) -> [[[UInt8]]] {
    stride(from: 0, to: elements.count, by: count).map {
      Array(elements[$0..<min($0 + count, elements.count)])
    }
  }

  @Test func theElementsAreThoseOfTheFold() async throws {
    let (device, folded) = try await eventful()
    #expect(try await elements(device.replica) == elements(folded))
  }

  @Test(arguments: [1, 7, 1_000]) func aSnapshotIsTakenInInParts(count: Int) async throws {
    let (device, folded) = try await eventful()
    let elements = try await elements(device.replica)
    let store = try await EventStore.ephemeral(schema: schema)
    let joining = try await Replica.Joining(store, rules: rules)
    for batch in batches(elements, of: count) {
      #expect(throws: ReplicaFault.incomplete) { try Replica(store, rules: rules) }
      try await joining.add(Replica.Joining.Batch(batch))
    }
    let replica = try await joining.finish()
    #expect(try await self.elements(replica) == elements)
    #expect(try await replica.snapshot() == folded)
    #expect(try await replica.digest() == folded.digest)
    #expect(try await replica.position() == folded.head)
    #expect(try await replica.pending().isEmpty)
    #expect(try store.verify().isSound)
    await #expect(throws: ReplicaFault.notEmpty) {
      _ = try await Replica.Joining(store, rules: rules)
    }
  }

  @Test func itGoesOnWhereItWasInterrupted() async throws {
    let (device, _) = try await eventful()
    let elements = try await elements(device.replica)
    let store = try await EventStore.ephemeral(schema: schema)
    for batch in batches(elements, of: 50).dropLast() {
      try await Replica.Joining(store, rules: rules).add(Replica.Joining.Batch(batch))
      try await Replica.Joining(store, rules: rules).add(Replica.Joining.Batch(batch))
    }
    let joining = try await Replica.Joining(store, rules: rules)
    for batch in batches(elements, of: 90) { try await joining.add(Replica.Joining.Batch(batch)) }
    let digest = try await device.replica.digest()
    let replica = try await joining.finish { $0 == digest }
    #expect(try await self.elements(replica) == elements)
    #expect(try await replica.digest() == digest)
  }

  @Test func whatIsMissingShowsInTheDigest() async throws {
    let (device, folded) = try await eventful()
    let store = try await EventStore.ephemeral(schema: schema)
    let joining = try await Replica.Joining(store, rules: rules)
    try await joining.add(Replica.Joining.Batch(elements(folded).dropLast()))
    let digest = try await device.replica.digest()
    await #expect(throws: ReplicaFault.incomplete) { _ = try await joining.finish { $0 == digest } }
    try await joining.add(Replica.Joining.Batch(elements(folded).suffix(1)))
    _ = try await joining.finish { $0 == digest }
  }

  @Test func anotherSnapshotTakesThePlaceOfOneThatWasNotFinished() async throws {
    let (device, _) = try await eventful()
    let elements = try await elements(device.replica)
    let other = try await Device(from: Folded())
    try await other.commit([(key(1_000), record([1: 1])), (key(1), record([1: 2]))], at: 5)
    var relay = Relay()
    relay.push(try await other.pushed())
    try await other.pull(relay.entries(after: 0))
    let others = try await self.elements(other.replica)
    let store = try await EventStore.ephemeral(schema: schema)
    let joining = try await Replica.Joining(store, rules: rules)
    try await joining.add(Replica.Joining.Batch(elements))
    try await joining.clear()
    await #expect(throws: ReplicaFault.incomplete) { _ = try await joining.finish() }
    try await joining.add(Replica.Joining.Batch(others))
    let replica = try await joining.finish()
    #expect(try await self.elements(replica) == others)
    #expect(try await replica.digest() == other.replica.digest())
  }

  @Test func onlyAnEmptyStoreJoins() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    try await store.append { context in
      try context.apply(
        Change(kind: thing, id: key(1).id, number: 1, before: nil, after: record([1: 1])))
    }
    await #expect(throws: ReplicaFault.notEmpty) {
      _ = try await Replica.Joining(store, rules: rules)
    }
    #expect(throws: ReplicaFault.notShared) { try Replica(store, rules: rules) }
    _ = try await Replica.begin(store, rules: rules)
    await #expect(throws: ReplicaFault.notEmpty) {
      _ = try await Replica.begin(store, rules: rules)
    }
  }

  @Test func nothingIsRecordedMeanwhile() async throws {
    let store = try await EventStore.ephemeral(schema: schema)
    let joining = try await Replica.Joining(store, rules: rules)
    try await joining.add(Replica.Joining.Batch(elements(Folded())))
    try await store.append { context in
      try context.apply(
        Change(kind: thing, id: key(1).id, number: 1, before: nil, after: record([1: 1])))
    }
    await #expect(throws: ReplicaFault.notEmpty) { _ = try await joining.finish() }
  }

  @Test func oneMomentIsReadWhileOthersAppend() async throws {
    let (device, folded) = try await eventful()
    var isFirst = true
    var found: [[UInt8]] = []
    let store = device.store
    let moment = try await store.mergeMoment(of: Replica.consumer)
    try await device.commit([(key(1), record([1: 77])), (key(950), record([:]))], at: 60)
    _ = try await store.purge()
    withExtendedLifetime(moment) {}
    try await device.replica.forEachElement {
      isFirst = false
      found.append($0)
    }
    #expect(!isFirst)
    #expect(found == elements(folded))
  }
}
