import Merging
import Replicas
import SyncWire

extension Exchange {
  /// Pulls to the log's end; where the log has gone on without this device, begins anew with a snapshot before.
  func catchUp() async throws {
    do {
      try await pull()
    } catch let refusal as RelayRefusal where refusal.code == .trimmed {
      try await rejoin()
      try await pull()
    }
  }

  /// Records what is pending anew where a floor lies above what it had seen.
  ///
  /// - Returns: whether it did.
  func rebase(_ pending: [ReplicaCommit]) async throws -> Bool {
    guard let first = pending.first, first.base < memory.chain.floor else { return false }
    guard let receipt = try await replica.rebase() else { return false }
    note(receipt)
    return true
  }

  /// Counts the commits that were recorded again, each once: where the floor moves before they are sent, the same ones
  /// are recorded once more.
  func note(_ receipt: RebaseReceipt) {
    rebasedCount += receipt.sequences.count { $0 > rebasedThrough }
    rebasedThrough = receipt.lastSequence
  }

  // MARK: Moving it

  /// Moves the floor to what all devices have seen, where nobody has done so for a day.
  ///
  /// Any device does it. What it goes by is in the log, so all would come to the same: the least position that a
  /// device had seen when it last wrote, among those that wrote within the allowance. A device writes what is
  /// pending in the order of its bases, so it has nothing left with a lower one.
  ///
  /// - Returns: whether it did.
  func moveFloor() async throws -> Bool {
    let end = memory.chain.end
    let floor = memory.seenByAll(absentAfter: absenceSeconds)
    guard floor > memory.chain.floor, let moved = memory.floorMoved,
      now() &+ clockOffset - moved >= Int64(beaconSeconds * 1_000_000)
    else { return false }
    if try await lacksSnapshot(for: floor) { try await sendSnapshot() }
    var page = OutgoingPage(of: own)
    try await add([], .floor, base: end.position, clock: now(), floor: floor, to: &page)
    try await send(&page)
    return true
  }

  /// Whether the relay could not let go of what lies below a floor, for want of a snapshot to begin with.
  ///
  /// A ledger is not sent anew for every few entries, but where something was erased: an older snapshot has the text.
  private func lacksSnapshot(for floor: UInt64) async throws -> Bool {
    do {
      let base = try await transport.manifest().header.base
      let hasText = base < memory.erased && memory.erased <= floor
      return hasText || floor > base + Self.pulledEntryCount
    } catch let refusal as RelayRefusal where refusal.code == .notFound {
      return true
    }
  }
}

extension LogMemory {
  /// The devices whose word counts: not turned away, and heard of within an allowance in seconds, by the log's time.
  func present(absentAfter seconds: Double) -> [UInt64: DeviceMemory] {
    devices.filter { !$0.value.isRevoked && !isAbsent($0.value, after: seconds) }
  }

  func isAbsent(_ device: DeviceMemory, after seconds: Double) -> Bool {
    Double(chain.end.received - device.received) > seconds * 1_000_000
  }

  /// Up to which position the devices that count have seen the log and sent what they recorded without it.
  func seenByAll(absentAfter seconds: Double) -> UInt64 {
    present(absentAfter: seconds).values.map(\.base).min() ?? 0
  }
}
