import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookReplicas
import DaybookSyncSimulation
import DaybookSyncWire
import DaybookTesting
import Foundation
import Testing

@testable import DaybookSync

/// A relay in memory, and devices that share a ledger by it.
struct Household {
  let relay: MemoryRelay
  var devices: [LedgerSync] = []
  private let clock = Kept<Int64>(1_700_000_000_000_000)

  init() {
    let clock = clock
    relay = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { clock.value }
  }

  func pass(seconds: Double) { clock.value += Int64(seconds * 1_000_000) }

  /// The sharing of a ledger by the relay.
  ///
  /// - Parameter passing: what stands between a device and the relay.
  func sync(
    _ ledger: Ledger, secrets: any SecretStore = MemorySecrets(),
    passing: @escaping @Sendable (MemoryTransport) -> any SyncTransport = { $0 }
  ) -> LedgerSync {
    var options = SyncOptions(secrets: secrets)
    let (relay, clock) = (relay, clock)
    options.connect = { _, token in passing(MemoryTransport(relay, token: token)) }
    options.now = { clock.value }
    return LedgerSync(ledger, options: options)
  }

  /// The first device.
  mutating func start(_ ledger: Ledger, name: String = "phone") async throws {
    let sync = sync(ledger)
    try await sync.start(
      relay: "memory", token: await relay.addDevice(named: name), deviceName: name)
    devices.append(sync)
  }

  /// One more device, which the first one lets in.
  mutating func join(
    _ ledger: Ledger, name: String,
    passing: @escaping @Sendable (MemoryTransport) -> any SyncTransport = { $0 }
  ) async throws {
    let code = try await devices[0].invite(deviceName: name)
    let sync = sync(ledger, passing: passing)
    try await sync.join(code, relay: "memory", deviceName: name)
    devices.append(sync)
  }

  /// Exchanges until nothing is left to be told.
  func settle() async throws {
    for _ in 0..<2 { for device in devices { try await device.exchange() } }
  }

  /// That nothing waits, all hold the same, and everything is sound.
  func checkEqual() async throws {
    var digests: Set<[UInt8]> = []
    var lists: Set<[String]> = []
    for device in devices {
      #expect(device.state.pendingCount == 0)
      let replica = try Replica(device.ledger.store, rules: .ledger)
      digests.insert(try await replica.digest())
      #expect(try await replica.recountedDigest() == replica.digest())
      lists.insert(
        try device.ledger.read { snapshot in
          let rows = try snapshot.transactions(.all, limit: 10_000).map { ($0.number, "\($0.id)") }
          let accounts = try snapshot.accounts(includingClosed: true, includingDeleted: true)
            .map { ($0.number, "\($0.id)") }
          return (rows + accounts).map { "\($0.0) \($0.1)" }
        })
      let findings = try await device.ledger.verify().findings
      #expect(findings == [], "\(findings)")
    }
    #expect(digests.count == 1)
    #expect(lists.count == 1, "lists or recording numbers differ: \(lists)")
  }

  /// Two devices that renamed one account, each without the other.
  static func disputed() async throws -> Household {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await household.devices[0].ledger.append(
      .openAccount(NewAccount(name: "Cash", currency: .eur)))
    try await household.join(try await Ledger.inMemory(), name: "laptop")
    for (device, name) in zip(household.devices, ["Wallet", "Purse"]) {
      let account = try #require(try device.ledger.read { try $0.accounts().first })
      try await device.ledger.append(.amendAccount(account.id, AccountChange(name: name)))
    }
    try await household.settle()
    return household
  }
}
