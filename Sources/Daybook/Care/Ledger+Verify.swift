internal import DaybookEngine

extension Ledger {
  /// Verifies the whole ledger: the journal's hash chain, every row of the views, and the rules of
  /// double entry and references.
  ///
  /// The journal is read and its chain recomputed. Then all views are rebuilt from it next to the
  /// live ones and compared with them row by row. Readers and writers continue; the commit that is
  /// newest at the start is verified. The copy takes about as much disk space as the views while the
  /// check runs: in the ledger's folder, or in a temporary folder if the ledger can't be written.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
  /// - Throws: ``DaybookError`` if the check can't be done, with the code `full` if the copy doesn't
  ///   fit. Differences are in the report.
  /// - Complexity: O(history), in bounded memory.
  @concurrent
  public func verify(
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(DaybookError) -> VerifyReport {
    do {
      let report = try store.verify { progress?($0 * 0.95) }
      let fault = try brokenRule()
      progress?(1)
      return VerifyReport(
        commitCount: report.commitCount, rowCount: UInt64(report.rowCount),
        findings: report.findings.map(\.message) + (fault.map { [$0] } ?? []))
    } catch {
      throw .wrapping(error)
    }
  }

  /// The first entity that breaks a rule, and the commit that changed it last, as a sentence.
  private func brokenRule() throws -> String? {
    var invariants = try Invariants(
      Snapshot(try store.view(), cache: cache), isShared: try store.isShared)
    try invariants.run()
    guard let fault = invariants.fault else { return nil }
    let kind = Ledger.schema[fault.kind]?.name ?? "entity"
    var filter = HistoryFilter()
    filter.kinds = [fault.kind]
    filter.entities = [fault.entity]
    var history = try store.history(before: nil, matching: filter).cursor()
    let origin =
      try history.next().map { ", last changed by commit \($0.header.sequence)" }
      ?? " since before history was purged"
    return "The \(kind) \(fault.entity) \(fault.message)\(origin). Correct it, or restore a backup."
  }
}
