/// Why an entry cannot be folded.
///
/// The fold then stays as it was before that entry.
public enum FoldFault: Error, Hashable, Sendable {
  /// The log goes on with another position.
  case gap(expected: UInt64, found: UInt64)
  /// An entry was received before the one that precedes it.
  case receivedGoesBack(position: UInt64)
  /// A commit's author had seen what is not placed before it.
  case baseBeyondHead(position: UInt64, base: UInt64)
  /// A commit has a base below the floor.
  case baseBelowFloor(position: UInt64, base: UInt64)
  /// A replica's commits do not follow each other.
  case numberGap(position: UInt64, replica: ReplicaID, expected: UInt64, found: UInt64)
  /// A commit that is not its replica's first says that it continues another; or it continues after
  /// a commit that the log does not have.
  case invalidContinuation(position: UInt64)
  /// A floor lies below the one before it, or not before its entry.
  case invalidFloor(position: UInt64, floor: UInt64)
  /// The commit needs a newer version of Daybook, whose fold has this version.
  case newerFold(position: UInt64, version: UInt32)
  /// A record is damaged, or its properties are not in ascending order of tags.
  case damagedRecord(position: UInt64, key: EntityKey)
}
