internal import Entities

/// One commit as it was decided, on its way into the views.
struct DecidedCommit: Sendable {
  let changes: [Change]
  /// The commit that the views hold once these changes are in them.
  let checkpoint: Checkpoint
}

/// Commits that were decided together and become durable with one flush.
struct CommitBatch: Sendable {
  let commits: [DecidedCommit]
  /// The commit before the first.
  let previous: Checkpoint
  /// The newest commit.
  let head: Checkpoint
  let changeCount: Int
  /// When it was decided, in nanoseconds.
  let decidedAt: UInt64

  /// - Precondition: there is a commit.
  init(_ commits: [DecidedCommit], after previous: Checkpoint) {
    self.commits = commits
    self.previous = previous
    head = commits.last?.checkpoint ?? previous
    changeCount = commits.reduce(0) { $0 + $1.changes.count }
    decidedAt = monotonicNanoseconds()
  }
}

/// How far commits have come, from which follows what state each batch is in.
struct CommitProgress {
  /// Where a batch is on its way.
  enum State {
    /// It may be written into views that nobody sees yet.
    case decided
    /// It is in the journal for good, and may be committed to the views.
    case durable
    /// Everybody sees it.
    case projected
    /// The journal could not take it: it has never happened.
    case takenBack
  }

  /// The newest commit that the journal holds for good.
  private(set) var durable: UInt64 = 0
  /// The newest commit that the views hold.
  private(set) var projected: UInt64 = 0
  /// How often a batch was taken back.
  private(set) var epoch: UInt64 = 0

  /// The state of a batch.
  ///
  /// - Parameter began: The epoch in which it was given on: later ones may use its sequences again.
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
