internal import Entities
internal import Journal
internal import LMDB

/// What is thought of an open journal after a commit that failed.
enum JournalTrust {
  case sound
  /// Nothing was recorded: it is opened again as soon as nobody reads it, and used meanwhile.
  case shaken
  /// A flush failed: nothing is written before it has been opened again.
  case lost
}

extension Writer {
  /// Goes over to the generations that `CURRENT` names, where another process has replaced one.
  func adoptCurrentGenerations() throws {
    guard !options.isEphemeral else { return }
    switch journalTrust {
    case .sound: break
    case .shaken: try? reopenJournal()
    case .lost: try reopenJournal()
    }
    if let newer = published.open, newer !== open { try adopt(newer) }
    guard try folder.currentStamp() != open.stamp else { return }
    // Who replaced it may have died before its name was on the disk: what is committed now must not be lost
    // with it.
    try folder.flushNames()
    try published.whileFlipping {
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open,
        holding: currentLock)
    }
    if let newer = published.open { try adopt(newer) }
  }

  /// Makes an opened store the one that is written.
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

  /// Opens the journal again after a commit that failed, to see what is on the disk.
  ///
  /// - Throws: `JournalError` also where somebody reads history at the moment: the journal then stays
  ///   open as it is.
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
      published.open = OpenStore(journal: again, views: open.views, stamp: open.stamp)
      journalTrust = .sound
    }
    if let newer = published.open { try adopt(newer) }
  }

  /// Leaves a mark that the views hold commits that are not flushed, before the first of them.
  ///
  /// The next flush removes it, also where nothing is written after all.
  func markSession() throws {
    if options.isEphemeral { return }
    guard let lock = currentLock else { return }
    let path = open.views.path
    views.hasUnflushed = true
    // Once judged, it is enough that the same file is still there.
    if let session, try folder.sessionStamp(path) == session { return }
    if try folder.session(path, bootIdentity: options.bootIdentity) != .matches {
      try folder.writeSession(path, holding: lock, bootIdentity: options.bootIdentity)
    }
    session = try folder.sessionStamp(path)
  }

  /// Flushes the views when nothing happens, so that a process that is killed later, with the
  /// machine, leaves views that can be trusted.
  ///
  /// - Returns: false where commits are on their way to the views: an append that comes would have to wait
  ///   for them.
  func flushWhenIdle() -> Bool {
    if pipeline.isAtWork { return false }
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

  /// Gives back the places of readers whose process has died.
  ///
  /// Whoever is killed while it reads leaves its place behind, and as long as that is there no page that
  /// was freed since is used again: the files would grow with every commit.
  func clearDeadReaders() {
    batchCount = 0
    do {
      _ = try open.journal.environment.clearStaleReaders()
      _ = try open.views.environment.clearStaleReaders()
    } catch { options.trace?("dead readers cannot be cleared: \(error)") }
  }

  /// Flushes the views and removes the mark; the caller holds `WRITER`.
  func flushViews() throws {
    try open.views.environment.flush()
    if let lock = currentLock { try folder.removeSession(open.views.path, holding: lock) }
    views.hasUnflushed = false
    session = nil
  }

  /// Tells each projector's core what the views remember of its projection.
  func adoptStatuses() throws { try open.views.tellStatuses(to: views.projectors) }
}

extension ViewsStore {
  /// Tells projectors' cores what these views remember of their projections.
  func tellStatuses(to cores: [ProjectorCore]) throws {
    try environment.read { try tellStatuses(to: cores, in: $0.view) }
  }

  /// Tells projectors' cores what these views remember of their projections.
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
