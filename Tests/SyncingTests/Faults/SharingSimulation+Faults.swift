import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire

@testable import DaybookSync

extension SharingSimulation {
  /// By a relay in memory, that may have a fault, which the last device sees.
  static func run(seed: UInt64, fault: RelayFault? = nil) async throws -> [String] {
    let clock = SimulatedClock()
    let relay = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { clock.now }
    var simulation = SharingSimulation(
      seed: seed, clock: clock, token: await relay.addDevice(named: "phone")
    ) { MemoryTransport(relay, token: $0) }
    if let fault {
      let foreign = fault == .mixesUp ? try await foreignEntries() : []
      simulation.exposing = { FaultyRelay(base: $0, fault: fault, foreign: foreign) }
    }
    return try await simulation.run()
  }

  /// The entries of another ledger.
  private static func foreignEntries() async throws -> [PlacedEntry] {
    var household = Household()
    let first = try await Ledger.inMemory()
    try await first.append(.openAccount(NewAccount(name: "Begun", currency: .eur)))
    try await household.start(first)
    for name in ["laptop", "tablet"] {
      try await household.join(try await Ledger.inMemory(), name: name)
    }
    return await household.relay.entries
  }
}
