internal import Journal
internal import LMDB

extension Writer {
  /// Brings a store that was just opened up to date: unfinished generations are removed, views that
  /// are behind catch up, and projections that are missing are built where nothing answers meanwhile.
  ///
  /// - Returns: whether projections are missing that are to be built beside the live views.
  func prepare() throws -> Bool {
    try withLock {
      try adoptCurrentGenerations()
      if !options.isEphemeral { try folder.flushNames() }
      if let lock = currentLock {
        try folder.removeUnfinished(holding: lock)
        StoreFolder.removeAbandoned(besides: folder.path)
      }
      try adoptStatuses()
      // A journal with kinds that this process does not know is read, not written.
      guard open.journal.readOnlyReason == nil else { return false }
      let head = try open.journal.head()
      let checkpoint = try open.views.environment.read {
        try open.views.head(in: $0.view).checkpoint
      }
      if checkpoint.sequence != head.sequence || checkpoint.link != head.link,
        head.sequence > 0 || checkpoint.sequence > 0
      {
        try markSession()
        let batch = try caughtUpBatch(
          to: Checkpoint(sequence: head.sequence, link: head.link))
        batch.abort()
      }
      // An erasure that was interrupted.
      _ = try completeErasures()
      return try buildMissingProjections()
    }
  }

  /// Takes `WRITER`, does something, and lets it go; an ephemeral store has nothing to lock.
  ///
  /// Whoever listens hears of what was committed once the lock is free again.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    defer { ring() }
    if options.isEphemeral { return try body() }
    options.trace?("before WRITER")
    let lock = try folder.lockWriter()
    options.trace?("after WRITER")
    currentLock = lock
    defer {
      currentLock = nil
      lock.release()
    }
    return try body()
  }

  /// Tells whoever listens, here and in other processes, that the views have come further.
  private func ring() {
    guard let head = news else { return }
    news = nil
    bell.ring(at: head)
    doorbell?.ring()
  }

  /// Flushes the views and lets go of the files.
  func close() throws {
    guard !isClosed else { return }
    isClosed = true
    aside.stop()
    published.open = nil
    // Readers that are still at work keep the files open until they are done.
    defer {
      try? open.views.environment.close()
      try? open.journal.close()
    }
    if !options.isEphemeral, hasUnflushedViews || open.journal.isUnsettled {
      try withLock {
        let live = try folder.current()
        if live.journal == open.journal.generation { try open.journal.settle() }
        if hasUnflushedViews, live.views == open.views.generation { try flushViews() }
      }
    }
  }

  /// The last thing that the thread does, for a store that was dropped without being closed.
  func end() {
    do { try close() } catch { options.trace?("closing failed: \(error)") }
  }
}
