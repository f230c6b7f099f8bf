/// The reason why an entry can't be folded.
///
/// The fold doesn't change.
public enum FoldFault: Error, Hashable, Sendable {
  /// The position isn't the next one.
  case gap(expected: UInt64, found: UInt64)
  /// An entry was received before the entry that precedes it.
  case receivedGoesBack(position: UInt64)
  /// A commit's base isn't below the commit's own position.
  case baseBeyondHead(position: UInt64, base: UInt64)
  /// A commit has a base below the floor.
  case baseBelowFloor(position: UInt64, base: UInt64)
  /// A replica's commits are not consecutive.
  case numberGap(position: UInt64, replica: ReplicaID, expected: UInt64, found: UInt64)
  /// A commit continues another replica, but isn't the first commit of its own replica, or the log
  /// lacks the commit after which it continues.
  case invalidContinuation(position: UInt64)
  /// A floor is below the previous floor, or not below its own position.
  case invalidFloor(position: UInt64, floor: UInt64)
  /// A commit needs this newer version of the fold.
  case newerFold(position: UInt64, version: UInt32)
  /// A record is damaged, or its tags aren't in ascending order.
  case damagedRecord(position: UInt64, key: EntityKey)
}
