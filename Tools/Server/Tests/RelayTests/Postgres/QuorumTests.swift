// Goal: what was acknowledged is never lost or moved, and nothing that was read changes, whatever becomes of servers.
// Method: a cluster of three nodes whose nodes are killed, paused and promoted amid pushes and pulls. As controls, what is
// read past the store does change, and a commit that does not wait for standbys is lost.

import Entities
import Foundation
import SyncWire
import Synchronization
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite(.serialized, .enabled(if: Cluster.url != nil, Cluster.isMissing))
struct QuorumTests {
  @Test func aCommitThatNoStandbyHasIsNotToldAndMayGo() async throws {
    let cluster = try OwnCluster(port: 5_471)
    let store = try await eventually { try await cluster.store() }
    try await store.makeLedger(ledger, quota: 1 << 30)
    let first = try entry(1)
    _ = try await store.push(PushPage([first]), to: ledger, now: 1)
    try await eventually {
      try require(try await cluster.ask(1, "select 1 from pg_stat_replication").count == 2)
    }
    for node in [2, 3] { try cluster.act("kill", node) }

    // The outcome is unknown, and says so.
    let second = try entry(2)
    #expect(
      await refusal(.unavailable) {
        _ = try await store.push(PushPage([second]), to: ledger, now: 2)
      })
    // Whoever cancels it is answered that all is well, with a warning: unknown, too.
    let third = try entry(1, replica: 2)
    async let cancelled = refusal(.unavailable) {
      _ = try await store.push(PushPage([third]), to: ledger, now: 3)
    }
    try await Task.sleep(for: .milliseconds(500))
    _ = try await cluster.ask(
      1, "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
    #expect(await cancelled)

    // The control: past the store it is there to be read. The store does not tell of it.
    let seen = try await cluster.ask(1, "select max(position) from entry")
    #expect(try seen[0].int8(0) > 1)
    let fresh = try await cluster.store()
    #expect(
      await refusal(.unavailable) {
        _ = try await fresh.pull(from: ledger, after: 0, byteCountMax: 1 << 20)
      })
    #expect(await refusal(.unavailable) { _ = try await fresh.status(of: ledger, now: 0) })
    #expect(await refusal(.unavailable) { try await fresh.checkReady() })

    // The leader goes for good; a standby takes its place, and others get the positions.
    try cluster.act("kill", 1)
    for node in [2, 3] { try cluster.act("revive", node) }
    try cluster.act("promote", try await cluster.furthest(of: [2, 3]))
    let next = try await eventually { try await cluster.store() }
    let other = try entry(1, replica: 3)
    let placed = try await eventually {
      try await next.push(PushPage([other]), to: ledger, now: 4)
    }
    #expect(placed.positions == [2])
    // Who repeats what was unknown is answered as if it were the first time.
    let repeated = try await eventually {
      try await store.push(PushPage([first, second]), to: ledger, now: 5)
    }
    #expect(repeated.positions == [1, 3] && repeated.duplicates == 1)
    let chain = try await readAll(next)
    #expect(chain.end.position == 3)
    #expect(try await next.verify(ledger).faults == [])
  }

  @Test func whatWasAcknowledgedAndReadStaysWhileLeadersAreKilled() async throws {
    let cluster = try OwnCluster(port: 5_481)
    let store = try await eventually { try await cluster.store(size: 8) }
    try await store.makeLedger(ledger, quota: 1 << 30)
    let seen = Seen()
    let work = Task {
      await withTaskGroup(of: Void.self) { group in
        for replica in 1...3 as ClosedRange<UInt64> {
          group.addTask { await write(replica, to: store, seen) }
        }
        for _ in 0..<2 { group.addTask { await read(store, seen) } }
      }
    }
    var leader = 1
    for _ in 0..<2 {
      try await eventually {
        let standbys = try await cluster.ask(
          leader, "select 1 from pg_stat_replication where state = 'streaming'")
        try require(standbys.count == 2)
      }
      let before = seen.acknowledged
      try await eventually { try require(seen.acknowledged > before + 20) }
      try cluster.act("kill", leader)
      let others = [1, 2, 3].filter { $0 != leader }
      let heir = try await cluster.furthest(of: others)
      try cluster.act("promote", heir)
      try cluster.act("rejoin", leader)
      leader = heir
    }
    let before = seen.acknowledged
    try await eventually { try require(seen.acknowledged > before + 20) }
    seen.end()
    await work.value
    var links: [UInt64: WireHash] = [:]
    var chain = LogChain(ledger: ledger)
    while true {
      let page = try await store.pull(from: ledger, after: chain.end.position, byteCountMax: 4_000)
      for placed in page.entries {
        try chain.append(
          PullPage(
            head: page.head, floor: page.floor,
            link: placed.position == page.entries.last?.position
              ? page.link : seen.link(placed, after: chain.end),
            entries: [placed]))
        links[placed.position] = chain.end.link
      }
      if chain.end.position == page.head { break }
    }
    #expect(seen.moved(in: links) == [])
    #expect(try await store.verify(ledger).faults == [])
  }

  private func write(_ replica: UInt64, to store: PostgresRelayStore, _ seen: Seen) async {
    var number: UInt64 = 1
    var next = try? entry(number, replica: replica)
    while !seen.isEnded, let one = next {
      do {
        let answer = try await store.push(PushPage([one]), to: ledger, now: Int64(number))
        seen.acknowledge(answer.positions[0], answer.end, one)
        number += 1
        next = try? entry(number, replica: replica)
      } catch let refusal as RelayRefusal where refusal.code == .unavailable {
        try? await Task.sleep(for: .milliseconds(20))
      } catch {
        return seen.fail("push \(number) of \(replica): \(error)")
      }
    }
  }

  private func read(_ store: PostgresRelayStore, _ seen: Seen) async {
    var chain = LogChain(ledger: ledger)
    while !seen.isEnded {
      do {
        let page = try await store.pull(
          from: ledger, after: chain.end.position, byteCountMax: 1 << 20)
        try chain.append(page)
        seen.read(chain.end)
        if page.entries.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
      } catch let refusal as RelayRefusal where refusal.code == .unavailable {
        try? await Task.sleep(for: .milliseconds(20))
      } catch {
        return seen.fail("read after \(chain.end.position): \(error)")
      }
    }
  }
}

/// What writers were told and readers saw.
private final class Seen: Sendable {
  private struct State {
    var acknowledged: [UInt64: WireHash] = [:]
    var links: [UInt64: WireHash] = [:]
    var faults: [String] = []
    var isEnded = false
  }

  private let state = Mutex(State())

  var acknowledged: Int { state.withLock { $0.acknowledged.count } }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  func end() { state.withLock { $0.isEnded = true } }
  func fail(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  func acknowledge(_ position: UInt64, _ end: LogEnd, _ entry: SealedEntry) {
    state.withLock {
      $0.acknowledged[position] = entry.digest
      if end.position == position { $0.links[position] = end.link }
    }
  }

  func read(_ end: LogEnd) { state.withLock { $0.links[end.position] = end.link } }

  /// The link behind an entry, from what precedes it.
  func link(_ placed: PlacedEntry, after end: LogEnd) -> WireHash {
    end.appending(
      replica: placed.entry.header.replica, number: placed.entry.header.number,
      received: placed.received, digest: placed.entry.digest
    ).link
  }

  /// What is not where it was, or what went wrong.
  func moved(in links: [UInt64: WireHash]) -> [String] {
    state.withLock { state in
      state.faults
        + state.acknowledged.keys.filter { links[$0] == nil }.map { "\($0) is lost" }
        + state.links.filter { $0.key > 0 && links[$0.key] != $0.value }.map {
          "\($0.key) has changed"
        }
    }
  }
}
