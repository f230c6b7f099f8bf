internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The result of a rebuild.
public struct RebuildReport: Hashable, Sendable, Codable {
  /// The newest commit in the new views when they became live.
  public var sequence: UInt64 = 0
  /// The number of rows that are equal in the old and new views, or 0 if they were not compared.
  public var rowCount = 0
  /// The differences between the old and the new views.
  ///
  /// The new views are used even if there are differences, because they were built from the
  /// journal.
  public var findings: [VerificationReport.Finding] = []
}

extension EventStore {
  /// Builds new views from the journal next to the live ones, and switches to them atomically.
  ///
  /// Readers and writers of all processes continue. The rebuild runs on a separate thread. It first
  /// builds the views as of its start, then applies newer commits in rounds; only the last, short
  /// round blocks writers.
  ///
  /// If the task is cancelled, the old views stay live. If the process is killed, the next open
  /// deletes the unfinished generation.
  ///
  /// The new views contain the projections of this process. A projection is marked as behind if
  /// only other programs maintain it, or if another program maintains a newer version of it. That
  /// program builds the projection on its next open.
  ///
  /// - Parameters:
  ///   - comparing: Whether to compare the old views with the new ones, row by row, as of one
  ///     commit.
  ///   - progress: Called periodically, on a thread of the store.
  /// - Throws: `CancellationError`, or a ``ProjectingError``, `JournalError` or `LMDBError` if the
  ///   new views couldn't be built. The old views then stay live.
  /// - Complexity: O(commits + entities · log entities), in bounded memory.
  @discardableResult
  public func rebuild(
    comparing: Bool = false, progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws -> RebuildReport {
    if options.isEphemeral {
      return try await exclusively(needsViews: false) { writer in
        try writer.rebuildViews(progress: progress)
        return RebuildReport(sequence: try writer.open.journal.head().sequence)
      }
    }
    guard !options.isReadOnly else { throw readOnly }
    for _ in 1..<EventStore.rebuildCountMax {
      let erasureCount = try openStore().journal.erasureCount()
      do {
        return try await rebuildOnce(comparing: comparing, progress)
      } catch {
        guard try isOvertaken(error, since: erasureCount) else { throw error }
        options.trace?("rebuild begins again")
      }
    }
    return try await rebuildOnce(comparing: comparing, progress)
  }

  /// The maximum number of attempts, because history may be purged or erased during a rebuild.
  static let rebuildCountMax = 3

  /// Discards the tables of the given projections and of projections derived from them, and
  /// rebuilds them in place.
  ///
  /// This method is meant for operators. If projections obey the law, it is needed only to restore
  /// a quarantined projection once the cause is fixed. Unlike ``rebuild(comparing:progress:)``, it
  /// blocks writers. Until it ends, queries of these projections report that they are behind. The
  /// method skips projections that aren't registered or that a newer program maintains.
  ///
  /// - Throws: ``ProjectingError`` or `LMDBError` if the projections couldn't be built.
  /// - Complexity: O(entities); for derived projections, O(rows of their sources).
  public func invalidate(_ projections: [any Projection.Type]) async throws {
    guard !options.isReadOnly else { throw readOnly }
    try await exclusively { try $0.invalidate(projections) }
  }

  private func rebuildOnce(
    comparing: Bool, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) async throws -> RebuildReport {
    let successor = try await onOwnThread { cancellation in
      let successor = try ViewsSuccessor(
        self.folder, schema: self.schema, types: self.types, options: self.options)
      do {
        self.options.trace?("rebuild reserved")
        try self.fill(successor, comparing: comparing, cancellation, progress)
        return successor
      } catch {
        successor.discard()
        throw error
      }
    }
    do {
      try Task.checkCancellation()
      return try await exclusively(needsViews: false) { try $0.takeOver(successor, progress) }
    } catch {
      try? await onOwnThread { _ in successor.discard() }
      throw error
    }
  }

  /// Builds the new views, compares them if requested, and catches up until few commits remain.
  ///
  /// Other tasks and processes can read and write in the meantime.
  private func fill(
    _ successor: ViewsSuccessor, comparing: Bool, _ cancellation: Cancellation,
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    let open = try openStore()
    if comparing {
      let view = try View(open)
      try successor.build(
        from: open.journal, besides: open.views, through: view.checkpoint, cancellation, progress)
      let meter = PhaseProgress(.comparison, progress)
      try compare(view, with: successor.target, &successor.report) {
        try cancellation.check()
        meter.at($0)
      }
    } else {
      let head = try open.journal.head()
      let checkpoint = Checkpoint(sequence: head.sequence, link: head.link)
      try successor.build(
        from: open.journal, besides: open.views, through: checkpoint, cancellation, progress)
    }
    options.trace?("rebuild built")
    for _ in 0..<EventStore.catchUpRoundCountMax {
      try cancellation.check()
      let journal = try openStore().journal
      let head = try journal.head()
      let reached = try successor.checkpoint().sequence
      // The first flush takes a long time, so it is reported as a phase of its own.
      PhaseProgress(.flush, progress).at(0)
      try successor.target.environment.flush()
      if head.sequence - min(reached, head.sequence) <= EventStore.lastRoundCommitCount { break }
      try successor.catchUp(with: journal, to: head, cancellation, progress)
    }
    options.trace?("rebuild caught up")
  }

  /// The maximum number of remaining commits that are applied while writers are blocked.
  static let lastRoundCommitCount: UInt64 = 100
  /// The maximum number of rounds of catching up while writers continue.
  static let catchUpRoundCountMax = 16

  /// Starts a background task that rebuilds the views and purges history, as requested.
  func workInBackground(building: Bool, purging: Bool) {
    let task = Task {
      do {
        if building { try await rebuild() }
        if purging { _ = try await purge() }
      } catch {
        options.trace?("work after opening failed: \(error)")
        throw error
      }
    }
    background.withLock { $0 = task }
  }
}

extension Writer {
  /// Applies the remaining commits, checks the new views, and makes them live.
  func takeOver(
    _ successor: ViewsSuccessor, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> RebuildReport {
    guard !isClosed else { throw closed }
    return try withLock {
      guard let lock = currentLock else { throw closed }
      try adoptCurrentGenerations()
      let head = try open.journal.head()
      try successor.catchUp(with: open.journal, to: head)
      if head.sequence > 0 { try successor.check(against: open.views, head) }
      carryForeign(to: successor.target)
      try successor.target.environment.flush()
      try flip(to: successor.target, lock)
      successor.end()
      PhaseProgress(.flush, progress).at(1)
      return RebuildReport(
        sequence: head.sequence, rowCount: successor.report.rowCount,
        findings: successor.report.findings)
    }
  }

  var closed: ProjectingError {
    ProjectingError(.closed, "The ledger at \(folder.path) is closed. Open it again.")
  }
}
