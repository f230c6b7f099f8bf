internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Writes commits into the live views, for either stage.
///
/// Unchecked `Sendable`: the projectors' stage uses it while it projects a group, and the journal's
/// stage uses it while no batch is waiting. The ``Pipeline`` ensures that they never use it at the
/// same time.
final class ViewsWriter: @unchecked Sendable {
  let projectors: [ProjectorCore]
  let numbers = NumberCache()
  /// The live views, to which commits are written.
  var store: ViewsStore
  /// Whether the views may contain unflushed commits; the SESSION file records the same.
  var hasUnflushed = false
  private let clusterTags: ClusterTags
  private let bell: Bell
  private let doorbell: Doorbell?
  private let trace: (@Sendable (String) -> Void)?

  init(
    _ store: ViewsStore, schema: Schema, projectors: [ProjectorCore], bell: Bell,
    doorbell: Doorbell?, trace: (@Sendable (String) -> Void)?
  ) {
    self.store = store
    self.projectors = projectors
    self.bell = bell
    self.doorbell = doorbell
    self.trace = trace
    clusterTags = ClusterTags(schema)
  }

  /// Closes the file through which other processes are notified, until the next notification.
  func releaseDoorbell() { doorbell?.release() }

  /// Begins a batch on the views.
  func newBatch() throws -> ViewsBatch {
    // Otherwise, the next batch would write the changes of a failed one.
    for projector in projectors { projector.rollBack() }
    return try ViewsBatch(
      store, clusterTags: clusterTags, numbers: numbers, projectors: projectors)
  }

  /// Rolls back a batch.
  func drop(_ batch: ViewsBatch) {
    batch.abort()
    // The cache may contain numbers assigned in the dropped batch.
    numbers.forgetAll()
    for projector in projectors { projector.rollBack() }
  }

  /// Notifies observers in this and other processes that the views have new commits.
  func ring(at checkpoint: Checkpoint) {
    bell.ring(at: checkpoint)
    doorbell?.ring()
  }

  /// Writes commits into the views, and commits the transaction once `isDurable` has returned
  /// `true`.
  ///
  /// - Returns: `false` if the commits were withdrawn and nothing was written.
  func project(
    _ commits: [DecidedCommit], after previous: Checkpoint, whenDurable isDurable: () -> Bool
  ) throws -> Bool {
    guard let last = commits.last else { return isDurable() }
    let batch = try newBatch()
    do {
      // Changes must never be applied to views that lack earlier changes.
      let held = try batch.head().checkpoint
      guard held.sequence == previous.sequence else {
        throw ProjectingError(
          .stateUnavailable,
          "The views are at commit \(held.sequence), but \(previous.sequence) was expected.")
      }
      for commit in commits { try commit.changes.forEach(batch.apply) }
      try batch.prepare(at: last.checkpoint, after: previous)
      guard isDurable() else {
        drop(batch)
        return false
      }
      // A projection that throws is quarantined as of the commit for which it threw. To find that
      // commit, apply the commits one by one.
      if commits.count > 1, projectors.contains(where: \.isNewlySetAside) {
        drop(batch)
        try projectOneByOne(commits, after: previous)
        return true
      }
      trace?("before views commit")
      try batch.finish(at: last.checkpoint)
    } catch {
      drop(batch)
      throw error
    }
    hasUnflushed = true
    trace?("after views commit")
    return true
  }

  private func projectOneByOne(_ commits: [DecidedCommit], after previous: Checkpoint) throws {
    var previous = previous
    for commit in commits {
      _ = try project([commit], after: previous) { true }
      previous = commit.checkpoint
    }
  }
}

/// The second stage, the projectors' stage: writes decided commits into the views.
struct ProjectorsStage: Sendable {
  let pipeline: Pipeline
  let views: ViewsWriter
  let trace: (@Sendable (String) -> Void)?
  /// Makes the journal's stage update the views after this stage has failed.
  let mend: @Sendable () -> Void

  func run() {
    while let group = pipeline.next() {
      trace?("before projecting")
      do {
        let commits = group.batches.flatMap(\.commits)
        let isProjected = try views.project(commits, after: group.previous) {
          pipeline.waitUntilDurable(group)
        }
        if isProjected {
          // Observers are notified before waiting readers are woken, so that a reader that sees the
          // commit can assume that observers have been notified.
          views.ring(at: group.last.head)
          pipeline.didProject(group)
        } else {
          pipeline.didDrop(group)
        }
      } catch {
        trace?("views failed: \(error)")
        pipeline.didBreak()
        mend()
      }
    }
  }
}
