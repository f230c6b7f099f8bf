// Goal: whatever is damaged in a relay's files is told by name, and a log that grows meanwhile is not taken for a
// damaged one.
// Method: rows are changed behind the store's back; readers look while pushes go on.

import DaybookEntities
import DaybookSyncWire
import Synchronization
import Testing

@testable import Relay

@Suite struct VerifyTests {
  /// A log of six entries of two replicas, with a floor, a snapshot and a device.
  private func filled(_ store: EmbeddedRelayStore) async throws {
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: Hash256(hashing: [1]), name: "Phone"))
    for number in 1...2 as ClosedRange<UInt64> {
      for replica in 1...2 as ClosedRange<UInt64> {
        _ = try await store.push(
          PushPage([entry(number, replica: replica)]), to: ledger, now: Int64(number))
      }
    }
    let floors = [try entry(3, base: 3, kind: .floor, floor: 2), try entry(4, base: 4)]
    _ = try await store.push(PushPage(floors), to: ledger, now: 5)
    let chunk = try entry(0, base: 4, kind: .chunk)
    try await store.putChunk(chunk, of: ledger)
    try await store.putManifest(
      entry(0, base: 4, kind: .manifest), chunks: [chunk.digest], of: ledger)
  }

  /// What verifying says after a change to the rows.
  private func faults(
    _ kind: StoreKind, _ change: @escaping @Sendable (inout RelayRows) throws -> Void
  ) async throws -> [String] {
    let told = Mutex<[String]>([])
    try await withStore(kind) { store in
      try await filled(store)
      #expect(try await store.verify(ledger).faults == [])
      try await store.rows.write(change)
      let faults = try await store.verify(ledger).faults
      told.withLock { $0 = faults }
    }
    return told.withLock { $0 }
  }

  private func flipping(
    _ key: [UInt8], at index: Int
  ) -> @Sendable (inout RelayRows) throws -> Void {
    { rows in
      var bytes = try #require(try rows.get(key))
      bytes[index] ^= 0x40
      rows.put(key, bytes)
    }
  }

  @Test(arguments: StoreKind.allCases) func everyByteOfAnEntryCounts(_ kind: StoreKind) async throws
  {
    try await withStore(kind) { store in
      try await filled(store)
      let key = RowKeys.entry(ledger, 3)
      let whole = try #require(try await store.rows.read { try $0.get(key) })
      // The header and what stands before it byte by byte, the sealed rest here and there.
      for index in Array(0..<100) + Array(stride(from: 100, to: whole.count, by: 37)) {
        try await store.rows.write { rows in
          var bytes = whole
          bytes[index] ^= 0x40
          rows.put(key, bytes)
        }
        let faults = try await store.verify(ledger).faults
        #expect(faults.contains { $0.contains("entry 3") }, "\(index)")
      }
      for count in [0, 5, 40, 50, whole.count - 1] {
        try await store.rows.write { $0.put(key, Array(whole[..<count])) }
        let faults = try await store.verify(ledger).faults
        #expect(faults.contains { $0.contains("entry 3") }, "\(count)")
      }
      try await store.rows.write { $0.delete(key) }
      #expect(try await store.verify(ledger).faults.contains("entry 3 is missing"))
    }
  }

  @Test(arguments: StoreKind.allCases) func theTablesBesideTheLogCount(_ kind: StoreKind)
    async throws
  {
    let number = RowKeys.number(ledger, 2, 1)
    for change in [
      flipping(number, at: 7), { $0.delete(number) }, { $0.put(number, [1]) },
      { $0.put(RowKeys.number(ledger, 2, 9), [0, 0, 0, 0, 0, 0, 0, 1]) },
    ] as [@Sendable (inout RelayRows) throws -> Void] {
      #expect(try await faults(kind, change).contains { $0.contains("push number") })
    }
    for change in [
      flipping(RowKeys.replica(ledger, 2), at: 7), { $0.delete(RowKeys.replica(ledger, 2)) },
    ] as [@Sendable (inout RelayRows) throws -> Void] {
      #expect(try await faults(kind, change).contains { $0.contains("replica 2") })
    }
    let row:
      @Sendable (@escaping @Sendable (inout LedgerRow) -> Void) ->
        @Sendable (
          inout RelayRows
        ) throws -> Void = { change in
          { rows in
            var row = try rows.row(of: ledger)
            change(&row)
            try rows.put(row, of: ledger)
          }
        }
    #expect(try await faults(kind, row { $0.floor = 1 }).contains { $0.contains("floor") })
    #expect(try await faults(kind, row { $0.byteCount += 1 }).contains { $0.contains("bytes") })
    #expect(try await faults(kind, row { $0.snapshot = 3 }).contains { $0.contains("snapshot") })
    #expect(try await faults(kind, flipping(RowKeys.ledger(ledger), at: 0)).count == 1)
    let chunk: @Sendable (inout RelayRows) throws -> Void = { rows in
      var key: [UInt8] = []
      try rows.scan(RowKeys.table("C", ledger), RowKeys.table("C", ledger)) { found, _ in
        key = found
        return false
      }
      try flipping(key, at: 60)(&rows)
    }
    #expect(try await faults(kind, chunk).contains { $0.contains("chunk") })
    let hash = Hash256(hashing: [1])
    for change in [
      flipping(RowKeys.device(ledger, hash), at: 0), { $0.delete(RowKeys.token(hash)) },
    ] as [@Sendable (inout RelayRows) throws -> Void] {
      #expect(try await faults(kind, change).contains { $0.contains("device") })
    }
  }

  @Test(arguments: StoreKind.allCases) func aReaderSeesOneCommit(_ kind: StoreKind) async throws {
    try await withStore(kind) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...300 as ClosedRange<UInt64> {
            _ = try await store.push(PushPage([entry(number)]), to: ledger, now: 1)
          }
        }
        group.addTask {
          while true {
            let found = try await store.rows.read { rows in
              let head = try rows.row(of: ledger).end.position
              return (head, try rows.get(RowKeys.entry(ledger, head + 1)) == nil)
            }
            #expect(found.1, "an entry of a later commit is there")
            let result = try await store.verify(ledger)
            #expect(result.faults == [] && result.entryCount == result.end.position)
            if found.0 == 300 { return }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func changesThatShareACommitSeeEachOther() async throws {
    try await withStore(.disk) { store in
      let sealed = try entry(0, kind: .invitation)
      let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<64 {
          group.addTask {
            await !refusal(.tooMany) {
              try await store.putInvitation(
                sealed, mailbox: PairingCode().mailbox, of: ledger, now: 1)
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(taken == EmbeddedRelayStore.invitationCountMax)
    }
  }
}
