internal import Entities
internal import Journal
internal import LMDB

extension Writer {
  /// The changes that one transaction applies while views catch up.
  static let catchUpChangeCountMax = 20_000

  /// A batch on views that hold everything up to `head`.
  ///
  /// Views that are behind (a process died between its two commits, or failed to write them) are
  /// brought up from the journal; views that are ahead or hold another history are discarded.
  func caughtUpBatch(to head: Checkpoint) throws -> ViewsBatch {
    let batch = try newBatch()
    let checkpoint = try batch.checkpoint()
    if checkpoint == head || (checkpoint.sequence == 0 && head.sequence == 0) { return batch }
    state.memoryEpoch += 1
    let isOurs = try checkpoint.sequence <= head.sequence && isInJournal(checkpoint)
    let missing = isOurs ? head.sequence - checkpoint.sequence : head.sequence
    if !isOurs || missing > max(10_000, head.sequence / 4) {
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
    try ViewsBatch(
      open.views, clusterTags: clusterTags, numbers: numbers, projectors: projectors)
  }

  /// Ends a batch without writing it.
  func drop(_ batch: ViewsBatch) {
    batch.abort()
    for projector in projectors { projector.discard() }
  }

  /// Writes a batch.
  func write(_ batch: ViewsBatch, at checkpoint: Checkpoint, after previous: Checkpoint) throws {
    try batch.commit(at: checkpoint, after: previous)
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
    var batch = first
    var reached = start
    var written = start
    var changeCount = 0
    try open.journal.forEachCommit(after: start.sequence, through: head.sequence) { commit in
      let kinds = schema
      try commit.forEachChange { change in
        guard kinds[change.kind] != nil else {
          throw ProjectingError(
            .readOnly,
            "Commit \(commit.sequence) holds an entity of kind \(change.kind.rawValue), which this "
              + "program does not know. Update it, or open for reading.")
        }
        let replayed = try batch.replayed(change)
        try batch.apply(replayed)
        return true
      }
      changeCount += commit.changeCount
      reached = Checkpoint(sequence: commit.sequence, link: try commit.link)
      if changeCount >= Writer.catchUpChangeCountMax {
        try write(batch, at: reached, after: written)
        written = reached
        changeCount = 0
        batch = try newBatch()
      }
      return true
    }
    if reached != written {
      try write(batch, at: reached, after: written)
      batch = try newBatch()
    }
    return batch
  }
}

extension ViewsBatch {
  /// A change of the journal with the whole records before and after, as State has them.
  func replayed(_ change: ChangeView) throws -> Change {
    let before = try entity(change.kind, change.id)?.record
    var after: Record?
    if change.operation != .delete {
      var bytes = before?.bytes ?? []
      try change.apply(to: &bytes)
      after = Record(bytes: bytes)
    }
    return Change(
      kind: change.kind, id: change.id, number: change.number, before: before, after: after)
  }
}
