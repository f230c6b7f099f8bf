internal import Entities
internal import Journal
internal import LMDB

extension Writer {
  /// A batch on views that hold everything up to `head`.
  ///
  /// Views that are behind (a process died between its two commits, or failed to write them) are
  /// brought up from the journal; views that are ahead or hold another history are discarded.
  func caughtUpBatch(to head: Checkpoint) throws -> ViewsBatch {
    let batch = try newBatch()
    let found = try batch.head()
    let checkpoint = found.checkpoint
    // Another process, with other projections, may have written since: those it does not know were
    // left behind, and must not be fed as if they had seen its commits.
    if found.currentDigest != open.views.registeredDigest { try batch.tellStatuses() }
    if checkpoint == head || (checkpoint.sequence == 0 && head.sequence == 0) { return batch }
    state.memoryEpoch += 1
    let isOurs = try checkpoint.sequence <= head.sequence && isInJournal(checkpoint)
    let missing = isOurs ? head.sequence - checkpoint.sequence : head.sequence
    // Views that are new, in place of discarded ones, know no projection yet.
    let isNew = checkpoint.sequence == 0 && found.currentDigest != open.views.registeredDigest
    if !isOurs || isNew || missing > max(10_000, head.sequence / 4) {
      drop(batch)
      try rebuildViews()
      return try newBatch()
    }
    do {
      return try replay(from: checkpoint, through: head, into: batch)
    } catch let error as ProjectingError {
      throw error
    } catch {
      throw ProjectingError(
        .stateUnavailable,
        "State could not be brought up to commit \(head.sequence), so nothing can be appended. "
          + "Make room where the ledger is, or rebuild; the journal is untouched.", cause: error)
    }
  }

  func newBatch() throws -> ViewsBatch {
    // What a batch that failed had gathered must not land with the next one.
    for projector in projectors { projector.rollBack() }
    return try ViewsBatch(
      open.views, clusterTags: clusterTags, numbers: numbers, projectors: projectors)
  }

  /// Ends a batch without writing it.
  func drop(_ batch: ViewsBatch) {
    batch.abort()
    for projector in projectors { projector.rollBack() }
  }

  /// Commits a batch that was prepared.
  func finish(_ batch: ViewsBatch, at checkpoint: Checkpoint) throws {
    try batch.finish(at: checkpoint)
    hasUnflushedViews = true
    news = checkpoint
  }

  private func isInJournal(_ checkpoint: Checkpoint) throws -> Bool {
    if checkpoint.sequence < (try open.journal.floor().sequence) { return false }
    if checkpoint.sequence == 0 { return true }
    return try open.journal.token(at: checkpoint.sequence).linkPrefix == checkpoint.link.prefix
  }

  private func replay(
    from start: Checkpoint, through head: Checkpoint, into first: ViewsBatch
  ) throws -> ViewsBatch {
    try ViewsReplay(
      journal: open.journal, schema: schema, newBatch: { try self.newBatch() },
      didCommit: {
        self.hasUnflushedViews = true
        self.news = $0
      }
    ).run(from: start, through: head.sequence, into: first)
  }
}
