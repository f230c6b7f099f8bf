// Goal: what every RelayStore promises, whatever it keeps its logs in.
// Method: one suite, run over each store; readers check the chain of what they pull.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Testing

@testable import Relay

@Suite struct StoreTests {
  @Test(arguments: StoreKind.everywhere) func positionsAreGapFreeAndChained(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      for number in 1...20 as ClosedRange<UInt64> {
        for replica in 1...2 as ClosedRange<UInt64> {
          let one = try entry(number, replica: replica)
          _ = try await store.push(PushPage([one]), to: ledger, now: Int64(100 - number))
        }
      }
      let chain = try await readAll(store)
      #expect(chain.end.position == 40)
      #expect(try await store.status(of: ledger, now: 0).end == chain.end)
      #expect(try await store.verify(ledger).faults == [])
      // A number that JSON of every language can say.
      #expect(1..<(1 << 53) ~= (try await store.status(of: ledger, now: 0).incarnation))
      // A clock that goes back does not take the log with it.
      #expect(chain.end.received == 99)
      let small = try await store.pull(from: ledger, after: 5, byteCountMax: 1)
      #expect(small.entries.map(\.position) == [6] && small.head == 40)
    }
  }

  @Test(arguments: StoreKind.everywhere) func pushesCanBeRepeated(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let entries = try (1...5).map { try entry($0) }
      let first = try await store.push(PushPage(Array(entries[..<3])), to: ledger, now: 1)
      #expect(first.positions == [1, 2, 3] && first.duplicates == 0)
      let again = try await store.push(PushPage(entries), to: ledger, now: 2)
      #expect(again.positions == [1, 2, 3, 4, 5] && again.duplicates == 3)
      #expect(
        await refusal(.numberReused) {
          _ = try await store.push(PushPage([entry(2)]), to: ledger, now: 3)
        })
      #expect(try await readAll(store).end.position == 5)
    }
  }

  @Test(arguments: StoreKind.everywhere) func whatDoesNotFitIsRefusedWhole(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      func push(_ entries: [SealedEntry]) async throws {
        _ = try await store.push(PushPage(entries), to: ledger, now: 1)
      }
      #expect(await refusal(.gap) { try await push([entry(2)]) })
      #expect(await refusal(.baseBeyondHead) { try await push([entry(1), entry(2, base: 9)]) })
      #expect(try await readAll(store).end.position == 0)
      try await push([entry(1), entry(2), entry(3, base: 2, kind: .floor, floor: 2)])
      #expect(await refusal(.baseBelowFloor) { try await push([entry(4, base: 1)]) })
      #expect(
        await refusal(.noLedger) {
          _ = try await store.push(
            PushPage([entry(4, base: 3)]), to: EntityID(high: 0, low: 0), now: 1)
        })
      #expect(
        await refusal(.beyondHead) {
          _ = try await store.pull(from: ledger, after: 9, byteCountMax: 100)
        })
      try await push([entry(4, base: 3)])
    }
  }

  @Test(arguments: StoreKind.everywhere) func aQuotaHolds(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let other = EntityID(high: 1, low: 1)
      try await store.makeLedger(other, quota: 1_000)
      func push(_ number: UInt64) async throws {
        _ = try await store.push(PushPage([entry(number)]), to: other, now: 1)
      }
      for number in 1...3 as ClosedRange<UInt64> where number < 4 { try? await push(number) }
      #expect(await refusal(.overQuota) { try await push(4) })
      #expect(try await store.status(of: other, now: 0).end.position == 3)
    }
  }

  @Test(arguments: StoreKind.everywhere) func trimmingStopsAtFloorAndSnapshot(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      var entries = try (1...9).map { try entry($0) }
      entries.append(try entry(10, base: 8, kind: .floor, floor: 8))
      _ = try await store.push(PushPage(entries), to: ledger, now: 1)
      #expect(try await store.trim(ledger, entryCountMax: 100) == 0)
      let chunk = try entry(0, base: 6, kind: .chunk)
      #expect(
        await refusal(.notFound) {
          try await store.putManifest(
            entry(0, base: 6, kind: .manifest), chunks: [chunk.digest], of: ledger)
        })
      try await store.putChunk(chunk, of: ledger)
      try await store.putManifest(
        entry(0, base: 6, kind: .manifest), chunks: [chunk.digest], of: ledger)
      #expect(try await store.chunk(chunk.digest, of: ledger) == chunk)
      #expect(try await store.trim(ledger, entryCountMax: 4) == 4)
      #expect(try await store.trim(ledger, entryCountMax: 4) == 2)
      #expect(try await store.trim(ledger, entryCountMax: 4) == 0)
      #expect(
        await refusal(.trimmed) {
          _ = try await store.pull(from: ledger, after: 5, byteCountMax: 100)
        })
      #expect(
        try await store.pull(from: ledger, after: 6, byteCountMax: 1 << 20).entries.count == 4)
      #expect(
        await refusal(.trimmed) {
          _ = try await store.push(PushPage([entries[0]]), to: ledger, now: 1)
        })
      #expect(try await store.verify(ledger).faults == [])
    }
  }

  @Test(arguments: StoreKind.everywhere) func devicesComeAndGo(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let hash = Hash256(hashing: [1])
      try await store.addDevice(RelayDevice(ledger: ledger, tokenHash: hash, name: "Phone"))
      #expect(try await store.device(hash)?.replicas == [])
      let other = EntityID(high: 1, low: 1)
      try await store.makeLedger(other, quota: 1)
      #expect(try await store.revoke(hash, of: other) == false)
      #expect(try await store.devices(of: other) == [])
      #expect(try await store.revoke(hash, of: ledger))
      #expect(try await store.device(hash) == nil)
      #expect(try await store.devices(of: ledger).map(\.isRevoked) == [true])
      #expect(try await store.revoke(Hash256(hashing: [2]), of: ledger) == false)
      for name in ["", String(repeating: "x", count: 201)] {
        #expect(
          await refusal(.malformed) {
            try await store.addDevice(RelayDevice(ledger: ledger, tokenHash: hash, name: name))
          })
      }
    }
  }

  @Test(arguments: StoreKind.everywhere) func aReplicaHasOneToken(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      let hashes = (1...2).map { Hash256(hashing: [$0]) }
      for hash in hashes {
        try await store.addDevice(RelayDevice(ledger: ledger, tokenHash: hash, name: "Phone"))
      }
      // A restored copy takes another name, and its token stays.
      for replica in [5, 6, 5] as [UInt64] { try await store.bind(hashes[0], to: replica) }
      #expect(try await store.device(hashes[0])?.replicas == [5, 6])
      #expect(await refusal(.wrongReplica) { try await store.bind(hashes[1], to: 5) })
      // A device that was turned away leaves its names to nobody.
      _ = try await store.revoke(hashes[0], of: ledger)
      #expect(await refusal(.wrongReplica) { try await store.bind(hashes[1], to: 6) })
      for replica in 10..<26 as Range<UInt64> { try await store.bind(hashes[1], to: replica) }
      #expect(await refusal(.wrongReplica) { try await store.bind(hashes[1], to: 26) })
    }
  }

  @Test(arguments: StoreKind.everywhere) func whoIsLetInIsAskedForWithWhatTheyAsk(
    _ kind: StoreKind
  ) async throws {
    try await withAnyStore(kind) { store in
      let (token, other) = (Hash256(hashing: [1]), Hash256(hashing: [2]))
      let first = try entry(1)
      try await store.addDevice(RelayDevice(ledger: ledger, tokenHash: token, name: "Phone"))
      func push(_ entry: SealedEntry, by token: Hash256) async throws -> [UInt64]? {
        try await store.push(PushPage([entry]), to: ledger, by: token, now: 1)?.positions
      }
      func pull(by token: Hash256) async throws -> Int? {
        try await store.pull(from: ledger, by: token, after: 0, byteCountMax: 1 << 20)?
          .entries.count
      }
      // Nothing says yet that this replica is the device's.
      #expect(try await push(first, by: token) == nil)
      try await store.bind(token, to: 1)
      #expect(try await push(first, by: token) == [1])
      #expect(try await push(first, by: token) == [1])
      #expect(await refusal(.gap) { _ = try await push(entry(3), by: token) })
      #expect(try await push(entry(1, replica: 2), by: token) == nil)
      #expect(try await push(entry(2), by: other) == nil)
      #expect(try await pull(by: token) == 1)
      #expect(try await pull(by: other) == nil)
      // A token of another ledger.
      let second = EntityID(high: 1, low: 1)
      try await store.makeLedger(second, quota: 1 << 30)
      try await store.addDevice(RelayDevice(ledger: second, tokenHash: other, name: "Laptop"))
      #expect(try await pull(by: other) == nil)
      _ = try await store.revoke(token, of: ledger)
      #expect(try await push(entry(2), by: token) == nil)
      #expect(try await pull(by: token) == nil)
      #expect(try await readAll(store).end.position == 1)
    }
  }

  @Test(arguments: StoreKind.everywhere) func aRingWakesWhoWaits(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      async let head = store.waitForEntries(ledger, after: 0, seconds: 30)
      try await Task.sleep(for: .milliseconds(50))
      _ = try await store.push(PushPage([entry(1)]), to: ledger, now: 1)
      #expect(try await head == 1)
      #expect(try await store.waitForEntries(ledger, after: 1, seconds: 0.05) == 1)
    }
  }

  @Test(arguments: StoreKind.everywhere) func manyPushAtOnce(_ kind: StoreKind) async throws {
    try await withAnyStore(kind) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for replica in 1...16 as ClosedRange<UInt64> {
          group.addTask {
            for number in 1...25 as ClosedRange<UInt64> {
              _ = try await store.push(
                PushPage([entry(number, replica: replica)]), to: ledger, now: 1)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await readAll(store).end.position == 400)
    }
  }

  @Test func whatWasAnsweredIsThereWhenItIsOpenedAgain() async throws {
    let scratch = Scratch()
    let copy = Scratch()
    var end = LogEnd(startOf: ledger)
    do {
      let store = try EmbeddedRelayStore.open(folder: scratch.path)
      try await store.makeLedger(ledger, quota: 1 << 20)
      end = try await store.push(PushPage([entry(1), entry(2)]), to: ledger, now: 1).end
      try await store.backup(to: copy.path)
      try await store.close()
    }
    for path in [scratch.path, copy.path] {
      let store = try EmbeddedRelayStore.open(folder: path)
      #expect(try await readAll(store).end == end)
      #expect(try await store.ledgers() == [ledger])
    }
  }
}
