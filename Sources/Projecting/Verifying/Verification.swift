internal import Entities
internal import Journal
internal import LMDB

/// What a verification found.
public struct VerificationReport: Sendable {
  /// Something that is not as history says.
  public struct Finding: Hashable, Sendable, Codable {
    /// What differs, where, and what to do about it.
    public let message: String
    /// The commit concerned, where it can be told.
    public let sequence: UInt64?
  }

  /// How many commits were read and their chain recomputed.
  public var commitCount: UInt64 = 0
  /// How many rows of State and projections were compared.
  public var rowCount = 0
  /// How much of what was looked at, where only a sample was; empty where everything was.
  public var coverage: [VerificationCoverage] = []
  /// What is wrong; empty where everything that was looked at equals history.
  public var findings: [Finding] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { findings.isEmpty }
}

extension EventStore {
  /// Proves the views against history: recomputes the chain, replays the journal, has the rows of all
  /// projections again, and compares them with those that are there.
  ///
  /// They are compared as sets, by keyed fingerprints (see ``TableFingerprint``). Where these differ,
  /// everything is built again beside the live views and compared row by row, so that the first
  /// difference of each table can be named; this needs temporary room as large as the views.
  ///
  /// Readers and writers go on meanwhile: what is proven is the commit that was newest at the
  /// start. Runs on the caller's thread and one more.
  ///
  /// - Parameters:
  ///   - others: Further checks, which the threads share; each is called on either, once unless a purge
  ///     overtakes the check.
  ///   - progress: Called now and then with the share that is done, 0 to 1, and again from 0 on where
  ///     something differs and is looked for.
  /// - Complexity: O(commits + entities), in bounded memory.
  public func verify(
    with others: [@Sendable () throws -> Void] = [], progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> VerificationReport {
    for _ in 0..<EventStore.overtakingCountMax {
      do {
        return try verify(viewsOfOneCommit(), with: others, progress: progress)
      } catch is Overtaken {
        // Newer views hold what has been purged.
      }
    }
    throw ProjectingError(
      .limit, "History is purged faster than it can be checked. Try again when there is less to do."
    )
  }

  private static let overtakingCountMax = 8

  private func verify(
    _ views: [SampledViews], with others: [@Sendable () throws -> Void],
    progress: (@Sendable (Double) -> Void)?
  ) throws -> VerificationReport {
    let folder = try TemporaryFolder()
    let proof = try ViewsProof(
      views[0], in: folder, sharing: others, progress: { progress?($0) })
    let results = try proof.run(views)
    var report = VerificationReport()
    let journal = views[0].open.journal
    do {
      report.commitCount = try results.commitCount(of: journal)
      if let fault = results.seals { throw fault }
    } catch let error as JournalError {
      report.findings.append(
        VerificationReport.Finding(message: error.message, sequence: error.sequence))
      return report
    }
    try views[0].withView { try checkBaseline(journal, $0, &report) }
    if let fault = results.replay {
      // A baseline that is not what it was explains why nothing could be made of it.
      if !report.findings.isEmpty { return report }
      throw fault
    }
    if views[0].open.views.isOlder {
      report.findings.append(
        VerificationReport.Finding(
          message:
            "The views are of an older version, so they are not compared with history. Open the ledger for "
            + "writing once, and they are rebuilt.", sequence: nil))
      return report
    }
    if results.isEqual {
      for entry in try views[0].silent() { report.findings.append(.doesNotAnswer(entry.name)) }
      report.rowCount = results.rowCount
      return report
    }
    self.options.trace?("verify compares rows")
    let tell: @Sendable (RebuildProgress) -> Void = { progress?($0.overall) }
    let historic = try historicViews(
      at: views[0].checkpoint, journal, in: folder, views[0].answering().map(\.entry.type), tell)
    let meter = PhaseProgress(.comparison, tell)
    try compare(views, historic, &report) { meter.at($0) }
    if report.findings.isEmpty {
      report.findings.append(
        VerificationReport.Finding(
          message:
            "The views do not come to what history gives, though no row was found that differs. "
            + "Rebuild the views.", sequence: nil))
    }
    return report
  }

  /// Views of the newest commit for two threads; for one, where others keep writing in between.
  private func viewsOfOneCommit() throws -> [SampledViews] {
    let first = SampledViews(try view(), schema: schema)
    for _ in 0..<EventStore.secondViewAttemptCountMax {
      let second = SampledViews(try view(), schema: schema)
      if second.open === first.open, second.checkpoint == first.checkpoint {
        return [first, second]
      }
    }
    return [first]
  }

  private static let secondViewAttemptCountMax = 16

  /// State as of a commit in a store of its own, and the rows of projections as they are sorted.
  private func historicViews(
    at checkpoint: Checkpoint, _ journal: JournalStore, in folder: TemporaryFolder,
    _ projections: [any Projection.Type], _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> HistoricViews {
    let target = try ViewsStore(
      path: folder.path + "/views", generation: 0, folder: self.folder, projections: projections,
      options: options.environmentOptions(.deferred))
    let build = ViewsBuild(
      journal: journal, clusterTags: ClusterTags(schema), target: target, newerVersions: [],
      progress: progress)
    let early = OutcomeBox()
    let rest = try build.loader(through: checkpoint).feed { early.outcomes = $0 }
    return HistoricViews(store: target, fed: early.outcomes + rest)
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
