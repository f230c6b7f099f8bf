internal import Projecting

extension Ledger {
  /// Proves that every figure follows from history: re-reads the journal, recomputes its chain, rebuilds all
  /// views next to the live ones and compares them row by row, and checks every entity against the rules of
  /// double entry and of references.
  ///
  /// Readers and writers go on in the meantime: the commit that was newest at the start is proven. The
  /// rebuilt views are removed afterwards. They take about as much room as the live ones, in the ledger's
  /// folder; in the folder for temporary files (`TMPDIR`) where the ledger can only be read. The report names
  /// the first difference of each table with the commit that changed the row last.
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
