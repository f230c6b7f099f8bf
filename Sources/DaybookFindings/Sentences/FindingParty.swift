/// The device that performed an action described by a finding.
public enum FindingParty: Hashable, Sendable {
  /// This device.
  case thisDevice
  /// Another device, with its name.
  case device(String)
  /// A device whose name isn't known.
  case unknown
}

extension SyncFinding.Value {
  /// The device that wrote the lost value.
  public var loser: FindingParty {
    isLostHere ? .thisDevice : lostBy.map { .device($0) } ?? .unknown
  }
  /// The device that wrote the kept value.
  public var holder: FindingParty {
    isHeldHere ? .thisDevice : heldBy.map { .device($0) } ?? .unknown
  }
}
