// Goal: a relay without room refuses, and loses nothing that it answered for.
// Method: a store whose map is small is filled until it refuses, and read again.

import LMDB
import SyncWire
import Testing

@testable import Relay

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
}
