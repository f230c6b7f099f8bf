internal import Entities
internal import Journal
internal import LMDB

extension Writer {
  /// Reopens where another process has replaced a generation.
  func adoptCurrentGenerations() throws {
    guard !options.isEphemeral, try folder.currentStamp() != open.stamp else { return }
    try reopen()
  }

  /// Opens what `CURRENT` names now, and lets readers use it.
  func reopen() throws {
    published.withLock { $0 = nil }
    state.memoryEpoch += 1
    lastSeen = nil
    open = try EventStore.openStore(
      folder, schema: schema, types: types, options: options, replacing: open)
    try adoptStatuses()
    published.withLock { $0 = open }
  }

  /// Leaves a mark that the views hold commits that are not flushed, before the first of them.
  func markSession() throws {
    if options.isEphemeral { return }
    guard let lock = currentLock else { return }
    let path = open.views.path
    if try folder.session(path, bootIdentity: options.bootIdentity) != .matches {
      try folder.writeSession(path, holding: lock, bootIdentity: options.bootIdentity)
    }
  }

  /// Flushes the views when nothing happens, so that a process that is killed later, with the
  /// machine, leaves views that can be trusted.
  func flushWhenIdle() {
    guard hasUnflushedViews, !options.isEphemeral else { return }
    do {
      try withLock {
        try adoptCurrentGenerations()
        try flushViews()
      }
    } catch {
      options.trace?("idle flush failed: \(error)")
    }
  }

  /// Flushes the views and removes the mark; the caller holds `WRITER`.
  func flushViews() throws {
    try open.views.environment.flush()
    if let lock = currentLock { try folder.removeSession(open.views.path, holding: lock) }
    hasUnflushedViews = false
  }

  /// Tells each projector's core what the views remember of its projection.
  func adoptStatuses() throws {
    let views = open.views
    try views.environment.read { transaction in
      for (core, entry) in zip(projectors, views.registered) {
        if let value = try transaction.get(entry.statusKey.span.bytes, in: views.meta) {
          core.adopt(try ProjectionStatus(value))
        } else {
          core.adopt(nil)
        }
      }
    }
  }
}
