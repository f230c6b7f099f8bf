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
      // A killed process left its mark: the views are flushed and the mark is removed when this process is idle,
      // or closes the store. Otherwise a restart of the machine would cost a rebuild.
      if !options.isEphemeral, try folder.sessionStamp(open.views.path) != nil {
        views.hasUnflushed = true
      }
      let head = try open.journal.head()
      let checkpoint = try open.views.environment.read {
        try open.views.head(in: $0.view).checkpoint
      }
      if checkpoint.sequence != head.sequence || checkpoint.link != head.link,
        head.sequence > 0 || checkpoint.sequence > 0
      {
        try markSession()
        try catchUp(to: Checkpoint(head))
      }
      // An erasure that was interrupted.
      _ = try completeErasures()
      return try buildMissingProjections()
    }
  }

  /// Has the views hold everything, flushes them and lets go of the files.
  func close() throws {
    guard !isClosed else { return }
    isClosed = true
    try alone(needsViews: false) {}
    published.open = nil
    pipeline.stop()
    // Readers that are still at work keep the files open until they are done.
    defer {
      try? open.views.environment.close()
      try? open.journal.close()
    }
    if !options.isEphemeral, views.hasUnflushed || open.journal.isUnsettled {
      try withLock {
        let live = try folder.current()
        if live.journal == open.journal.generation { try open.journal.settle() }
        if views.hasUnflushed, live.views == open.views.generation { try flushViews() }
      }
    }
  }

  /// The last thing that the thread does, for a store that was dropped without being closed.
  func end() {
    do { try close() } catch { options.trace?("closing failed: \(error)") }
  }
}
