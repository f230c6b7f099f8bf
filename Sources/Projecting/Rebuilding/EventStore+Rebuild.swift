internal import Entities
internal import Journal
internal import LMDB

/// What a rebuild made, and what it found.
public struct RebuildReport: Hashable, Sendable, Codable {
  /// The newest commit that the new views held when they went live.
  public var sequence: UInt64 = 0
  /// How many rows of the old views were compared with the new ones; 0 where that was not asked.
  public var rowCount = 0
  /// What was different in the old views; the new ones were taken all the same, since they come
  /// from history.
  public var findings: [VerificationReport.Finding] = []
}

extension EventStore {
  /// Builds all views anew from the journal, beside the live ones, and switches to them in one step.
  ///
  /// Readers and writers of this and other processes go on meanwhile: the work is done on a thread of
  /// its own from the journal as of its beginning, then what was appended meanwhile is brought in, in
  /// rounds, and only the last short one holds writers up. A cancelled task ends it, and the
  /// old views stay; a killed process leaves an unfinished generation that the next open removes.
  ///
  /// The new views have the projections of this process. Those that only other programs keep, or
  /// keep in a newer version, are marked as behind; their owners build them when they open next.
  ///
  /// - Parameters:
  ///   - comparing: compares the old views with the new ones, row by row, as of one commit.
  ///   - progress: called now and then, on a thread of the store's.
  /// - Throws: `CancellationError`; ``ProjectingError``, `JournalError` or `LMDBError` where the new
  ///   views could not be built: the old ones then stay.
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

  /// So often a rebuild is begun at the most, where history is purged or erased meanwhile.
  static let rebuildCountMax = 3

  /// Discards the tables of some projections, and of those derived from them, and builds them anew from
  /// State, in place.
  ///
  /// For operators: it is never needed while the law of projections holds, and brings back one that was
  /// quarantined when its cause is gone. Unlike ``rebuild(comparing:progress:)`` it holds writers up, and
  /// queries of these projections say meanwhile that they are behind. What is not registered, or kept in
  /// a newer version by another program, is left alone.
  ///
  /// - Throws: ``ProjectingError`` or `LMDBError` where they could not be built.
  /// - Complexity: O(entities); for derived projections O(rows of their sources).
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

  /// Builds, compares, and catches up until there is little left, while others read and write.
  private func fill(
    _ successor: ViewsSuccessor, comparing: Bool, _ cancellation: Cancellation,
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    let open = try openStore()
    if comparing {
      let view = try View(open)
      try successor.build(from: open, through: view.checkpoint, cancellation, progress)
      let meter = PhaseProgress(.comparison, progress)
      try compare(view, with: successor.target, &successor.report) {
        try cancellation.check()
        meter.at($0)
      }
    } else {
      let head = try open.journal.head()
      let checkpoint = Checkpoint(sequence: head.sequence, link: head.link)
      try successor.build(from: open, through: checkpoint, cancellation, progress)
    }
    options.trace?("rebuild built")
    for _ in 0..<EventStore.catchUpRoundCountMax {
      try cancellation.check()
      let journal = try openStore().journal
      let head = try journal.head()
      let reached = try successor.checkpoint().sequence
      // The first flush is the long one.
      PhaseProgress(.flush, progress).at(0)
      try successor.target.environment.flush()
      if head.sequence - min(reached, head.sequence) <= EventStore.lastRoundCommitCount { break }
      try successor.catchUp(with: journal, to: head, cancellation, progress)
    }
    options.trace?("rebuild caught up")
  }

  /// With so few commits left the writers are held up for the rest.
  static let lastRoundCommitCount: UInt64 = 100
  /// So often what was appended meanwhile is brought in while writers go on.
  static let catchUpRoundCountMax = 16

  /// Rebuilds, for projections that do not answer yet, and purges, while the store is in use.
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
  /// Brings in what is left, proves the new views and makes them live.
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
