/// The author of the commit that is being folded, with the part of the log that the author had
/// seen.
struct Author {
  let commit: ReplicaCommit
  let position: UInt64
  let received: Int64
  /// The replicas of which the author's replica is a restored copy, each with the last of its
  /// commits that the copy contains.
  private let lineage: [ReplicaCommit.Continuation]

  init(
    _ commit: ReplicaCommit, position: UInt64, received: Int64,
    among replicas: [ReplicaID: ReplicaProgress]
  ) {
    self.commit = commit
    self.position = position
    self.received = received
    var lineage: [ReplicaCommit.Continuation] = []
    var next = commit.continues ?? replicas[commit.replica]?.continues
    // A replica can only continue a replica that was in the log before it, so this loop ends.
    while let one = next {
      lineage.append(one)
      next = replicas[one.replica]?.continues
    }
    self.lineage = lineage
  }

  /// Returns whether the author had seen a value, given the value's writer.
  ///
  /// A value without a writer was placed at or below the floor, so every replica has seen it.
  func hasSeen(_ writer: Writer?) -> Bool {
    guard let writer else { return true }
    return writer.position <= commit.base || wrote(writer)
  }

  /// Returns whether a value's writer is the author's replica, or one of its originals before the
  /// copy was made.
  func wrote(_ writer: Writer) -> Bool {
    if writer.replica == commit.replica { return true }
    return lineage.contains { $0.replica == writer.replica && writer.number <= $0.number }
  }

  /// Returns the author's commit as the writer of a change's values.
  func writer(of change: EntityChange) -> Writer {
    Writer(
      position: position, replica: commit.replica, number: commit.number, clock: commit.clock,
      received: received,
      isMade: change.isMade && change.before == nil && change.after != nil)
  }
}
