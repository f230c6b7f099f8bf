internal import DaybookEngine

extension Ledger {
  /// Verifies the journal's hash chain, every row of the views, and the rules of double entry and
  /// references.
  ///
  /// The ledger reads the journal and recomputes its chain. It then rebuilds all views from the
  /// journal next to the live ones, and compares the rebuilt views with the live views row by row.
  /// Readers and writers continue; the ledger is verified as of the newest commit at the start.
  /// During the check, the rebuilt views take about as much disk space as the live views. They are
  /// created in the ledger's folder, or in a temporary folder if the ledger is read-only.
  ///
  /// - Parameter progress: Called occasionally with the completed fraction, from 0 to 1.
  /// - Throws: ``DaybookError`` if the check can't be completed, with the code `full` if there
  ///   isn't enough space. Differences are reported, not thrown.
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

  /// Returns a sentence about the first entity that breaks a rule and the last commit that changed
  /// it.
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
