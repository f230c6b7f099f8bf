internal import Entities
internal import Journal
internal import LMDB

/// What a verification found.
public struct VerificationReport: Sendable {
  /// Something that is not as history says.
  public struct Finding: Hashable, Sendable {
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
  /// Proves the views against history: recomputes the chain, builds everything again beside the
  /// live views from the journal alone, and compares row by row.
  ///
  /// Readers and writers go on meanwhile: what is proven is the commit that was newest at the
  /// start. Needs temporary room as large as the views. Runs on the caller's thread.
  ///
  /// - Complexity: O(commits + entities · log entities), in bounded memory.
  public func verify(
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) throws -> VerificationReport {
    var report = VerificationReport()
    let open = try openStore()
    let view = try View(open)
    let folder = try TemporaryFolder()
    let answering = types.filter { (try? view.tables(of: $0)) != nil }
    let (chain, target) = try read(
      open.journal, through: view.token, in: folder, projections: answering, progress)
    switch chain {
    case .success(let chain): report.commitCount = chain.commitCount
    case .failure(let error as JournalError):
      report.findings.append(
        VerificationReport.Finding(message: error.message, sequence: error.sequence))
      return report
    case .failure(let error): throw error
    }
    try checkBaseline(open.journal, view, &report)
    // A baseline that is not what it was explains why nothing could be built of it.
    if !report.findings.isEmpty, (try? target.get()) == nil { return report }
    let rebuilt = try target.get()
    let meter = PhaseProgress(.comparison, progress)
    try compare(view, open.views, rebuilt, &report) { meter.at($0) }
    return report
  }

  /// Computes the chain and builds the views at the same time: both read the whole journal.
  ///
  /// What each comes to is told apart, since a broken chain explains what else goes wrong.
  private func read(
    _ journal: JournalStore, through token: Token, in folder: TemporaryFolder,
    projections: [any Projection.Type], _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> (chain: Result<ChainReport, any Error>, views: Result<ViewsStore, any Error>) {
    let chain = Lock<Result<ChainReport, any Error>?>(nil)
    let views = Lock<Result<ViewsStore, any Error>?>(nil)
    try runInParallel([
      { [self] in
        let built = Result {
          try builtViews(
            through: token, in: folder, projections: projections, progress: progress)
        }
        views.withLock { $0 = built }
      },
      {
        let verified = Result {
          let report = try journal.verifyChain()
          try journal.verifySeals()
          return report
        }
        chain.withLock { $0 = verified }
      },
    ])
    guard let chain = chain.withLock({ $0 }), let views = views.withLock({ $0 }) else {
      throw ProjectingError(.limit, "The check could not be run. Try again.")
    }
    return (chain, views)
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
