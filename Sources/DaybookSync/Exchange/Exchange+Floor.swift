import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

extension Exchange {
  /// Pulls to the end of the log.
  ///
  /// If entries that this device needs were deleted, starts over from a snapshot first.
  func catchUp() async throws {
    do {
      try await pull()
    } catch let refusal as RelayRefusal where refusal.code == .trimmed {
      try await rejoin()
      try await pull()
    }
  }

  /// Records the pending commits again if their base is below the floor.
  ///
  /// - Returns: Whether the commits were recorded again.
  func rebase(_ pending: [ReplicaCommit]) async throws -> Bool {
    guard let first = pending.first, first.base < memory.chain.floor else { return false }
    guard let receipt = try await replica.rebase() else { return false }
    note(receipt)
    return true
  }

  /// Counts the commits that a rebase recorded again.
  ///
  /// If the floor moves again before these commits are sent, they are recorded once more, but
  /// counted only once.
  func note(_ receipt: RebaseReceipt) {
    rebasedCount += receipt.sequences.count { $0 > rebasedThrough }
    rebasedThrough = receipt.lastSequence
  }

  // MARK: Moving it

  /// Moves the floor to the position that all devices, except absent ones, have seen, at most once
  /// per beacon interval.
  ///
  /// The interval is a day by default. Any device may move the floor. The new floor depends only on
  /// the log, so every device would choose the same floor: the lowest position that a device,
  /// unless it is absent, had seen when it last wrote. A device writes its pending commits in the
  /// order of their bases, so it has no pending commit with a lower base.
  ///
  /// - Returns: Whether the floor was moved.
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

  /// Returns whether the relay needs a new snapshot before the log below a floor is deleted.
  ///
  /// A snapshot that is a few entries older than the floor suffices, so that a snapshot isn't sent
  /// for every few entries. A snapshot from before an erasure doesn't suffice, because it contains
  /// the erased text.
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
  /// Returns the devices for which the floor waits: devices that aren't revoked and wrote an entry
  /// within `seconds` before the log's last entry, by the relay's clock.
  func present(absentAfter seconds: Double) -> [UInt64: DeviceMemory] {
    devices.filter { !$0.value.isRevoked && !isAbsent($0.value, after: seconds) }
  }

  func isAbsent(_ device: DeviceMemory, after seconds: Double) -> Bool {
    Double(chain.end.received - device.received) > seconds * 1_000_000
  }

  /// Returns the lowest position that a device, unless it is absent, had seen when it last wrote.
  func seenByAll(absentAfter seconds: Double) -> UInt64 {
    present(absentAfter: seconds).values.map(\.base).min() ?? 0
  }
}
