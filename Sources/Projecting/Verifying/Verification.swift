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
    let views = try viewsOfOneCommit()
    let folder = try TemporaryFolder()
    let journal = views[0].open.journal
    let (chain, historic) = try read(journal, views[0], in: folder, progress)
    switch chain {
    case .success(let chain): report.commitCount = chain.commitCount
    case .failure(let error as JournalError):
      report.findings.append(
        VerificationReport.Finding(message: error.message, sequence: error.sequence))
      return report
    case .failure(let error): throw error
    }
    try views[0].withView { try checkBaseline(journal, $0, &report) }
    // A baseline that is not what it was explains why nothing could be built of it.
    if !report.findings.isEmpty, (try? historic.get()) == nil { return report }
    let meter = PhaseProgress(.comparison, progress)
    try compare(views, historic.get(), &report) { meter.at($0) }
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

  /// Computes the chain, and what history gives, at the same time: both read the whole journal.
  ///
  /// What each comes to is told apart, since a broken chain explains what else goes wrong.
  private func read(
    _ journal: JournalStore, _ views: SampledViews, in folder: TemporaryFolder,
    _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> (chain: Result<ChainReport, any Error>, historic: Result<HistoricViews, any Error>) {
    let answering = try views.answering().map(\.entry.type)
    let checkpoint = views.checkpoint
    let chain = Lock<Result<ChainReport, any Error>?>(nil)
    let historic = HistoricSlot()
    try runInParallel([
      { [self] in
        historic.result = Result {
          try historicViews(at: checkpoint, journal, in: folder, answering, progress)
        }
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
    guard let chain = chain.withLock({ $0 }), let result = historic.result else {
      throw ProjectingError(.limit, "The check could not be run. Try again.")
    }
    return (chain, result)
  }

  /// Brings what history gives from the thread that builds it.
  ///
  /// Unchecked `Sendable`: written by one thread, and read when that has ended.
  private final class HistoricSlot: @unchecked Sendable {
    var result: Result<HistoricViews, any Error>?
  }

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
    try build.loadState(through: checkpoint)
    let fed = try build.projectionLoader(through: checkpoint).feed()
    return HistoricViews(store: target, fed: fed)
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
