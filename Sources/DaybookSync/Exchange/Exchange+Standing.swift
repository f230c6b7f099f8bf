import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

/// The part of `SyncState` that comes from the exchange.
struct Standing: Sendable {
  var position: UInt64
  var head: UInt64
  var digest: String?
  var clockOffset: Int64
  var pendingCount: Int
  var pendingByteCount: Int
  var pendingSince: Int64?
  var unsendable: [UnsendableCommit]
  var pulledCount: Int
  var findingCount: Int
  var devices: [SyncDevice]
  var floor: UInt64
  var rebasedCount: Int
  var hasRejoined: Bool
  var isErasing: Bool

  func apply(to state: inout SyncState) {
    state.position = position
    state.head = max(head, position)
    state.digest = digest
    state.clockOffset = clockOffset
    state.pendingCount = pendingCount
    state.pendingByteCount = pendingByteCount
    state.pendingSince = pendingSince
    state.unsendable = unsendable
    state.pulledCount = pulledCount
    state.findingCount = findingCount
    state.devices = devices
    state.floor = floor
    state.rebasedCount = rebasedCount
    state.hasRejoined = hasRejoined
    state.isErasing = isErasing
  }
}

extension Exchange {
  /// Computes the sync state from local data.
  func standing() async throws -> Standing {
    let pending = try await replica.pendingSummary()
    return Standing(
      position: memory.chain.end.position, head: head,
      digest: try await shownDigest()?.description, clockOffset: clockOffset,
      pendingCount: pending.count,
      pendingByteCount: pending.byteCount, pendingSince: pending.since,
      unsendable: try await replica.unsendableCommits(cut),
      pulledCount: pulledCount, findingCount: try await replica.openFindings().count,
      devices: devices(),
      floor: memory.chain.floor, rebasedCount: rebasedCount, hasRejoined: hasRejoined,
      isErasing: memory.erased > memory.chain.floor)
  }

  /// Returns the devices, ordered by name.
  func devices() -> [SyncDevice] {
    let present = memory.present(absentAfter: absenceSeconds)
    let (least, most) = (present.values.map(\.base).min(), present.values.map(\.base).max())
    return memory.devices.map { replica, device in
      SyncDevice(
        replica: replica, name: device.name, isThis: replica == own, isRevoked: device.isRevoked,
        position: device.base, seen: device.received,
        holdsFloor: least != most && present[replica]?.base == least && least != nil,
        isAbsent: memory.isAbsent(device, after: absenceSeconds), proof: device.proof)
    }
    .sorted { ($0.name, $0.replica) < ($1.name, $1.replica) }
  }
}
