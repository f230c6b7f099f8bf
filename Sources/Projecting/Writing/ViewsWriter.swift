internal import Entities
internal import Journal
internal import LMDB

/// Writes commits into the live views, for whichever stage does it.
///
/// Unchecked `Sendable`: the projectors' stage uses it while it projects a group, the journal's stage while
/// nothing waits to be projected; the monitor of the ``Pipeline`` is between the two.
final class ViewsWriter: @unchecked Sendable {
  let projectors: [ProjectorCore]
  let numbers = NumberCache()
  /// The views that are written.
  var store: ViewsStore
  /// Whether the views may hold commits that were not flushed, and are marked so.
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

  /// Begins to write.
  func newBatch() throws -> ViewsBatch {
    // What a batch that failed had gathered must not land with the next one.
    for projector in projectors { projector.rollBack() }
    return try ViewsBatch(
      store, clusterTags: clusterTags, numbers: numbers, projectors: projectors)
  }

  /// Ends a batch without writing it.
  func drop(_ batch: ViewsBatch) {
    batch.abort()
    // Of what is not there after all.
    numbers.forgetAll()
    for projector in projectors { projector.rollBack() }
  }

  /// Tells whoever listens, here and in other processes, that the views have come further.
  func ring(at checkpoint: Checkpoint) {
    bell.ring(at: checkpoint)
    doorbell?.ring()
  }

  /// Writes commits into the views, and commits those once `isDurable` says so.
  ///
  /// - Returns: false where the commits were taken back: then nothing was written.
  func project(
    _ commits: [DecidedCommit], after previous: Checkpoint, whenDurable isDurable: () -> Bool
  ) throws -> Bool {
    guard let last = commits.last else { return isDurable() }
    let batch = try newBatch()
    do {
      // Whatever else may have gone wrong: changes are not added to views that lack those before them.
      let held = try batch.head().checkpoint
      guard held.sequence == previous.sequence else {
        throw ProjectingError(
          .stateUnavailable,
          "The views hold commit \(held.sequence) where \(previous.sequence) was expected.")
      }
      for commit in commits { try commit.changes.forEach(batch.apply) }
      try batch.prepare(at: last.checkpoint, after: previous)
      guard isDurable() else {
        drop(batch)
        return false
      }
      // One that throws is set aside at the very commit it threw at, which is found by taking one at a time.
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

/// The second stage: brings the views past what the journal's stage has decided.
struct ProjectorsStage: Sendable {
  let pipeline: Pipeline
  let views: ViewsWriter
  let trace: (@Sendable (String) -> Void)?
  /// Has the journal's stage bring the views up where this one could not.
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
          // Before those who wait for the views go on: whoever has read a commit finds that it was rung for.
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
