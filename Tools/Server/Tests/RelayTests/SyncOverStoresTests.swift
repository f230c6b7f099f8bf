// Goal: devices that share a ledger end up equal, with everything once, whatever the relay keeps its logs in. Method: the
// simulation of `SyncingTests` over each store, in which the network loses messages and answers.

import DaybookSyncSimulation
import DaybookSyncWire
import Testing

@testable import Relay

@Suite struct SyncOverStoresTests {
  private static let seeds: Range<UInt64> = 0..<4

  @Test(arguments: StoreKind.everywhere, seeds) func everyDeviceHasEverythingOnce(
    _ kind: StoreKind, seed: UInt64
  ) async throws {
    let clock = SimulatedClock()
    try await withAnyStore(kind) { store in
      let way = StoreTransport(store, ledger: ledger) { clock.now }
      let simulation = SharingSimulation(
        seed: seed, clock: clock, token: try await way.addDevice(named: "phone")
      ) { _ in way }
      #expect(try await simulation.run() == [], "seed \(seed)")
      #expect(try await store.verify(ledger).faults == [])
      #expect(try await store.status(of: ledger, now: 0).end.position > 20)
    }
  }
}
