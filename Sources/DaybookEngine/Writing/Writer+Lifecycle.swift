internal import DaybookJournal
internal import DaybookLMDB

extension Writer {
  /// Brings a newly opened store up to date.
  ///
  /// Deletes unfinished generations, updates views that are behind, and completes an interrupted
  /// erasure. Missing projections are built in place, unless other projections can already be read.
  ///
  /// - Returns: Whether missing projections must be built in new views because the live views are
  ///   in use.
  func prepare() throws -> Bool {
    try withLock {
      try adoptCurrentGenerations()
      if !options.isEphemeral { try folder.flushNames() }
      if let lock = currentLock {
        try folder.removeUnfinished(holding: lock)
        StoreFolder.removeAbandoned(besides: folder.path)
      }
      return try replacingDamagedViews(prepareViews)
    }
  }

  private func prepareViews() throws -> Bool {
    try adoptStatuses()
    // A journal with kinds that this program doesn't have is read-only.
    guard open.journal.readOnlyReason == nil else { return false }
    // A killed process has left SESSION behind. It must be removed, because it would cause a
    // rebuild after the machine restarts. This process flushes the views and removes it when it is
    // idle or closes the store.
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
    try forgetLossIfRepaired()
    // An erasure may have been interrupted; it isn't completed while the journal lacks commits.
    if open.loss == nil { _ = try completeErasures() }
    return try buildMissingProjections()
  }

  /// Updates and flushes the views, and closes the files.
  func close() throws {
    guard !isClosed else { return }
    isClosed = true
    // The files of a suspended store are flushed and closed.
    if isSuspended {
      parksCalls = false
      return pipeline.stop()
    }
    try alone(needsViews: false) {}
    published.open = nil
    pipeline.stop()
    // Active readers keep the files open until they end.
    defer {
      try? open.views.environment.close()
      try? open.journal.close()
    }
    try flushLive()
  }

  /// Flushes the journal and the views, unless another process has replaced them.
  func flushLive() throws {
    guard !options.isEphemeral, views.hasUnflushed || open.journal.isUnsettled else { return }
    try withLock {
      let live = try folder.current()
      if live.journal == open.journal.generation { try open.journal.settle() }
      if views.hasUnflushed, live.views == open.views.generation { try flushViews() }
    }
  }

  /// Closes a store that was deallocated without being closed; the thread calls this last.
  func end() {
    do { try close() } catch { options.trace?("closing failed: \(error)") }
  }
}
