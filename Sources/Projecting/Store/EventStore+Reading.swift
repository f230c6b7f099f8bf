internal import Journal
internal import LMDB
internal import Synchronization

extension EventStore {
  /// A view of everything as of one commit, to be kept inside of a closure's scope: at least as new as what
  /// anybody here was told of.
  ///
  /// - Parameter tracker: hears of what the view is asked for.
  /// - Throws: ``ProjectingError`` with `stateUnavailable` where the views can't be brought up to that.
  package func view(tracking tracker: ReadTracker? = nil) throws -> View {
    let told = pipeline.told.load(ordering: .acquiring)
    let view = try presentView(tracking: tracker)
    if view.head.checkpoint.sequence >= told { return view }
    // It would keep the pages that the projectors are about to free.
    _ = consume view
    try pipeline.wait(for: told, mend: mend)
    return try presentView(tracking: tracker)
  }

  /// A view of everything as of the newest commit that the views hold.
  ///
  /// Views that are about to be replaced say so, and `CURRENT` is looked at then; else only now and
  /// then, for the case that somebody removed the views while they were open.
  func presentView(tracking tracker: ReadTracker? = nil) throws -> View {
    if published.isTailLookDue() { lookForTail() }
    while true {
      if !options.isEphemeral, published.isLookDue() { try adoptCurrentGenerations() }
      guard let open = published.open else { throw closed }
      let view = try View(open, tracker: tracker)
      if !view.head.isRetiring || options.isEphemeral { return view }
      if try folder.currentStamp() == open.stamp { return view }
      try adoptCurrentGenerations()
    }
  }

  /// What readers read now, reopened where another process replaced a generation.
  func openStore() throws -> OpenStore {
    try adoptCurrentGenerations()
    guard let open = published.open else { throw closed }
    return open
  }

  /// Opens the generations that `CURRENT` names, where it has changed since it was read.
  private func adoptCurrentGenerations() throws {
    if options.isEphemeral { return }
    guard let open = published.open else { throw closed }
    if try folder.currentStamp() == open.stamp { return }
    try published.whileFlipping {
      guard let open = published.open, try folder.currentStamp() != open.stamp else { return }
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open)
    }
  }

  /// Brings in what a process that was killed has left in the journal alone, where nobody else does.
  ///
  /// Waits for that, a second at the most: who looks seldom is not to be told of the past.
  private func lookForTail() {
    guard !options.isReadOnly, !options.isEphemeral, !pipeline.isBusy, let open = published.open
    else { return }
    do {
      let head = try open.journal.head().sequence
      let held = try open.views.environment.read { try open.views.head(in: $0.view).checkpoint }
      // Whoever holds the lock is alive and about to bring its commits in.
      guard head > held.sequence, let lock = try folder.tryLockWriter() else { return }
      lock.release()
      let done = Monitor()
      let isDone = Lock(false)
      let refusal = enqueue(
        .exclusive { writer in
          do { try writer.alone { try writer.withLock(writer.bringUp) } } catch {
            writer.options.trace?("the tail was not brought in: \(error)")
          }
          done.locked { isDone.withLock { $0 = true } }
          done.wakeAll(.progress)
        })
      if refusal != nil { return }
      done.locked {
        while !isDone.withLock({ $0 }),
          done.wait(for: .progress, nanoseconds: 1_000_000_000)
        {}
      }
    } catch { options.trace?("looking for a tail failed: \(error)") }
  }

  var closed: ProjectingError {
    ProjectingError(.closed, "The ledger at \(path) is closed. Open it again.")
  }
}
