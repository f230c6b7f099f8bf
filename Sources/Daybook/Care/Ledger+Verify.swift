internal import Projecting
internal import Synchronization

extension Ledger {
  /// Re-reads the journal, recomputes its chain, replays it, has every row of the views again and
  /// compares it with the one that is there; and holds every entity against the rules of double entry
  /// and of references.
  ///
  /// Readers and writers go on meanwhile; what is proven is the commit that was newest at the
  /// start. Rows are compared as sets, by keyed fingerprints: that they differ unnoticed has a chance
  /// below 2⁻⁶⁰. Where something differs, everything is built beside the live views and compared row by
  /// row, which needs temporary room as large as the views, and what differs is named with the commit
  /// that brought it.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1, and from 0 on
  ///   again where something differs and is looked for.
  /// - Throws: ``DaybookError`` where the check itself cannot be done; what it finds is in the
  ///   report.
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

  /// Does what ``verify(progress:)`` does for a part that is chosen by chance, in bounded time.
  ///
  /// For a check by the clock of a ledger that is too large to be proven whole each time: another part
  /// each time. ``VerifyReport/coverage`` says how much was looked at; what is not in the sample is not,
  /// and with a share below 1 neither are the baseline's digest and index rows that belong to no entity.
  ///
  /// - Parameters:
  ///   - sample: How much, how long, and the seed of the choice.
  ///   - progress: Called now and then with the part that is done, from 0 to 1.
  /// - Throws: ``DaybookError`` where the check itself cannot be done; what it finds is in the
  ///   report.
  /// - Complexity: No more than the time given, and little more than the sample's share of a full
  ///   verification.
  @concurrent
  public func verify(
    sample: VerificationSample, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(DaybookError) -> VerifyReport {
    do {
      // The rules are the last of six parts.
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

  /// The first entity that breaks a rule, and the commit that changed it last, as a sentence.
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
