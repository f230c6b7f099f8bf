// Goal: a log that is moved to another store is the same log, whoever writes meanwhile, and wherever the mover is killed.
// Method: every pair of stores; devices push while it moves; a mover is ended after each of its steps, run again or taken
// back, or overtaken by another one there. As a control, a move that freezes too late loses what was acknowledged.

import Entities
import SyncWire
import Testing

@testable import Relay

@Suite struct MoveTests {
  @Test(arguments: StoreKind.everywhere, StoreKind.everywhere)
  func everythingTravels(_ from: StoreKind, _ to: StoreKind) async throws {
    let stores = try await Stores(from, to)
    let pushed = try await filled(stores.source)
    let before = try await stores.source.record(of: ledger)
    let log = try await entries(of: stores.source)
    try await LogMover(
      ledger, from: stores.source, to: stores.target, address: "https://b.example"
    ).run()
    #expect(try await stores.target.record(of: ledger) == before)
    #expect(try await stores.target.verify(ledger).faults == [])
    #expect(try await entries(of: stores.target) == log)
    // Whoever asks at the old place is told, and nothing changes there.
    let known = DeviceToken.hash("0")
    #expect(await refusal(.moved) { _ = try await stores.source.device(known) })
    let page = try? await stores.source.pull(
      from: ledger, by: known, after: 0, byteCountMax: 1 << 20)
    #expect(page == nil, "Whoever was let in before is told, too.")
    #expect(await refusal(.moved) { try await write(pushed[0], stores.source) })
    #expect(await refusal(.moved) { try await stores.source.bind(known, to: 77) })
    #expect(await refusal(.moved) { _ = try await stores.source.revoke(known, of: ledger) })
    #expect(await refusal(.moved) { try await stores.source.setQuota(1, of: ledger) })
    #expect(
      await refusal(.moved) {
        _ = try await stores.source.takeInvitation(mailbox: mailbox, now: 1)
      })
    // At the new one everybody is who they were, and what was pushed is where it was.
    let device = try await stores.target.device(known)
    #expect(device?.replicas == [1, 5])
    #expect(try await stores.target.device(DeviceToken.hash("2")) == nil)
    #expect(
      await refusal(.wrongReplica) {
        try await stores.target.bind(DeviceToken.hash("1"), to: 5)
      })
    let again = try await stores.target.push(PushPage(Array(pushed.suffix(3))), to: ledger, now: 9)
    #expect(again.duplicates == 3 && again.positions == [38, 39, 40])
    let next = try await stores.target.push(
      PushPage([entry(41, base: 10)]), to: ledger, now: 9)
    #expect(next.positions == [41])
    #expect(
      try await stores.target.takeInvitation(mailbox: mailbox, now: 1).header.kind == .invitation)
    // What is left at the old place can go; that it was there is remembered.
    #expect(await movesNot(.stillHere) { _ = try await LogMover.erase(ledger, in: stores.target) })
    #expect(try await LogMover.erase(ledger, in: stores.source) > 30)
    #expect(try await stores.source.record(of: ledger).byteCount == 0)
    #expect(await refusal(.moved) { _ = try await stores.source.device(known) })
    // And it can come back.
    try await LogMover(ledger, from: stores.target, to: stores.source).run()
    #expect(try await stores.source.verify(ledger).faults == [])
    #expect(try await stores.source.status(of: ledger, now: 0).end == next.end)
    #expect(await refusal(.unavailable) { _ = try await stores.target.device(known) })
    #expect(try await stores.homes() == [0])
  }

  @Test(arguments: StoreKind.everywhere) func nothingIsToldOfALogThatIsComingBack(
    _ kind: StoreKind
  ) async throws {
    let stores = try await Stores(kind, .memory)
    _ = try await filled(stores.source)
    try await LogMover(ledger, from: stores.source, to: stores.target).run()
    _ = try await LogMover.erase(ledger, in: stores.source)
    _ = try await stores.source.prepare(ledger, move: 2, from: LogEnd(startOf: ledger))
    // A request that was let in while it was open: a gap, a base beyond the head, a log that ends earlier are no answers.
    let store = stores.source
    let chunk = try entry(0, base: 30, kind: .chunk)
    let manifest = try entry(0, base: 30, kind: .manifest)
    let late = try entry(41, base: 10)
    #expect(await refusal(.unavailable) { _ = try await store.status(of: ledger, now: 1) })
    #expect(
      await refusal(.unavailable) {
        _ = try await store.pull(from: ledger, after: 20, byteCountMax: 100)
      })
    #expect(
      await refusal(.unavailable) {
        _ = try await store.push(PushPage([late]), to: ledger, now: 1)
      })
    #expect(await refusal(.unavailable) { try await store.putChunk(chunk, of: ledger) })
    #expect(
      await refusal(.unavailable) {
        try await store.putManifest(manifest, chunks: [chunk.digest], of: ledger)
      })
  }

  @Test(arguments: StoreKind.everywhere, StoreKind.everywhere)
  func devicesPushMeanwhile(_ from: StoreKind, _ to: StoreKind) async throws {
    let stores = try await Stores(from, to)
    let writers = (1...3).map { Writer($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in writers {
        group.addTask {
          var count = 0
          while count < 60 {
            do {
              try await writer.push(stores)
              count += 1
            } catch let refusal as RelayRefusal where refusal.code == .unavailable {
              try await Task.sleep(for: .milliseconds(1))
            }
          }
        }
      }
      group.addTask {
        for round in 0..<4 {
          let (source, target) = round % 2 == 0 ? (0, 1) : (1, 0)
          try await LogMover(ledger, from: stores.all[source], to: stores.all[target]).run()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores.homes() == [0])
    try await expectNothingLost(writers, stores.source)
    #expect(try await readAll(stores.source).end.position == 180)
  }

  @Test(arguments: StoreKind.everywhere, StoreKind.everywhere)
  func aMoverIsKilledAfterEachStep(_ from: StoreKind, _ to: StoreKind) async throws {
    for isTakenBack in [false, true] { try await killEachStep(from, to, isTakenBack) }
  }

  private func killEachStep(
    _ from: StoreKind, _ to: StoreKind, _ isTakenBack: Bool
  ) async throws {
    for kill in 0... {
      let stores = try await Stores(from, to)
      let writers = (1...2).map { Writer($0) }
      for writer in writers { for _ in 0..<5 { try await writer.push(stores) } }
      let steps = StepCount()
      let mover = LogMover(ledger, from: stores.source, to: stores.target) { _ in
        // Whatever was done last, devices go on as soon as they are let.
        for writer in writers { try? await writer.push(stores) }
        if steps.next() == kill { throw Killed() }
      }
      let isKilled = await killed { try await mover.run() }
      if !isKilled {
        #expect(kill > 4)
        return
      }
      let again = LogMover(ledger, from: stores.source, to: stores.target)
      if isTakenBack {
        do {
          try await again.takeBack()
          #expect(try await stores.homes() == [0])
          for writer in writers { try await writer.push(stores) }
        } catch MoveFault.elsewhere {
          #expect(try await stores.source.moveState(of: ledger)?.phase == .moved, "kill \(kill)")
        }
      }
      try await again.run()
      #expect(try await stores.homes() == [1], "kill \(kill)")
      for writer in writers { try await writer.push(stores) }
      try await expectNothingLost(writers, stores.target)
    }
  }

  @Test(arguments: StoreKind.everywhere) func aMoverIsOvertakenAtEachStep(_ kind: StoreKind)
    async throws
  {
    // By one who takes it back and moves it anew, to the same store or to a third.
    for (stop, other) in (0...8).flatMap({ [($0, 1), ($0, 2)] }) {
      let stores = try await Stores(kind, .memory, kind)
      let writer = Writer(1)
      for _ in 0..<3 { try await writer.push(stores) }
      let steps = StepCount()
      let slow = LogMover(ledger, from: stores.source, to: stores.target) { _ in
        guard steps.next() == stop else { return }
        try? await LogMover(ledger, from: stores.source, to: stores.target).takeBack()
        try? await writer.push(stores)
        try? await LogMover(ledger, from: stores.source, to: stores.all[other]).run()
        try? await writer.push(stores)
      }
      try? await slow.run()
      let homes = try await stores.homes()
      #expect(homes.count == 1, "step \(stop), other \(other): \(homes)")
      try await writer.push(stores)
      try await expectNothingLost([writer], stores.all[homes[0]])
    }
  }

  @Test(arguments: StoreKind.everywhere, StoreKind.everywhere)
  func withoutFreezingFirstWhatWasAcknowledgedIsLost(_ from: StoreKind, _ to: StoreKind)
    async throws
  {
    let stores = try await Stores(from, to)
    let writer = Writer(1)
    for _ in 0..<3 { try await writer.push(stores) }
    // The steps of a mover, but the copy before the freeze counts as the last one.
    let ticket = try await stores.target.prepare(
      ledger, move: 1, from: LogEnd(startOf: ledger))
    try await stores.target.place(entries(of: stores.source), of: ledger, ticket: ticket)
    try await stores.target.complete(
      ledger, as: stores.source.record(of: ledger), ticket: ticket)
    try await writer.push(stores)
    try await stores.source.take(.freeze, of: 1, of: ledger)
    try await stores.source.take(.close(ticket: ticket, address: ""), of: 1, of: ledger)
    try await stores.target.take(.open(ticket: ticket), of: 1, of: ledger)
    #expect(writer.lost(in: try await entries(of: stores.target)) == [4])
  }

  @Test(arguments: StoreKind.everywhere) func anOldCopyOfTheSourceIsClosed(_ kind: StoreKind)
    async throws
  {
    let stores = try await Stores(kind, kind)
    let writer = Writer(1)
    for _ in 0..<3 { try await writer.push(stores) }
    try await LogMover(ledger, from: stores.source, to: stores.target).run()
    // Restored as it was before the move.
    let old = EmbeddedRelayStore.inMemory()
    try await old.makeLedger(ledger, quota: 1 << 20)
    for entry in try await entries(of: stores.target).prefix(2) {
      _ = try await old.push(PushPage([entry.entry]), to: ledger, now: entry.received)
    }
    try await LogMover(ledger, from: old, to: stores.target, address: "https://b.example").run()
    #expect(try await old.moveState(of: ledger)?.phase == .moved)
    #expect(try await stores.target.moveState(of: ledger)?.phase == .open)
    // One that has gone on since is another log.
    let other = EmbeddedRelayStore.inMemory()
    try await other.makeLedger(ledger, quota: 1 << 20)
    _ = try await other.push(PushPage([entry(1)]), to: ledger, now: 1)
    #expect(
      await movesNot(.alreadyThere) {
        try await LogMover(ledger, from: other, to: stores.target).run()
      })
    #expect(try await other.moveState(of: ledger)?.phase == .open)
  }

  // MARK: Helpers

  private let mailbox = String(repeating: "a", count: 32)

  /// A log with everything that a log can have; the entries that replica 1 pushed and that are kept.
  private func filled(_ store: any RelayStore) async throws -> [SealedEntry] {
    for (token, replicas) in [("0", [1, 5]), ("1", [2])] as [(String, [UInt64])] {
      for replica in replicas { try await store.bind(DeviceToken.hash(token), to: replica) }
    }
    _ = try await store.revoke(DeviceToken.hash("2"), of: ledger)
    var pushed: [SealedEntry] = []
    for number in 1...39 as ClosedRange<UInt64> {
      pushed.append(try entry(number))
    }
    pushed.append(try entry(40, base: 10, kind: .floor, floor: 10))
    _ = try await store.push(PushPage(pushed), to: ledger, now: 5)
    for base in [8, 20] as [UInt64] {
      let chunk = try entry(0, base: base, kind: .chunk, content: [UInt8(base)])
      try await store.putChunk(chunk, of: ledger)
      guard base == 8 else { continue }
      try await store.putManifest(
        entry(0, base: base, kind: .manifest), chunks: [chunk.digest], of: ledger)
    }
    #expect(try await store.trim(ledger, entryCountMax: 6) == 6)
    try await store.putInvitation(
      entry(0, kind: .invitation), mailbox: mailbox, of: ledger, now: 1)
    return pushed
  }

  private func write(_ one: SealedEntry, _ store: any RelayStore) async throws {
    let next = try entry(one.header.number + 40, base: 10)
    _ = try await store.push(PushPage([next]), to: ledger, now: 9)
  }

  private func expectNothingLost(_ writers: [Writer], _ store: any RelayStore) async throws {
    let log = try await entries(of: store)
    for writer in writers { #expect(writer.lost(in: log) == []) }
    #expect(try await store.verify(ledger).faults == [])
  }

  private func killed(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return error is Killed
    }
  }

  private func movesNot(_ fault: MoveFault, _ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return error as? MoveFault == fault
    }
  }
}
