// Goal: a relay lets go by itself of what nobody needs, and of nothing else; its counters say what it did.
// Method: rounds over a store whose floor and snapshot are known, while others push; readers check the chain of the rest.

import DaybookEntities
import DaybookSyncWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Relay
@testable import RelayServer

@Suite struct UpkeepTests {
  /// A log of 1,000 entries, with a floor and a snapshot.
  private func filled(_ store: any RelayStore, floor: UInt64, snapshot: UInt64) async throws {
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash("a"), name: "Phone"))
    var entries = try (1...999).map { try entry($0) }
    entries.append(try entry(1_000, base: 999, kind: .floor, floor: floor))
    _ = try await store.push(PushPage(entries), to: ledger, now: 1)
    let chunk = try entry(0, base: snapshot, kind: .chunk)
    try await store.putChunk(chunk, of: ledger)
    try await store.putManifest(
      entry(0, base: snapshot, kind: .manifest), chunks: [chunk.digest], of: ledger)
  }

  @Test(arguments: StoreKind.everywhere) func itLetsGoOfWhatIsBelowTheFloor(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      try await filled(store, floor: 700, snapshot: 800)
      var chain = LogChain(ledger: ledger)
      while chain.end.position < 700 {
        let page = try await store.pull(
          from: ledger, after: chain.end.position, byteCountMax: 1)
        try chain.append(page)
      }
      let metrics = RelayMetrics()
      let upkeep = RelayUpkeep(store, metrics, RelayOptions())
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await upkeep.goRound() }
        group.addTask {
          for number in 1...50 as ClosedRange<UInt64> {
            _ = try await store.push(
              PushPage([entry(number, replica: 2, base: 700)]), to: ledger, now: 2)
          }
        }
        try await group.waitForAll()
      }
      let usage = try await store.usage(of: ledger)
      #expect(usage.entryCount == 350 && usage.head == 1_050)
      #expect(await metrics.text(store).contains("daybook_relay_trimmed_entries_total 700\n"))
      // Whoever had seen the floor goes on; who had not is told.
      let rest = try await store.pull(from: ledger, after: 700, byteCountMax: 1 << 22)
      try chain.append(rest)
      let end = try await store.status(of: ledger, now: 1).end
      #expect(chain.end == end)
      #expect(
        await refusal(.trimmed) {
          _ = try await store.pull(from: ledger, after: 699, byteCountMax: 1 << 22)
        })
      #expect(try await store.verify(ledger).faults == [])
      try await upkeep.goRound()
      #expect(try await store.usage(of: ledger) == usage)
    }
  }

  @Test(arguments: StoreKind.everywhere) func itKeepsWhatNoSnapshotShows(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      try await filled(store, floor: 700, snapshot: 300)
      try await RelayUpkeep(store, RelayMetrics(), RelayOptions()).goRound()
      #expect(try await store.usage(of: ledger).entryCount == 700)
      #expect(try await store.verify(ledger).faults == [])
    }
  }

  @Test func itCountsWhatItDoes() async throws {
    try await withStore(.disk) { store in
      try await filled(store, floor: 7, snapshot: 8)
      var options = RelayOptions()
      options.longPollSeconds = 0.01
      let commitCount = 5
      try await withClient(RelayServer(store, options: options)) { client in
        for path in ["/v1/pull?after=990", "/v1/ring?after=1000"] {
          let answer = try await client.executeRequest(
            uri: path, method: .get, headers: [.authorization: "Bearer a"], body: nil)
          #expect(answer.status == .ok)
        }
        let answer = try await client.executeRequest(
          uri: "/metrics", method: .get, headers: [:], body: nil)
        let text = String(decoding: answer.body.readableBytesView, as: UTF8.self)
        for line in [
          "daybook_relay_pulls_total 1", "daybook_relay_pulled_entries_total 10",
          "daybook_relay_rings_total 1", "daybook_relay_waiting_rings 0", "daybook_relay_ledgers 1",
          "daybook_relay_kept_entries 1000",
          "daybook_relay_commit_seconds_bucket{le=\"+Inf\"} \(commitCount)",
          "daybook_relay_commit_seconds_count \(commitCount)",
        ] {
          #expect(text.contains(line + "\n"), "\(line)")
        }
      }
    }
  }
}
