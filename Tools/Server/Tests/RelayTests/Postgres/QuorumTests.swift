// Goal: a commit that no standby has is told to nobody, neither as done nor as something to read, and what becomes of it
// is unknown until it is repeated.
// Method: a cluster of three nodes whose standbys are killed. As a control, the same is read past the store, and changes.

import Entities
import Foundation
import SyncWire
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
    try await cluster.hasStandbys(1)
    try cluster.act("kill", 2, 3)

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
    #expect(try await cancelled.contains("could not say that standbys have it"))

    // The control: past the store it is there to be read. The store does not tell of it.
    let told = try await cluster.ask(1, "select digest from entry where position = 2")[0].hash(0)
    let fresh = try await cluster.store()
    #expect(
      await refusal(.unavailable) {
        _ = try await fresh.pull(from: ledger, after: 0, byteCountMax: 1 << 20)
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
