internal import DaybookJournal
internal import DaybookLMDB
internal import DaybookPlatform
internal import Synchronization

/// The result of a compaction.
public struct CompactionReport: Hashable, Sendable, Codable {
  /// The newest commit at the time when the new journal became live.
  public var sequence: UInt64
  /// The number of bytes in the pages of the old journal, including free pages.
  public var byteCountBefore: UInt64
  /// The number of bytes in the pages of the new journal.
  public var byteCountAfter: UInt64
}

extension EventStore {
  /// Copies the journal without its free pages, and switches to the copy in one step.
  ///
  /// Purging history frees pages but does not shrink the file. Compaction shrinks it, while readers
  /// and writers in all processes continue:
  ///
  /// 1. A separate thread makes the copy, reads it back, and compares it row by row with the
  ///    journal.
  /// 2. Commits appended during the copy are added in rounds. Only the last, short round blocks
  ///    writers.
  /// 3. The space of the old journal is returned when the last reader of the old journal ends.
  ///
  /// Views, tokens and the store's identity do not change. If the task is cancelled, compaction
  /// stops and the old journal stays live; LMDB's own copy of the file is finished first. If the
  /// process is killed, either journal may be live, and the next open deletes the other one.
  ///
  /// The copy needs as much space as the journal's used pages until compaction ends.
  ///
  /// - Parameter progress: Called repeatedly, on threads of the store.
  /// - Throws: `CancellationError`; `JournalError` with `diskFull`, `storage` or `brokenChain`,
  ///   after which the old journal stays live; ``ProjectingError`` with `readOnly` or `closed`, or
  ///   with `notReady` if history was purged during every attempt.
  /// - Complexity: O(bytes in use).
  @discardableResult
  public func compact(
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws -> CompactionReport {
    guard !options.isReadOnly else { throw readOnly }
    for _ in 0..<EventStore.copyCountMax {
      let erasureCount = try openStore().journal.erasureCount()
      do {
        return try await compactOnce(progress)
      } catch {
        guard try isOvertaken(error, since: erasureCount) else { throw error }
        options.trace?("compaction begins again")
      }
    }
    throw ProjectingError(
      .notReady,
      "The journal of \(path) was purged or replaced while it was copied, "
        + "\(EventStore.copyCountMax) times. Compact again when that is done.")
  }

  /// The maximum number of copies that one compaction attempts.
  static let copyCountMax = 5

  /// Returns whether an error means that the copy must be started again.
  ///
  /// An erasure removes text from every file, so it can make any step of a compaction fail.
  func isOvertaken(_ error: any Error, since erasureCount: Int) throws -> Bool {
    if error is Overtaken { return true }
    // Commits were purged before the copy had read them.
    if let error = error as? JournalError {
      if case .token(.expired) = error.code { return true }
      if error.code == .missingCommit, let sequence = error.sequence,
        sequence <= (try openStore().journal.floor().sequence)
      {
        return true
      }
    }
    if error is CancellationError { return false }
    return try openStore().journal.erasureCount() != erasureCount
  }

  private func compactOnce(
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) async throws -> CompactionReport {
    let successor = try await onOwnThread { try self.makeCopy($0, progress) }
    do {
      try Task.checkCancellation()
      let report = try await exclusively { try $0.takeOver(successor) }
      PhaseProgress(.flush, progress).at(1)
      return report
    } catch {
      let folder = self.folder
      _ = try? await onOwnThread { _ in folder.discard(successor) }
      throw error
    }
  }

  /// Copies the journal, compares the copy with it, and adds new commits until few are missing.
  private func makeCopy(
    _ cancellation: Cancellation, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> JournalSuccessor {
    let (generation, building) = try folder.reserve(.journal)
    var copied: JournalStore?
    do {
      options.trace?("compaction reserved")
      let source = try openStore().journal
      let before = try source.byteCount
      try copy(source, generation, progress)
      options.trace?("compaction copied")
      let proof = PhaseProgress(.proof, unitCount: Double(before), progress)
      let opened = try source.openCopy(
        as: generation.number,
        mapByteCount: options.mapByteCount ?? EnvironmentOptions.mapByteCountDefault
      ) {
        try cancellation.check()
        proof.at($0)
      }
      guard let target = opened else { throw Overtaken() }
      proof.at(1)
      copied = target
      let tail = try JournalTail(from: source, to: target)
      for _ in 0..<EventStore.catchUpRoundCountMax {
        try cancellation.check()
        let count = try tail.missingCount()
        if count <= EventStore.lastRoundCommitCount { break }
        let reached = try target.head().sequence
        let meter = PhaseProgress(.catchUp, unitCount: Double(count), progress)
        let isOf = try tail.copy {
          try cancellation.check()
          meter.at(min(Double($0 - reached) / Double(count), 1))
        }
        guard isOf else { throw Overtaken() }
      }
      options.trace?("compaction caught up")
      return JournalSuccessor(
        generation: generation, tail: tail, byteCountBefore: before, building: building)
    } catch {
      try? copied?.close()
      folder.discard(generation, building)
      throw error
    }
  }

  /// Copies the journal, while another thread watches the size of the copy and reports the
  /// progress.
  private func copy(
    _ source: JournalStore, _ generation: Generation,
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws {
    guard let progress else { return try source.copyCompacted(as: generation.number) }
    let total = Double(try source.byteCount)
    let meter = PhaseProgress(.copy, unitCount: total, progress)
    let path = folder.journalPath(generation.number) + "/data.mdb"
    let isDone = Lock(false)
    try runInParallel([
      {
        defer { isDone.withLock { $0 = true } }
        try source.copyCompacted(as: generation.number)
      },
      {
        while !isDone.withLock({ $0 }) {
          var status = stat()
          if unsafe stat(path, &status) == 0 { meter.at(min(Double(status.st_size) / total, 1)) }
          usleep(50_000)
        }
      },
    ])
  }
}

extension StoreFolder {
  /// Deletes a copy of the journal that has not become live.
  func discard(_ successor: JournalSuccessor) {
    guard !isLive(successor.generation) else { return }
    // A copy that a reader uses cannot be closed, but its folder can be deleted.
    try? successor.tail.target.close()
    discard(successor.generation, successor.building)
  }
}
