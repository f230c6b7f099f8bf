internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

extension Writer {
  /// Updates the views to `head`; the caller must hold `WRITER`, and the pipeline must be empty.
  ///
  /// Views are behind if a process has died between the two stages or could not write the views.
  /// They are then updated from the journal. Views that are damaged or belong to another history
  /// are discarded. If they contain a commit that the journal lacks, the loss is recorded and new
  /// views are built; see `Writer+Loss.swift`.
  func catchUp(to head: Checkpoint) throws {
    try replacingDamagedViews { try bringViews(to: head) }
  }

  private func bringViews(to head: Checkpoint) throws {
    let found = try open.views.environment.read { try open.views.head(in: $0.view) }
    // A process with other projections may have written since then. If it lacks one of this
    // process's projections, that projection has missed commits and must not receive later ones.
    if found.currentDigest != open.views.registeredDigest { try adoptStatuses() }
    if found.checkpoint.isSame(as: head) { return }
    forgetWhatWasRead()
    if let loss = try shownLoss() { return try rebuildViews(noting: loss) }
    // A write transaction sees the last commit of a killed process; read transactions may not see
    // it yet.
    let batch = try views.newBatch()
    let last = try batch.head()
    if last.currentDigest != open.views.registeredDigest { try batch.tellStatuses() }
    let checkpoint = last.checkpoint
    if checkpoint.isSame(as: head) { return views.drop(batch) }
    let isOurs = try checkpoint.sequence <= head.sequence && isInJournal(checkpoint)
    let missing = isOurs ? head.sequence - checkpoint.sequence : head.sequence
    // New views that replace discarded ones have no stored statuses of projections yet.
    let isNew = checkpoint.sequence == 0 && last.currentDigest != open.views.registeredDigest
    if !isOurs || isNew || missing > max(10_000, head.sequence / 4) {
      views.drop(batch)
      return try rebuildViews()
    }
    do {
      try ViewsReplay(
        journal: open.journal, schema: schema, newBatch: { try self.views.newBatch() },
        didCommit: {
          self.views.hasUnflushed = true
          self.news = $0
        }
      ).run(from: checkpoint, through: head.sequence, into: batch)
    } catch let error as ProjectingError {
      throw error
    } catch {
      throw ProjectingError(
        .stateUnavailable,
        "State could not be updated to commit \(head.sequence), so nothing can be appended. Free "
          + "some space on the ledger's disk, or rebuild; the journal is not affected.",
        cause: error)
    }
  }

  private func isInJournal(_ checkpoint: Checkpoint) throws -> Bool {
    if checkpoint.sequence < (try open.journal.floor().sequence) { return false }
    if checkpoint.sequence == 0 { return true }
    return try open.journal.token(at: checkpoint.sequence).linkPrefix == checkpoint.link.prefix
  }
}

extension Checkpoint {
  /// Returns whether two checkpoints are the same point in history; empty views don't store the
  /// chain's first link.
  fileprivate func isSame(as other: Checkpoint) -> Bool {
    self == other || (sequence == 0 && other.sequence == 0)
  }
}
