internal import Journal
internal import LMDB
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What a compaction gave back.
public struct CompactionReport: Hashable, Sendable, Codable {
  /// The newest commit when the new journal went live.
  public var sequence: UInt64
  /// The bytes that the pages of the old journal took up, free ones too.
  public var byteCountBefore: UInt64
  /// The bytes that the pages of the new journal take up.
  public var byteCountAfter: UInt64
}

extension EventStore {
  /// Makes a journal without free pages, beside the live one, and switches to it in one step.
  ///
  /// Pages become free when history is purged; the file does not shrink by itself. Readers and
  /// writers of this and other processes go on meanwhile: the copy is made on a thread of its own,
  /// read back and compared with the journal row by row, then what was appended meanwhile is brought in, in rounds, and only
  /// the last short one holds writers up. The room comes back when the last reader of the old
  /// journal has gone. Views, tokens and identity stay. A cancelled task ends it (though not within
  /// LMDB's copy), and the old journal stays; a killed process leaves either of the two live, and
  /// the next open removes the other.
  ///
  /// Needs temporary room for the pages in use.
  ///
  /// - Parameter progress: called now and then, on threads of the store's.
  /// - Throws: `CancellationError`; `JournalError` with `diskFull`, `storage` or `brokenChain`:
  ///   the old journal then stays; ``ProjectingError`` with `readOnly`, `closed`, or
  ///   with `notReady` where history is purged all the time.
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

  /// So many copies are begun before a compaction gives up.
  static let copyCountMax = 5

  /// Whether something that was being built has to be begun again: an erasure removes whatever has the
  /// text, so that any step may fail.
  func isOvertaken(_ error: any Error, since erasureCount: Int) throws -> Bool {
    if error is Overtaken { return true }
    // Commits that were still to be read have been purged.
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

  /// Copies the journal, proves the copy, and brings it up until there is little left.
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

  /// Copies while another thread watches how the file grows.
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
  /// Removes a copy of the journal that has not become live.
  func discard(_ successor: JournalSuccessor) {
    guard !isLive(successor.generation) else { return }
    // A copy that a reader still has open cannot be closed; its folder can be removed all the same.
    try? successor.tail.target.close()
    discard(successor.generation, successor.building)
  }
}
