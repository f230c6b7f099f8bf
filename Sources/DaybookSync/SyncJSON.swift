import DaybookBookkeeping
import DaybookEntities

// The JSON forms of the sync types, as described in Docs/JSON.md: times are in UTC, and replicas
// are hexadecimal digits.

extension SyncState: Encodable {
  private enum Key: String, CodingKey {
    case activity, progress, position, head, digest, pending, pendingBytes, pendingSince, findings,
      floor,
      rebased
    case hasRejoined, isErasing, exchanged, unsendable, problem, devices
  }

  /// Encodes the sync state.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(activity.rawValue, forKey: .activity)
    try box.encodeIfPresent(progress, forKey: .progress)
    try box.encode(position, forKey: .position)
    try box.encode(head, forKey: .head)
    try box.encodeIfPresent(digest, forKey: .digest)
    try box.encode(pendingCount, forKey: .pending)
    try box.encode(pendingByteCount, forKey: .pendingBytes)
    try box.encodeIfPresent(
      pendingSince.map { Moment(microseconds: $0) }, forKey: .pendingSince)
    try box.encode(findingCount, forKey: .findings)
    try box.encode(floor, forKey: .floor)
    try box.encode(rebasedCount, forKey: .rebased)
    try box.encode(hasRejoined, forKey: .hasRejoined)
    try box.encode(isErasing, forKey: .isErasing)
    try box.encodeIfPresent(exchanged.map { Moment(microseconds: $0) }, forKey: .exchanged)
    if !unsendable.isEmpty { try box.encode(unsendable, forKey: .unsendable) }
    try box.encodeIfPresent(problem, forKey: .problem)
    try box.encode(devices, forKey: .devices)
  }
}

extension SyncDevice: Encodable {
  private enum Key: String, CodingKey {
    case replica, name, isThis, isRevoked, isAbsent, holdsFloor, position, seen, proof
  }

  /// Encodes the device.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(hexText(replica, digits: 16), forKey: .replica)
    try box.encode(name, forKey: .name)
    try box.encode(isThis, forKey: .isThis)
    try box.encode(isRevoked, forKey: .isRevoked)
    try box.encode(isAbsent, forKey: .isAbsent)
    try box.encode(holdsFloor, forKey: .holdsFloor)
    try box.encode(position, forKey: .position)
    try box.encode(Moment(microseconds: seen), forKey: .seen)
    try box.encodeIfPresent(proof, forKey: .proof)
  }
}

extension StateProof: Encodable {
  private enum Key: String, CodingKey { case position, received, isEqual }

  /// Encodes the result of the comparison.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(position, forKey: .position)
    try box.encode(Moment(microseconds: received), forKey: .received)
    try box.encode(isEqual, forKey: .isEqual)
  }
}

extension SyncError: Encodable {
  private enum Key: String, CodingKey { case code, message, remedy }

  /// Encodes the code, message and remedy.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(code.rawValue, forKey: .code)
    try box.encode(message, forKey: .message)
    try box.encode(remedy, forKey: .remedy)
  }
}
