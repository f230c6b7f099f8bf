// Goal: a relay without room refuses, and loses nothing that it answered for.
// Method: a store whose map is small is filled until it refuses, and read again.

import DaybookLMDB
import DaybookSyncWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Relay
@testable import RelayServer

@Suite struct FullStoreTests {
  @Test func aFullStoreRefusesAndKeepsWhatItAnswered() async throws {
    let scratch = Scratch()
    let rows = try LMDBRows(
      folder: scratch.path, options: EnvironmentOptions(mapByteCount: 1 << 20))
    let store = EmbeddedRelayStore(rows: rows)
    try await store.makeLedger(ledger, quota: 1 << 30)
    let content = [UInt8](repeating: 1, count: 60_000)
    var end = LogEnd(startOf: ledger)
    var wasRefused = false
    for number in 1...30 as ClosedRange<UInt64> where !wasRefused {
      let page = PushPage([try entry(number, content: content)])
      do {
        end = try await store.push(page, to: ledger, now: 1).end
      } catch let refusal as RelayRefusal {
        #expect(refusal.code == .full)
        wasRefused = true
      }
    }
    #expect(wasRefused && end.position > 3)
    #expect(try await readAll(store).end == end)
    #expect(try await store.verify(ledger).faults == [])
  }

  @Test func aDeviceIsToldAndFindsWhatItWasAnswered() async throws {
    let scratch = Scratch()
    let rows = try LMDBRows(
      folder: scratch.path, options: EnvironmentOptions(mapByteCount: 1 << 20))
    let store = EmbeddedRelayStore(rows: rows)
    try await store.makeLedger(ledger, quota: 1 << 30)
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash("a"), name: "Phone"))
    try await withClient(RelayServer(store)) { client in
      var pushed: [SealedEntry] = []
      var refused: TestResponse?
      while refused == nil {
        let one = try entry(
          UInt64(pushed.count + 1), content: [UInt8](repeating: 1, count: 60_000))
        let answer = try await client.executeRequest(
          uri: "/v1/push", method: .post, headers: [.authorization: "Bearer a"],
          body: ByteBuffer(bytes: PushPage([one]).bytes))
        if answer.status == .ok { pushed.append(one) } else { refused = answer }
      }
      #expect(refused?.status.code == 507 && refused?.headers[.retryAfter] == "60")
      #expect(pushed.count > 3)
      let answer = try await client.executeRequest(
        uri: "/v1/pull?after=0", method: .get, headers: [.authorization: "Bearer a"], body: nil)
      let page = try PullPage(bytes: Array(answer.body.readableBytesView))
      #expect(page.entries.map(\.entry) == pushed)
    }
  }

  @Test(arguments: StoreKind.everywhere) func aFullLedgerTakesItsFloor(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      let floor = try entry(3, base: 2, kind: .floor, floor: 2, content: [])
      func push(_ entries: [SealedEntry]) async throws {
        _ = try await store.push(PushPage(entries), to: ledger, now: 1)
      }
      try await push([entry(1), entry(2)])
      let usage = try await store.usage(of: ledger)
      #expect(usage.entryCount == 2 && usage.head == 2 && usage.byteCount > 0)
      try await store.setQuota(usage.byteCount, of: ledger)
      #expect(await refusal(.overQuota) { try await push([entry(3)]) })
      #expect(await refusal(.overQuota) { try await push([floor, entry(4, base: 3)]) })
      let large = try entry(
        3, base: 2, kind: .floor, floor: 2, content: [UInt8](repeating: 1, count: 600))
      #expect(await refusal(.overQuota) { try await push([large]) })
      try await push([floor])
      #expect(try await store.status(of: ledger, now: 1).floor == 2)
      try await store.setQuota(1 << 20, of: ledger)
      try await push([entry(4, base: 3)])
    }
  }
}
