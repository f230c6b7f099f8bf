// Goal: a copied log is the same log, the source serves it no more, and an interrupted, damaged or second copy is
// never served. Method: every embedded store as source, every store as target; a copy is stopped after each of its
// steps and run again; rows of the source are damaged.

import DaybookEntities
import DaybookSyncWire
import Synchronization
import Testing

@testable import Relay

@Suite struct CopyTests {
  @Test(arguments: StoreKind.allCases, StoreKind.everywhere)
  func everythingIsCopied(_ from: StoreKind, _ to: StoreKind) async throws {
    let stores = try await CopyStores(from, to)
    let pushed = try await stores.fill()
    let log = try await stores.source.entries(of: ledger, after: 0, byteCountMax: 1 << 20)
    let status = try await stores.source.status(of: ledger, now: 0)
    let usage = try await stores.source.usage(of: ledger)
    let devices = try await stores.source.devices(of: ledger)
    let copied = try await stores.copier().run()
    #expect(copied.isNew && copied.record.entryCount == 34)
    let target = stores.target
    #expect(try await target.verify(ledger).faults == [])
    #expect(try await target.status(of: ledger, now: 0) == status)
    #expect(try await target.usage(of: ledger) == usage)
    #expect(try await target.devices(of: ledger) == devices)
    let page = try await target.pull(from: ledger, after: 6, byteCountMax: 1 << 20)
    #expect(page.entries.map(\.position) == log.map(\.position))
    #expect(page.entries.map(\.entry) == log.map(\.row.entry))
    #expect(page.entries.map(\.received) == log.map(\.row.received))
    // Chunks and manifest.
    let manifest = try await stores.source.manifest(of: ledger)
    #expect(try await target.manifest(of: ledger) == manifest)
    for digest in copied.record.chunks {
      let chunk = try await stores.source.chunk(digest, of: ledger)
      #expect(try await target.chunk(digest, of: ledger) == chunk)
    }
    // Devices are who they were.
    #expect(try await target.device(DeviceToken.hash("0"))?.replicas == [1, 5])
    #expect(try await target.device(DeviceToken.hash("2")) == nil)
    #expect(
      await refusal(.wrongReplica) { try await target.bind(DeviceToken.hash("1"), to: 5) })
    // A repeated push gets its first positions, and the next one continues.
    let again = try await target.push(PushPage(Array(pushed.suffix(3))), to: ledger, now: 9)
    #expect(again.duplicates == 3 && again.positions == [38, 39, 40])
    let next = try await target.push(PushPage([entry(41, base: 10)]), to: ledger, now: 9)
    #expect(next.positions == [41])
    #expect(try await target.verify(ledger).faults == [])
  }

  @Test(arguments: StoreKind.everywhere) func anEmptyLogIsCopied(_ to: StoreKind) async throws {
    let stores = try await CopyStores(.disk, to)
    _ = try await stores.copier().run()
    #expect(try await stores.target.push(PushPage([entry(1)]), to: ledger, now: 9).positions == [1])
  }

  @Test(arguments: StoreKind.allCases) func theSourceServesNoDeviceUntilItIsToldTo(
    _ from: StoreKind
  ) async throws {
    let stores = try await CopyStores(from, .memory)
    let known = DeviceToken.hash("0")
    let page = PushPage([try entry(1)])
    try await stores.source.bind(known, to: 1)
    _ = try await stores.copier().run()
    #expect(await refusal(.noLedger) { _ = try await stores.source.device(known) })
    #expect(
      await refusal(.noLedger) {
        _ = try await stores.source.push(page, to: ledger, by: known, now: 1)
      })
    #expect(
      await refusal(.noLedger) {
        _ = try await stores.source.pull(from: ledger, by: known, after: 0, byteCountMax: 1)
      })
    try await stores.source.setCopiedTo(nil, ledger)
    #expect(
      try await stores.source.push(page, to: ledger, by: known, now: 1)?.positions == [1])
  }

  @Test(arguments: StoreKind.everywhere) func anInterruptedCopyIsStartedAgain(_ to: StoreKind)
    async throws
  {
    for stop in 0... {
      let stores = try await CopyStores(.disk, to)
      _ = try await stores.fill()
      let count = StepCount()
      let stopped = LogCopier(ledger, from: stores.source, to: stores.target, named: "b") { _ in
        if count.next() == stop { throw Killed() }
      }
      do {
        _ = try await stopped.run()
        #expect(stop > 3, "Nothing was stopped.")
        return
      } catch is Killed {}
      let isFinished = try await stores.target.ledgers() == [ledger]
      if !isFinished {
        #expect(try await stores.target.device(DeviceToken.hash("0")) == nil)
      }
      #expect(try await stores.source.device(DeviceToken.hash("0")) != nil)
      let wasDiscarded = Mutex(false)
      let again = LogCopier(ledger, from: stores.source, to: stores.target, named: "b") { step in
        if step == .discarded { wasDiscarded.withLock { $0 = true } }
      }
      let copied = try await again.run()
      #expect(copied.isNew != isFinished && wasDiscarded.withLock { $0 } != isFinished, "\(stop)")
      #expect(try await stores.target.verify(ledger).faults == [])
    }
  }

  @Test(arguments: StoreKind.everywhere) func aNewLogContainsNothingOfAnInterruptedCopy(
    _ to: StoreKind
  ) async throws {
    let stores = try await CopyStores(.disk, to)
    _ = try await stores.fill()
    let stopped = LogCopier(ledger, from: stores.source, to: stores.target, named: "b") {
      if case .chunk = $0 { throw Killed() }
    }
    await #expect(throws: Killed.self) { _ = try await stopped.run() }
    try await stores.target.makeLedger(ledger, quota: 1 << 20)
    #expect(try await stores.target.push(PushPage([entry(1)]), to: ledger, now: 9).positions == [1])
    #expect(try await stores.target.verify(ledger).faults == [])
    await #expect(throws: CopyFault.alreadyThere(ledger)) {
      _ = try await stores.copier().run()
    }
  }

  @Test(arguments: StoreKind.everywhere) func aLogIsCopiedOnce(_ to: StoreKind) async throws {
    let stores = try await CopyStores(.disk, to)
    _ = try await stores.fill()
    #expect(try await stores.copier().run().isNew)
    #expect(try await !stores.copier().run().isNew)
    await #expect(throws: CopyFault.copiedBefore(ledger, to: "b")) {
      _ = try await LogCopier(
        ledger, from: stores.source, to: EmbeddedRelayStore.inMemory(), named: "c"
      ).run()
    }
    // A target that went on is another log.
    _ = try await stores.target.push(PushPage([entry(41, base: 10)]), to: ledger, now: 9)
    await #expect(throws: CopyFault.alreadyThere(ledger)) {
      _ = try await stores.copier().run()
    }
  }

  @Test func aDamagedLogIsNotCopied() async throws {
    let damages: [@Sendable (inout RelayRows) throws -> Void] = [
      { rows in
        var row = try EntryRow(bytes: rows.get(RowKeys.entry(ledger, 20)) ?? [])
        row.received += 1
        rows.put(RowKeys.entry(ledger, 20), row.bytes)
      },
      { $0.delete(RowKeys.entry(ledger, 20)) },
      { $0.delete(RowKeys.entry(ledger, 40)) },
      { $0.put(RowKeys.entry(ledger, 20), [1, 2, 3]) },
      { $0.putNumber(7, RowKeys.replica(ledger, 1)) },
      { rows in
        let chunk = try entry(0, base: 8, kind: .chunk, content: [9])
        for key in try rows.record(of: ledger).chunks {
          rows.put(RowKeys.chunk(ledger, key), chunk.bytes)
        }
      },
      { $0.put(RowKeys.manifest(ledger), [1, 2, 3]) },
    ]
    for (index, damage) in damages.enumerated() {
      let stores = try await CopyStores(.disk, .memory)
      _ = try await stores.fill()
      try await stores.source.rows.write { try damage(&$0) }
      let fault = await #expect(throws: CopyFault.self) { _ = try await stores.copier().run() }
      guard case .damaged = fault else {
        Issue.record("\(index): \(String(describing: fault))")
        continue
      }
      #expect(try await stores.target.ledgers() == [])
      #expect(try await stores.source.copiedTo(ledger) == nil)
    }
  }

  @Test func aLogThatChangesDuringTheCopyIsNotServed() async throws {
    let stores = try await CopyStores(.disk, .memory)
    _ = try await stores.fill()
    let source = stores.source
    let copier = LogCopier(ledger, from: source, to: stores.target, named: "b") {
      if case .chunk = $0 { _ = try await source.admit("late", to: ledger) }
    }
    await #expect(throws: CopyFault.changed(ledger)) { _ = try await copier.run() }
    #expect(try await stores.target.ledgers() == [])
  }
}
