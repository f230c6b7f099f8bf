// Goal: a commit that no standby has is told to nobody, neither as done nor as something to read, and what becomes of it
// is unknown until it is repeated. What a fence found needs no other.
// Method: a cluster of three nodes whose standbys are killed. As a control, the same is read past the store, and changes.
// Fences are counted.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite(.serialized, .enabled(if: Cluster.url != nil, Cluster.isMissing))
struct QuorumTests {
  @Test func aCommitThatNoStandbyHasIsNotToldAndMayGo() async throws {
    let cluster = try OwnCluster(port: 5_471)
    let store = try await eventually { try await cluster.store() }
    try await store.makeLedger(ledger, quota: 1 << 30)
    let calm = EntityID(high: 1, low: 1)
    try await store.makeLedger(calm, quota: 1 << 30)
    _ = try await store.push(PushPage([entry(1), entry(2)]), to: calm, now: 1)
    let first = try entry(1)
    _ = try await store.push(PushPage([first]), to: ledger, now: 1)
    try await cluster.hasStandbys(1)
    try await store.checkReady()
    try cluster.act("kill", 2, 3)

    // What a fence found before is told: amid a log that has not changed since. Where it ends is not.
    #expect(
      try await store.pull(from: calm, after: 0, byteCountMax: 1).entries.map(\.position) == [1])
    #expect(
      await refusal(.unavailable) {
        _ = try await store.pull(from: calm, after: 1, byteCountMax: 1)
      })

    // The outcome is unknown, and says so; the commit waits on, whatever a statement may take.
    let second = try entry(2)
    let hasty = try await cluster.store(options: " options='-cstatement_timeout=200'")
    #expect(try await said(by: hasty, second).contains("did not answer within 2.0 s"))
    try await cluster.hasWaitingCommits(1)
    // Whoever cancels it is answered that all is well, with a warning: unknown, too.
    let third = try entry(1, replica: 2)
    async let cancelled = said(by: try await cluster.store(deadline: 20), third)
    try await eventually {
      try await cluster.cancelCommits(1)
      try require(try await cluster.ask(1, "select 1 from entry where replica = 2").count == 1)
    }
    #expect(try await cancelled.contains("could not confirm that standbys have the commit"))

    // The control: past the store it is there to be read. The store does not tell of it.
    let told = try await cluster.ask(1, "select digest from entry where position = 2")[0].hash(0)
    let fresh = try await cluster.store()
    #expect(
      await refusal(.unavailable) {
        _ = try await fresh.pull(from: ledger, after: 0, byteCountMax: 1 << 20)
      })
    // Nor does one that has the fence of before, though this is not the log's end.
    #expect(
      await refusal(.unavailable) {
        _ = try await store.pull(from: ledger, after: 0, byteCountMax: 1)
      })
    #expect(await refusal(.unavailable) { _ = try await fresh.status(of: ledger, now: 0) })
    #expect(await refusal(.unavailable) { try await fresh.checkReady() })

    // The leader goes for good; a standby takes its place, and others get the positions.
    try cluster.act("kill", 1)
    try cluster.act("revive", 2, 3)
    try cluster.act("promote", 2)
    let next = try await eventually { try await cluster.store() }
    let other = try entry(1, replica: 3)
    let placed = try await eventually {
      try await next.push(PushPage([other]), to: ledger, now: 4)
    }
    #expect(placed.positions == [2] && other.digest != told)
    // Who repeats what was unknown is answered as if it were the first time.
    let repeated = try await eventually {
      try await store.push(PushPage([first, second]), to: ledger, now: 5)
    }
    #expect(repeated.positions == [1, 3] && repeated.duplicates == 1)
    let chain = try await readAll(next)
    #expect(chain.end.position == 3)
    #expect(try await next.verify(ledger).faults == [])
  }

  @Test func whatAFenceFoundNeedsNoOther() async throws {
    // Of its own, since a transaction of anybody holds fences up.
    let cluster = try OwnCluster(port: 5_475)
    _ = try await cluster.ask(1, "alter system set autovacuum = off")
    _ = try await cluster.ask(1, "select pg_reload_conf()")
    let store = try await eventually { try await cluster.store() }
    try await store.makeLedger(ledger, quota: 1 << 30)
    let other = try PostgresConnection(cluster.url)
    let fences = store.fence.times
    func page(_ position: UInt64) async throws -> PullPage {
      try await store.pull(from: ledger, after: position, byteCountMax: 1)
    }
    _ = try await store.push(PushPage((1...5).map { try entry($0) }), to: ledger, now: 1)
    // The first page waits, and so does the last, which says that the log ends; those between do not.
    for position in 0..<5 as Range<UInt64> {
      #expect(try await page(position).entries.map(\.position) == [position + 1])
    }
    #expect(fences.count == 2)
    // What was written since is not known to be there to stay, wherever in the log it is.
    try await store.putChunk(entry(0, base: 1, kind: .chunk), of: ledger)
    _ = try await page(1)
    #expect(fences.count == 3)
    // Refusals say what is now.
    #expect(await refusal(.beyondHead) { _ = try await page(6) })
    #expect(
      await refusal(.noLedger) {
        _ = try await store.pull(from: EntityID(high: 0, low: 9), after: 0, byteCountMax: 1)
      })
    #expect(fences.count == 5)
    // A transaction that began before and has not ended might be the one: each page waits.
    try other.script("begin")
    _ = try other.run("select pg_current_xact_id()::text")
    _ = try await store.push(PushPage([entry(6)]), to: ledger, now: 1)
    for _ in 0..<2 { _ = try await page(1) }
    #expect(fences.count == 7)
    try other.script("rollback")
    _ = try await page(1)
    _ = try await page(1)
    #expect(fences.count == 8)
    // Another server's fence says nothing of it.
    let reign = try other.run("select reign()")[0].int8(0)
    #expect(store.fence.covers(reign, changedBy: 3))
    #expect(!store.fence.covers(reign + 1, changedBy: 3))
  }

  /// What a store says about a push that it cannot answer for.
  private func said(by store: PostgresRelayStore, _ entry: SealedEntry) async throws -> String {
    do {
      _ = try await store.push(PushPage([entry]), to: ledger, now: 2)
      return "done"
    } catch let refusal as RelayRefusal where refusal.code == .unavailable {
      return refusal.message
    }
  }
}
