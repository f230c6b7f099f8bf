public import Daybook
package import DaybookSync
import DaybookSyncWire
import DaybookTesting
import Synchronization

/// Two devices, *phone* and *laptop*, that share a ledger by a relay in memory.
public struct SharedLedgers: Sendable {
  private let devices: [LedgerSync]

  /// The ledger of the first device.
  public let phone: Ledger
  /// The ledger of the second.
  public let laptop: Ledger

  /// Devices that both have what some commands recorded.
  public init(_ commands: [Command]) async throws {
    let relay = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { 1_771_000_000_000_000 }
    func sync(_ ledger: Ledger) -> LedgerSync {
      var options = SyncOptions(secrets: MemorySecrets())
      options.connect = { _, token in MemoryTransport(relay, token: token) }
      options.now = { 1_771_000_000_000_000 }
      return LedgerSync(ledger, options: options)
    }
    (phone, laptop) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    devices = [sync(phone), sync(laptop)]
    try await devices[0].start(
      relay: "memory", token: await relay.addDevice(named: "phone"), deviceName: "phone")
    try await phone.append(commands)
    try await devices[0].exchange()
    let code = try await devices[0].invite(deviceName: "laptop")
    try await devices[1].join(code, relay: "memory", deviceName: "laptop")
  }

  /// Exchanges until nothing is left to be told.
  public func settle() async throws {
    for _ in 0..<2 { for device in devices { try await device.exchange() } }
  }
}

/// Secrets that are gone with the process.
package final class MemorySecrets: SecretStore {
  private let kept = Mutex<SyncSecrets?>(nil)

  package init() {}

  package func load() throws -> SyncSecrets? { kept.withLock { $0 } }
  package func save(_ secrets: SyncSecrets) throws { kept.withLock { $0 = secrets } }
  package func remove() throws { kept.withLock { $0 = nil } }
}
