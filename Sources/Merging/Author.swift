/// Who wrote the commit that is being folded, and what they had seen.
struct Author {
  let commit: ReplicaCommit
  let position: UInt64
  let received: Int64
  /// The replicas that the author's is a restored copy of, each with the last commit it holds of it.
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
    // A replica continues one that was in the log before it, so this comes to an end.
    while let one = next {
      lineage.append(one)
      next = replicas[one.replica]?.continues
    }
    self.lineage = lineage
  }

  /// Whether the author had seen what a writer wrote.
  ///
  /// What has no writer was placed up to the floor.
  func hasSeen(_ writer: Writer?) -> Bool {
    guard let writer else { return true }
    return writer.position <= commit.base || wrote(writer)
  }

  /// Whether a writer is the author, or what it was before it was restored, as far as the copy goes.
  func wrote(_ writer: Writer) -> Bool {
    if writer.replica == commit.replica { return true }
    return lineage.contains { $0.replica == writer.replica && writer.number <= $0.number }
  }

  /// The author as the writer of what a change says.
  func writer(of change: EntityChange) -> Writer {
    Writer(
      position: position, replica: commit.replica, number: commit.number, clock: commit.clock,
      received: received,
      isMade: change.isMade && change.before == nil && change.after != nil)
  }
}
