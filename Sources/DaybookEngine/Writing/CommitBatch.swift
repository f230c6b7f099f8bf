internal import DaybookEntities

/// A commit that has been decided and must be written to the views.
struct DecidedCommit: Sendable {
  let changes: [Change]
  /// The checkpoint of the views once they contain these changes.
  let checkpoint: Checkpoint
}

/// Commits that were decided together and share a flush.
struct CommitBatch: Sendable {
  let commits: [DecidedCommit]
  /// The newest commit before the batch.
  let previous: Checkpoint
  /// The newest commit of the batch.
  let head: Checkpoint
  let changeCount: Int
  /// The time of the decision, in nanoseconds.
  let decidedAt: UInt64

  /// Creates a batch.
  ///
  /// - Precondition: `commits` is not empty.
  init(_ commits: [DecidedCommit], after previous: Checkpoint) {
    self.commits = commits
    self.previous = previous
    head = commits.last?.checkpoint ?? previous
    changeCount = commits.reduce(0) { $0 + $1.changes.count }
    decidedAt = monotonicNanoseconds()
  }
}

/// The progress of the two stages, which determines the state of each batch.
struct CommitProgress {
  /// The state of a batch.
  enum State {
    /// The batch may be written to the views, but the views' transaction must not be committed yet.
    case decided
    /// The batch is durable in the journal and may be committed to the views.
    case durable
    /// The views contain the batch, so readers see it.
    case projected
    /// The journal could not record the batch, so it was withdrawn.
    case takenBack
  }

  /// The newest commit that is durable in the journal.
  private(set) var durable: UInt64 = 0
  /// The newest commit that the views contain.
  private(set) var projected: UInt64 = 0
  /// The number of times that batches have been withdrawn.
  private(set) var epoch: UInt64 = 0

  /// Returns the state of a batch.
  ///
  /// - Parameter began: The epoch in which the batch was taken; in a later epoch, other commits may
  ///   have the batch's sequences.
  func state(of batch: CommitBatch, since began: UInt64) -> State {
    if batch.head.sequence <= projected { return .projected }
    if batch.head.sequence <= durable { return .durable }
    return began == epoch ? .decided : .takenBack
  }

  mutating func begin(at sequence: UInt64) {
    durable = sequence
    projected = sequence
  }

  mutating func didCommit(_ sequence: UInt64) { durable = sequence }
  mutating func didProject(_ sequence: UInt64) { projected = sequence }
  mutating func didTakeBack() { epoch += 1 }
}
