internal import Projecting
internal import Synchronization

extension Ledger {
  /// Verifies the whole ledger: the journal's hash chain, every row of the views, and the rules of
  /// double entry and references.
  ///
  /// The journal is read and its chain recomputed. The commits are then replayed, and the resulting
  /// rows compared with those of the views. Readers and writers continue; the commit that is newest
  /// at the start is verified. Rows are compared as sets, by keyed fingerprints, which miss a
  /// difference with a probability below 2⁻⁶⁰.
  ///
  /// If something differs, the views are rebuilt next to the live ones and compared row by row,
  /// which temporarily needs as much space as the views. Each difference is reported with the
  /// commit that caused it.
  ///
  /// - Parameter progress: Called occasionally with the completed fraction, from 0 to 1, and again
  ///   from 0 if differences are being located.
  /// - Throws: ``DaybookError`` if the verification can't be done; its findings are in the report.
  /// - Complexity: O(history).
  @concurrent
  public func verify(progress: (@Sendable (Double) -> Void)? = nil) async throws(DaybookError)
    -> VerifyReport
  {
    do {
      let broken = Mutex<String?>(nil)
      let report = try store.verify(
        with: [
          {
            let fault = try self.rules(nil, until: Deadline(seconds: nil)).fault
            broken.withLock { $0 = fault }
          }
        ], progress: progress)
      var told = VerifyReport(report)
      if let fault = broken.withLock({ $0 }) { told.findings.append(fault) }
      return told
    } catch {
      throw .wrapping(error)
    }
  }

  /// Verifies a random sample of the ledger, in bounded time.
  ///
  /// Use it for scheduled checks of a ledger that is too large to be verified completely each time;
  /// each seed selects another sample. ``VerifyReport/coverage`` says how much was checked. With a
  /// share below 1, the baseline's digest and index rows that belong to no entity aren't checked.
  ///
  /// - Parameters:
  ///   - sample: The share, the time limit and the seed.
  ///   - progress: Called occasionally with the completed fraction, from 0 to 1.
  /// - Throws: ``DaybookError`` if the verification can't be done; its findings are in the report.
  /// - Complexity: At most the given time, and little more than the sample's share of a full
  ///   verification.
  @concurrent
  public func verify(
    sample: VerificationSample, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(DaybookError) -> VerifyReport {
    do {
      // The rules get the last sixth of the time.
      let deadline = Deadline(seconds: sample.seconds)
      var part = sample
      part.seconds = sample.seconds.map { $0 * 5 / 6 }
      let report = try store.verify(sample: part) { progress?($0 * 5 / 6) }
      var told = VerifyReport(report)
      let (fault, coverage) = try rules(sample, until: deadline)
      if let fault { told.findings.append(fault) }
      told.coverage.append(coverage)
      return told
    } catch {
      throw .wrapping(error)
    }
  }

  /// Returns the first violation of a rule, with the commit that last changed the entity, as a
  /// sentence.
  private func rules(
    _ sample: VerificationSample?, until deadline: Deadline
  ) throws -> (fault: String?, VerificationCoverage) {
    var invariants = try Invariants(
      Snapshot(try store.view(), cache: cache), sample, isShared: try store.isShared,
      until: deadline)
    try invariants.run()
    guard let fault = invariants.fault else { return (nil, invariants.coverage) }
    let kind = Ledger.schema[fault.kind]?.name ?? "entity"
    var filter = HistoryFilter()
    filter.kinds = [fault.kind]
    filter.entities = [fault.entity]
    var history = try store.history(before: nil, matching: filter).cursor()
    let origin =
      try history.next().map { ", changed last by commit \($0.header.sequence)" }
      ?? " since before history was purged"
    return (
      "The \(kind) \(fault.entity) \(fault.message)\(origin). Correct it, or restore a backup.",
      invariants.coverage
    )
  }
}

extension VerifyReport {
  init(_ report: VerificationReport) {
    self.init(
      commitCount: report.commitCount, rowCount: UInt64(report.rowCount),
      findings: report.findings.map(\.message))
    coverage = report.coverage
  }
}
