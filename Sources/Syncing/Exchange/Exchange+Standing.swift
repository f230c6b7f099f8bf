import Merging
import Replicas
import SyncWire

/// What `SyncState` is told of the exchange.
struct Standing: Sendable {
  var position: UInt64
  var head: UInt64
  var pendingCount: Int
  var pendingSince: Int64?
  var takenCount: Int
  var findingCount: Int
  var devices: [SyncDevice]

  func apply(to state: inout SyncState) {
    state.position = position
    state.head = max(head, position)
    state.pendingCount = pendingCount
    state.pendingSince = pendingSince
    state.takenCount = takenCount
    state.findingCount = findingCount
    state.devices = devices
  }
}

extension Exchange {
  /// How this device stands with the others, by what is here.
  func standing() async throws -> Standing {
    let pending = try await replica.pendingSummary()
    return Standing(
      position: memory.chain.end.position, head: head, pendingCount: pending.count,
      pendingSince: pending.since,
      takenCount: takenCount, findingCount: try await openFindings().count, devices: devices())
  }

  /// The devices, by name.
  func devices() -> [SyncDevice] {
    memory.devices.map { replica, device in
      SyncDevice(
        replica: replica, name: device.name, isThis: replica == own, isRevoked: device.isRevoked,
        position: device.base, seen: device.received, proof: device.proof)
    }
    .sorted { ($0.name, $0.replica) < ($1.name, $1.replica) }
  }
}
