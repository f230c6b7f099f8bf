internal import Projecting

extension Ledger {
  /// Verifies the whole ledger: the journal's hash chain, every row of the views, and the rules of
  /// double entry and references.
  ///
  /// The journal is read and its chain recomputed. The commits are then replayed, and the resulting
  /// rows compared with those of the views. Readers and writers continue; the commit that is newest
  /// at the start is verified. Rows are compared as sets, by keyed fingerprints, which miss a
  /// difference with a probability below 2⁻⁶⁰.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
  /// - Throws: ``DaybookError`` where the check itself cannot be done, with the code `full` where there is no
  ///   room for it; what it finds is in the report.
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
      try history.next().map { ", changed last by commit \($0.header.sequence)" }
      ?? " since before history was purged"
    return "The \(kind) \(fault.entity) \(fault.message)\(origin). Correct it, or restore a backup."
  }
}
