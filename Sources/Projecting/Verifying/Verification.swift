internal import Entities
internal import Journal
internal import LMDB

/// What a verification found.
public struct VerificationReport: Sendable {
  /// Something that is not as history says.
  public struct Finding: Hashable, Sendable, Codable {
    /// What differs, where, and what to do about it.
    public let message: String
    /// The commit concerned, where it is known.
    public let sequence: UInt64?
  }

  /// How many commits were read and their chain recomputed.
  public var commitCount: UInt64 = 0
  /// How many rows of State and projections are equal to those that history gives.
  public var rowCount = 0
  /// What is wrong; empty where everything equals history.
  public var findings: [Finding] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { findings.isEmpty }
}

extension EventStore {
  /// Proves the views against history.
  ///
  /// Recomputes the chain, rebuilds all views from the journal next to the live ones, and compares them row by
  /// row. The rebuilt views are removed afterwards.
  ///
  /// Readers and writers go on in the meantime: the commit that was newest at the start is proven.
  /// Runs on the caller's thread and one more.
  ///
  /// The copy takes about as much room as the live views, in the folder of the store; where that can't be
  /// written, in the folder for temporary files. If it doesn't fit, this throws and the store is unchanged.
  ///
  /// - Parameter progress: Called now and then with the share that is done, 0 to 1.
  /// - Throws: ``ProjectingError`` with `limit` where there is no room for the copy, or where history is purged
  ///   faster than it can be checked; other errors where the check could not be done.
  /// - Complexity: O(commits + entities · log entities), in bounded memory.
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> VerificationReport {
    for _ in 0..<EventStore.verificationCountMax {
      let erasureCount = try openStore().journal.erasureCount()
      do {
        return try verifyOnce(progress)
      } catch {
        guard try isOvertaken(error, since: erasureCount) else { throw error }
      }
    }
    throw ProjectingError(
      .limit, "History is purged faster than it can be checked. Try again when there is less to do."
    )
  }

  /// So often a verification is begun at the most, where history is purged or erased in the meantime.
  private static let verificationCountMax = 8
  /// The share of the work that checking the journal takes.
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
            "The views are of an older version, so they are not compared with history. Open the ledger for "
            + "writing once, and they are rebuilt.", sequence: nil))
      return report
    }
    options.trace?("verify checked journal")
    do {
      try compareWithHistory(view, &report) {
        progress?(EventStore.journalShare + (1 - EventStore.journalShare) * $0)
      }
    } catch {
      // A damaged baseline explains why nothing could be built from it.
      guard !report.findings.isEmpty else { throw error }
    }
    return report
  }

  /// Rebuilds views as of the view's commit, compares, and removes them.
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
        from: view.open, through: view.checkpoint, Cancellation(), tell)
      options.trace?("verify built views")
      let meter = PhaseProgress(.comparison, tell)
      try compare(view, with: successor.target, &report) { meter.at($0) }
      meter.at(1)
    } catch let error where error.isAboutRoom {
      throw ProjectingError(
        .limit,
        "There is no room to verify: the views are rebuilt in “\(path)”, which takes about as much room as "
          + "the live ones. Make room and verify again; nothing has changed.", cause: error)
    }
  }

  /// Compares the baseline with its digest, and that with what the chain says of the last purge.
  private func checkBaseline(
    _ journal: JournalStore, _ view: borrowing View, _ report: inout VerificationReport
  ) throws {
    func find(_ message: String, _ sequence: UInt64? = nil) {
      report.findings.append(VerificationReport.Finding(message: message, sequence: sequence))
    }
    guard try journal.verifyBaseline() else {
      return find("The baseline is not what was purged into it: restore the ledger from a backup.")
    }
    guard let stored = try view.entity(PurgeRecord.kind, PurgeRecord.id) else { return }
    let record = try PurgeRecord(stored.record)
    let baseline = try journal.baseline()
    let floor = baseline.floor
    // A purge that was interrupted has gone further than the last record says.
    guard record.floor <= floor.sequence else {
      return find(
        "The last purge went to commit \(record.floor), but history begins after \(floor.sequence): "
          + "the journal was put together from others. Restore it from a backup.", floor.sequence)
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
  /// Whether there was no room on a disk.
  fileprivate var isAboutRoom: Bool {
    switch self {
    case let error as LMDBError: error.kind == .diskFull || error.kind == .mapFull
    case let error as JournalError: error.code == .diskFull
    case let error as ProjectingError: error.cause?.isAboutRoom ?? false
    default: false
    }
  }
}
