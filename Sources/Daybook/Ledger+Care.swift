extension Ledger {
  /// Re-reads the journal, recomputes its chain, replays it into views of its own and compares
  /// every row.
  ///
  /// Readers and writers go on meanwhile; what is proven is the commit that was newest at the
  /// start. Needs temporary room as large as the views.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
  /// - Throws: ``DaybookError`` where the check itself cannot be done; what it finds is in the
  ///   report.
  /// - Complexity: O(history).
  @concurrent
  public func verify(progress: (@Sendable (Double) -> Void)? = nil) async throws(DaybookError)
    -> VerifyReport
  {
    do {
      let report = try store.verify { progress?($0.overall) }
      return VerifyReport(
        commitCount: report.commitCount, rowCount: UInt64(report.rowCount),
        findings: report.findings.map(\.message))
    } catch {
      throw .wrapping(error)
    }
  }

  /// Makes all views anew from the journal and puts them in place of the old ones in one step.
  ///
  /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
  /// - Complexity: O(history).
  public func rebuild(progress: (@Sendable (Double) -> Void)? = nil) async throws(DaybookError) {
    do {
      try await store.rebuild { progress?($0.overall) }
    } catch {
      throw .wrapping(error)
    }
  }
}

extension RebuildProgress {
  /// The part of the whole that is done, State and projections each counting half.
  var overall: Double {
    switch phase {
    case .state: fraction / 2
    default: 0.5 + fraction / 2
    }
  }
}

extension Ledger {
  /// Makes a consistent copy of the ledger, as of now, in a new folder.
  ///
  /// Readers and writers go on meanwhile. The copy has the journal alone; its views are built when
  /// it is opened. Copying an open ledger's folder by other means gives no consistent copy.
  ///
  /// - Parameter path: Where the copy is to be: nothing, or an empty folder.
  /// - Throws: ``DaybookError`` with the codes `foreign` where something is there already, `full` or
  ///   `system`.
  /// - Complexity: O(history).
  @concurrent
  public func backup(to path: String) async throws(DaybookError) {
    do { try store.backup(to: path) } catch { throw .wrapping(error) }
  }

  /// Makes a ledger of a backup in a new folder; open it afterwards.
  ///
  /// The chain of the backup is verified first. The restored ledger begins a new lineage, so that
  /// tokens from after the backup are recognised as no longer valid.
  ///
  /// - Parameters:
  ///   - backup: The folder of a backup, or of a ledger that nobody has open.
  ///   - path: Where the ledger is to be: nothing, or an empty folder.
  /// - Throws: ``DaybookError`` with the codes `missing`, `foreign`, `damaged`, `newerFormat`,
  ///   `full` or `system`.
  /// - Complexity: O(history).
  @concurrent
  public static func restore(from backup: String, to path: String) async throws(DaybookError) {
    do {
      try EventStore.restore(from: backup, to: path, schema: schema)
    } catch {
      throw .wrapping(error)
    }
  }
}
