/// Who did something that a finding tells of.
public enum FindingParty: Hashable, Sendable {
  /// This device.
  case thisDevice
  /// Another device, by its name.
  case device(String)
  /// A device that nobody can name any more.
  case unknown
}

extension SyncFinding.Value {
  /// The device that wrote what lost.
  public var loser: FindingParty {
    isLostHere ? .thisDevice : lostBy.map { .device($0) } ?? .unknown
  }
  /// The device that wrote what holds.
  public var holder: FindingParty {
    isHeldHere ? .thisDevice : heldBy.map { .device($0) } ?? .unknown
  }
}
