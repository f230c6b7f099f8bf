internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The result of a verification.
public struct VerificationReport: Sendable {
  /// A problem, such as a difference between the views and history.
  public struct Finding: Hashable, Sendable, Codable {
    /// A description of the problem and of the steps to fix it.
    public let message: String
    /// The commit that the problem concerns, if known.
    public let sequence: UInt64?
  }

  /// The number of commits that were read and whose links were recomputed.
  public var commitCount: UInt64 = 0
  /// The number of rows of State and projections that are equal to the rebuilt rows.
  public var rowCount = 0
  /// The problems found; empty if the views equal the rebuilt views and the journal is sound.
  public var findings: [Finding] = []

  /// Whether no problems were found.
  public var isSound: Bool { findings.isEmpty }
}

extension EventStore {
  /// Verifies the views against the journal.
  ///
  /// This method recomputes the journal's chain, rebuilds all views from the journal next to the
  /// live ones, and compares them row by row. The rebuilt views are deleted afterward.
  ///
  /// Readers and writers are not blocked; the views are verified as of the newest commit at the
  /// start. The work runs on the caller's thread and one other thread.
  ///
  /// The rebuilt views take about as much space as the live ones. They are in the store's folder,
  /// or in the folder for temporary files if the store is read-only or ephemeral. If there isn't
  /// enough space, this method throws, and the store is unchanged.
  ///
  /// - Parameter progress: Called periodically with the completed fraction, from 0 to 1.
  /// - Throws: ``ProjectingError`` with `limit` if there isn't enough space, or if history is
  ///   purged faster than it can be verified; other errors if the verification couldn't be
  ///   completed.
  /// - Complexity: O(commits + entities · log entities), in bounded memory.
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> VerificationReport {
    for _ in 0..<EventStore.verificationCountMax {
      let erasureCount = try openStore().journal.erasureCount()
      do {
        var report = try verifyOnce(progress)
        if let loss = published.open?.loss {
          let message = ProjectingError(loss).message
          report.findings.insert(.init(message: message, sequence: nil), at: 0)
        }
        return report
      } catch {
        guard try isOvertaken(error, since: erasureCount) else { throw error }
      }
    }
    throw ProjectingError(
      .limit,
      "History is purged faster than it can be checked. Try again when the ledger is less busy."
    )
  }

  /// The maximum number of attempts, because history may be purged or erased during a verification.
  private static let verificationCountMax = 8
  /// The fraction of the overall progress that checking the journal accounts for.
  private static let journalShare = 0.2

  private func verifyOnce(
    _ progress: (@Sendable (Double) -> Void)?
  ) throws -> VerificationReport {
    let view = try view()
    let journal = view.open.journal
    var report = VerificationReport()
    do {
      report.commitCount = try journal.verifyChain { sequence, last in
        progress?(EventStore.journalShare * Double(sequence) / Double(max(last, 1)))
        return true
      }.commitCount
      try journal.verifySeals()
    } catch let error as JournalError {
      report.findings.append(.init(message: error.message, sequence: error.sequence))
      return report
    }
    try checkBaseline(journal, view, &report)
    if view.open.views.isOlder {
      report.findings.append(
        .init(
          message:
            "The views have an older version, so they are not compared with history. Open the "
            + "ledger for writing once, and they are rebuilt.", sequence: nil))
      return report
    }
    options.trace?("verify checked journal")
    do {
      try compareWithHistory(view, &report) {
        progress?(EventStore.journalShare + (1 - EventStore.journalShare) * $0)
      }
    } catch {
      // A damaged baseline may be why the views couldn't be built, so it is reported instead.
      guard !report.findings.isEmpty else { throw error }
    }
    return report
  }

  /// Rebuilds the views as of the live view's commit, compares the two, and deletes the rebuilt
  /// views.
  private func compareWithHistory(
    _ view: borrowing View, _ report: inout VerificationReport,
    _ progress: @escaping @Sendable (Double) -> Void
  ) throws {
    let tell: @Sendable (RebuildProgress) -> Void = { progress($0.overall) }
    var path = folder.path
    do {
      let isInLedger = !options.isReadOnly && !options.isEphemeral
      let successor =
        try isInLedger
        ? ViewsSuccessor(folder, schema: schema, types: types, options: options)
        : ViewsSuccessor(temporaryFor: folder, schema: schema, types: types, options: options)
      defer { successor.discard() }
      path = successor.target.path
      try successor.build(
        from: view.open.journal, besides: view.open.views, through: view.checkpoint,
        Cancellation(), tell)
      options.trace?("verify built views")
      let meter = PhaseProgress(.comparison, tell)
      try compare(view, with: successor.target, &report) { meter.at($0) }
      meter.at(1)
    } catch let error where error.isAboutRoom {
      throw ProjectingError(
        .limit,
        "There is no space to verify: the views are rebuilt in “\(path)”, which takes about as "
          + "much space as the live ones. Free some space and verify again. Nothing has changed.",
        cause: error)
    }
  }

  /// Checks the baseline against its digest, and the digest against the record of the last purge.
  private func checkBaseline(
    _ journal: JournalStore, _ view: borrowing View, _ report: inout VerificationReport
  ) throws {
    func find(_ message: String, _ sequence: UInt64? = nil) {
      report.findings.append(VerificationReport.Finding(message: message, sequence: sequence))
    }
    guard try journal.verifyBaseline() else {
      return find(
        "The baseline doesn't match the purged commits: restore the ledger from a backup.")
    }
    guard let stored = try view.entity(PurgeRecord.kind, PurgeRecord.id) else { return }
    let record = try PurgeRecord(stored.record)
    let baseline = try journal.baseline()
    let floor = baseline.floor
    // After an interrupted purge, more commits may be deleted than the last record says.
    guard record.floor <= floor.sequence else {
      return find(
        "The last purge went to commit \(record.floor), but history begins after \(floor.sequence): "
          + "the journal was assembled from others. Restore it from a backup.", floor.sequence)
    }
    guard record.floor == floor.sequence, baseline.isWhole else { return }
    guard record.link == floor.link, record.digest == baseline.digest else {
      return find(
        "The baseline is not the one that the last purge recorded: restore the ledger from a backup.",
        floor.sequence)
    }
  }
}

extension Error {
  /// Whether the error reports a full disk or a full LMDB map.
  fileprivate var isAboutRoom: Bool {
    switch self {
    case let error as LMDBError: error.kind == .diskFull || error.kind == .mapFull
    case let error as JournalError: error.code == .diskFull
    case let error as ProjectingError: error.cause?.isAboutRoom ?? false
    default: false
    }
  }
}
