internal import DaybookJournal
internal import DaybookLMDB
internal import DaybookPlatform

extension EventStore {
  /// Completes pending appends, flushes and closes all files, and releases all locks, until
  /// ``resume()``.
  ///
  /// iOS terminates an app that is suspended while it locks a file in a shared container. Call this
  /// method before that happens. In the meantime, other processes can use the store.
  ///
  /// Until the store is resumed, ``read(_:)`` throws ``ProjectingError`` with `suspended`, because
  /// waiting would block the thread. Asynchronous calls do what `calls` says. Sequences of commits
  /// and values wait, and continue after that. Work that was started after opening is cancelled and
  /// begins again. Suspending again only replaces `calls`.
  ///
  /// - Throws: ``ProjectingError`` with `notReady` if reads, such as a backup, are still in progress
  ///   after a second; `JournalError` or `LMDBError` if the files can't be flushed; `closed`. The
  ///   store then stays usable. The errors of ``resume()`` if reads are in progress and the files
  ///   that were closed can't be opened again; the store is then suspended.
  public func suspend(_ calls: SuspendedCalls = .fail) async throws {
    guard !isClosed else { throw closed }
    let building = background.withLock { $0.take() }
    building?.cancel()
    _ = await building?.result
    do {
      try await onWriter { [self] writer in
        defer { writer.parksCalls = calls == .wait }
        if writer.isSuspended { return suspension.begin(calls) }
        do { try writer.suspend { suspension.begin(calls) } } catch {
          if writer.isSuspended { watcher.suspend() } else { suspension.end() }
          throw error
        }
        watcher.suspend()
      }
    } catch {
      if building != nil, !isSuspended { try? await prepare() }
      throw error
    }
  }

  /// Opens the files of a suspended store again; does nothing if it isn't suspended.
  ///
  /// Everything that ``open(at:schema:projections:options:)`` does for a store that other processes
  /// have changed is done here.
  ///
  /// - Throws: The errors of ``open(at:schema:projections:options:)``; the store then stays
  ///   suspended. ``ProjectingError`` with `closed` if the store was closed.
  public func resume() async throws {
    guard !isClosed else { throw closed }
    let isResumed = try await onWriter { [self] writer in
      guard writer.isSuspended else { return false }
      try writer.resume()
      do { try watcher.resume() } catch {
        try? writer.suspend {}
        throw error
      }
      suspension.end()
      // Waiting observers look for commits that other processes have made in the meantime.
      bell.ring(at: nil)
      return true
    }
    if isResumed, !options.isReadOnly { try await prepare() }
  }

  /// Whether the store is suspended.
  public var isSuspended: Bool { suspension.current != nil }

  /// Brings a newly opened store up to date, and starts the work that can be done while it is in
  /// use.
  func prepare() async throws {
    var builds = try await exclusively(needsViews: false) { try $0.prepare() }
    if builds, options.waitsForProjections {
      try await rebuild()
      builds = false
    }
    let purges = try options.purgesOnOpen && retention() != .keepEverything
    if builds || purges { workInBackground(building: builds, purging: purges) }
  }

  /// Whether asynchronous calls wait while the store is suspended.
  package var callsWait: Bool { suspension.current != .fail }

  /// Waits until the store isn't suspended.
  ///
  /// - Returns: `false` if the store was closed or the task was cancelled.
  package func waitWhileSuspended() async -> Bool { await suspension.wait() }

  /// If an error was caused by a suspension, waits until the store is resumed.
  ///
  /// - Returns: Whether to try again.
  func isResumed(after error: any Error) async -> Bool {
    guard isSuspended || (error as? ProjectingError)?.code == .suspended else { return false }
    return await suspension.wait()
  }

  var suspended: ProjectingError { .suspended(path) }
}

extension ProjectingError {
  fileprivate static func suspended(_ path: String) -> ProjectingError {
    ProjectingError(
      .suspended, "The ledger at \(path) is suspended. Call `resume()` before using it.")
  }
}

extension Writer {
  /// Closes all files, which have been flushed before.
  ///
  /// - Parameter willClose: Called before readers lose access.
  func suspend(_ willClose: () -> Void) throws {
    guard !isClosed else { throw closed }
    try alone(needsViews: false) {}
    if !options.isReadOnly { try flushLive() }
    options.trace?("before suspending")
    willClose()
    published.open = nil
    for _ in 0..<Writer.suspendingAttemptCountMax {
      if open.closeIfIdle() {
        views.releaseDoorbell()
        isSuspended = true
        options.trace?("after suspending")
        return
      }
      usleep(1_000)
    }
    // The files that could be closed are opened again. Otherwise the store is suspended, so that it
    // can be resumed.
    do {
      let reopened = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open)
      try adopt(reopened)
      published.open = reopened
    } catch {
      isSuspended = true
      throw error
    }
    throw ProjectingError(
      .notReady,
      "The ledger at \(folder.path) can't be suspended, because it is being read. End reads, such "
        + "as backups, and try again.")
  }

  /// The number of milliseconds to wait for readers.
  private static let suspendingAttemptCountMax = 1_000

  /// Opens the files again.
  func resume() throws {
    // The folder may have been moved, replaced or migrated by a newer program.
    _ = try StoreFolder.open(at: folder.path, supporting: options.formats, disk: options.disk)
    if !options.isReadOnly { try folder.recoverJournal(bootIdentity: options.bootIdentity) }
    // Files that were being read may still be open.
    let opened = try EventStore.openAndJudge(folder, schema, types, options, replacing: open)
    options.trace?("before resuming")
    do { try adopt(opened) } catch {
      _ = opened.closeIfIdle()
      throw error
    }
    published.open = opened
    isSuspended = false
    options.trace?("after resuming")
  }

  var suspended: ProjectingError { .suspended(folder.path) }
}
