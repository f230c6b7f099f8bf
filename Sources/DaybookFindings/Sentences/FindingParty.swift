/// The device behind an action that a finding describes.
public enum FindingParty: Hashable, Sendable {
  /// This device.
  case thisDevice
  /// Another device, with its name.
  case device(String)
  /// A device whose name isn't known.
  case unknown
}

extension SyncFinding.Value {
  /// The device that wrote the value that lost.
  public var loser: FindingParty {
    isLostHere ? .thisDevice : lostBy.map { .device($0) } ?? .unknown
  }
  /// The device that wrote the value that was kept.
  public var holder: FindingParty {
    isHeldHere ? .thisDevice : heldBy.map { .device($0) } ?? .unknown
  }
}
