import SyncWire

extension Exchange {
  /// The proof of this device's confirmed State at a position, where it is known; zero otherwise.
  func stateProof(at position: UInt64) async throws -> WireHash { .zero }

  /// Compares what another device says of its State with what this one's was there.
  func compare(
    _ beacon: Beacon, of header: EntryHeader, received: Int64, _ next: inout LogMemory
  ) async throws {}
}
