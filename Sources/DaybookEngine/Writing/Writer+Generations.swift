internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Whether an open journal can be used after a failed commit.
enum JournalTrust {
  case sound
  /// Nothing was recorded.
  ///
  /// The journal stays in use, and is reopened as soon as no reader uses it.
  case shaken
  /// A flush has failed.
  ///
  /// Nothing may be written until the journal has been reopened.
  case lost
}

extension Writer {
  /// Switches to the generations that `CURRENT` names if another process has replaced one.
  func adoptCurrentGenerations() throws {
    guard !options.isEphemeral else { return }
    switch journalTrust {
    case .sound: break
    case .shaken: try? reopenJournal()
    case .lost: try reopenJournal()
    }
    if let newer = published.open, newer !== open { try adopt(newer) }
    guard try folder.currentStamp() != open.stamp else { return }
    // The process that replaced the generation may have died before flushing the new name. Without
    // a flush here, new commits could be lost together with the name.
    try folder.flushNames()
    try published.whileFlipping {
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open,
        holding: currentLock)
    }
    if let newer = published.open { try adopt(newer) }
  }

  /// Replaces the store that this writer writes to.
  func adopt(_ newer: OpenStore) throws {
    let haveSameViews = newer.views === open.views
    open = newer
    state.memoryEpoch += 1
    lastSeen = nil
    if haveSameViews { return }
    session = nil
    views.store = newer.views
    views.hasUnflushed = false
    try adoptStatuses()
  }

  /// Reopens the journal after a failed commit, to find out whether the commit is on disk.
  ///
  /// - Throws: `JournalError`, also if history is being read; the journal then stays open.
  func reopenJournal() throws {
    try published.whileFlipping {
      let readable = published.open
      published.open = nil
      do {
        try open.journal.close()
      } catch {
        published.open = readable
        throw error
      }
      let again = try options.openJournal(folder, try folder.current(), schema)
      published.open = OpenStore(
        journal: again, views: open.views, stamp: open.stamp, loss: open.loss)
      journalTrust = .sound
    }
    if let newer = published.open { try adopt(newer) }
  }

  /// Marks the views as unflushed by writing SESSION, before their first unflushed commit.
  ///
  /// The next flush removes the file, even if nothing was written.
  func markSession() throws {
    if options.isEphemeral { return }
    guard let lock = currentLock else { return }
    let path = open.views.path
    views.hasUnflushed = true
    // After the first check of the file, this only checks that the file hasn't changed.
    if let session, try folder.sessionStamp(path) == session { return }
    if try folder.session(path, bootIdentity: options.bootIdentity) != .matches {
      try folder.writeSession(path, holding: lock, bootIdentity: options.bootIdentity)
    }
    session = try folder.sessionStamp(path)
  }

  /// Flushes the views when the writer is idle.
  ///
  /// After the flush, the views stay valid even if the process is killed and the machine fails
  /// later.
  ///
  /// - Returns: `false`, without flushing, if commits are still waiting to be written to the views,
  ///   because a flush would delay new appends.
  func flushWhenIdle() -> Bool {
    if pipeline.isAtWork { return false }
    if isSuspended { return true }
    do {
      try alone(needsViews: false) {
        clearDeadReaders()
        guard !options.isEphemeral, views.hasUnflushed || open.journal.isUnsettled else { return }
        try withLock {
          try adoptCurrentGenerations()
          try open.journal.settle()
          if views.hasUnflushed { try flushViews() }
        }
      }
    } catch {
      options.trace?("idle flush failed: \(error)")
    }
    return true
  }

  /// Releases the reader slots of processes that have died.
  ///
  /// A process that is killed while reading leaves its slot behind. Until the slot is released,
  /// pages that are freed later cannot be reused, and the files grow with every commit.
  func clearDeadReaders() {
    batchCount = 0
    do {
      _ = try open.journal.environment.clearStaleReaders()
      _ = try open.views.environment.clearStaleReaders()
    } catch { options.trace?("dead readers cannot be cleared: \(error)") }
  }

  /// Flushes the views and removes SESSION; the caller must hold `WRITER`.
  func flushViews() throws {
    try open.views.environment.flush()
    if let lock = currentLock { try folder.removeSession(open.views.path, holding: lock) }
    views.hasUnflushed = false
    session = nil
  }

  /// Passes the statuses in the views to the projectors' cores.
  func adoptStatuses() throws { try open.views.tellStatuses(to: views.projectors) }
}

extension ViewsStore {
  /// Passes the statuses in these views to projectors' cores.
  func tellStatuses(to cores: [ProjectorCore]) throws {
    try environment.read { try tellStatuses(to: cores, in: $0.view) }
  }

  /// Passes the statuses in these views to projectors' cores, using an open transaction.
  func tellStatuses(to cores: [ProjectorCore], in view: TransactionView) throws {
    for core in cores {
      let entry = registered.first { $0.name == core.name }
      guard let entry, let value = try view.get(entry.statusKey.span.bytes, in: meta) else {
        core.adopt(nil)
        continue
      }
      core.adopt(try ProjectionStatus(value))
    }
  }
}
