/// The author of the commit that is being folded, and what the author had seen.
struct Author {
  let commit: ReplicaCommit
  let position: UInt64
  let received: Int64
  /// The replicas that the author's replica is a restored copy of, each with the last of its
  /// commits that the copy holds.
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
    // A replica continues one that was in the log before it, so this loop ends.
    while let one = next {
      lineage.append(one)
      next = replicas[one.replica]?.continues
    }
    self.lineage = lineage
  }

  /// Whether the author had seen the value of a writer.
  ///
  /// A value without a writer was placed at or below the floor, so everyone has seen it.
  func hasSeen(_ writer: Writer?) -> Bool {
    guard let writer else { return true }
    return writer.position <= commit.base || wrote(writer)
  }

  /// Whether a writer is the author, or a replica that the author's is a restored copy of, up to
  /// the last commit that the copy holds.
  func wrote(_ writer: Writer) -> Bool {
    if writer.replica == commit.replica { return true }
    return lineage.contains { $0.replica == writer.replica && writer.number <= $0.number }
  }

  /// The author, as the writer of a change's values.
  func writer(of change: EntityChange) -> Writer {
    Writer(
      position: position, replica: commit.replica, number: commit.number, clock: commit.clock,
      received: received,
      isMade: change.isMade && change.before == nil && change.after != nil)
  }
}
