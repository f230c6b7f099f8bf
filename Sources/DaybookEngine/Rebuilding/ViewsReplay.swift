internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Applies commits of the journal to views, change by change, in transactions of bounded size.
struct ViewsReplay {
  let journal: JournalStore
  let schema: Schema
  let newBatch: () throws -> ViewsBatch
  /// Called with the last commit in the views after each transaction; if it throws, the work ends
  /// with that error.
  let didCommit: (Checkpoint) throws -> Void

  /// The number of applied changes after which a transaction is committed.
  static let changeCountMax = 20_000

  /// Applies the commits after `start`, up to and including `head`.
  ///
  /// - Parameter first: A batch on views that contain everything up to `start`.
  /// - Throws: ``ProjectingError`` with `readOnly` if a commit contains an entity of an unknown
  ///   kind.
  func run(from start: Checkpoint, through head: UInt64, into first: ViewsBatch) throws {
    var batch = first
    var reached = start
    var written = start
    var changeCount = 0
    try journal.forEachCommit(after: start.sequence, through: head) { commit in
      let kinds = schema
      try commit.forEachChange { change in
        guard kinds[change.kind] != nil else {
          throw ProjectingError(
            .readOnly,
            "Commit \(commit.sequence) contains an entity of kind \(change.kind.rawValue), which "
              + "this program does not know. Update the program, or open the ledger read-only.")
        }
        let replayed = try batch.replayed(change)
        try batch.apply(replayed)
        return true
      }
      changeCount += commit.changeCount
      reached = Checkpoint(sequence: commit.sequence, link: try commit.link)
      if changeCount >= ViewsReplay.changeCountMax {
        try batch.commit(at: reached, after: written)
        written = reached
        try didCommit(reached)
        changeCount = 0
        batch = try newBatch()
      }
      return true
    }
    if reached != written {
      try batch.commit(at: reached, after: written)
      try didCommit(reached)
    }
  }
}

extension ViewsBatch {
  /// Returns a change of the journal with the full records before and after it, which are based on
  /// State.
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
