import Budgets
internal import Projecting

extension Ledger {
  /// Looks at every page of a ledger's files, before it is opened and without mapping them.
  ///
  /// Whoever opens damaged files may be ended by the operating system instead of getting an error. This
  /// comes to an end whatever they hold; what passes can be opened, and ``verify(progress:)`` then proves
  /// what is in it.
  ///
  /// - Returns: What is wrong, and what to do about it; nothing where all is sound.
  /// - Throws: ``DaybookError`` with the codes `missing`, `foreign`, `damaged`, `newerFormat` or `system`.
  /// - Complexity: O(pages).
  @concurrent
  public static func examine(at path: String) async throws(DaybookError) -> [String] {
    do { return try EventStore.examine(at: path).map(\.message) } catch { throw .wrapping(error) }
  }

  /// Makes all views anew from the journal, beside the live ones, and puts them in place of these in
  /// one step.
  ///
  /// Readers and writers go on meanwhile. A cancelled task leaves the old views; a killed process
  /// too, and what it had begun is removed when the ledger is opened next. An app's own projections that
  /// this process did not register are marked as behind; their owner builds them when it opens the
  /// ledger next.
  ///
  /// - Parameters:
  ///   - comparing: Compares the old views with the new ones, row by row, and reports what differs;
  ///     the new ones are taken all the same, since they come from history.
  ///   - progress: Called now and then, on a thread of the ledger's.
  /// - Throws: ``DaybookError`` with the codes `cancelled`, `readOnly`, `closed`, `damaged`, `full`
  ///   or `system`; the old views then stay.
  /// - Complexity: O(history).
  @discardableResult
  public func rebuild(
    comparing: Bool = false, progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws(DaybookError) -> RebuildReport {
    do {
      return try await store.rebuild(comparing: comparing, progress: progress)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Discards what is kept for budgets, and sums it anew from the totals of days.
  ///
  /// For operators: it is never needed, as what is kept follows every commit, and `verify` proves it.
  /// Writers wait meanwhile, and budgets answer that they are not ready.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `closed`, `damaged`, `full` or `system`.
  /// - Complexity: O(days × categories that have rows), and O(budgets).
  public func invalidateBudgets() async throws(DaybookError) {
    do { try await store.invalidate([Budgets.self]) } catch { throw .wrapping(error) }
    cache.budgets.forget()
  }

  /// Makes the journal anew without free pages, beside the live one, and puts it in place of that in
  /// one step: what purging has freed is given back to the file system.
  ///
  /// Readers and writers go on meanwhile. Nothing that can be asked changes. A cancelled task leaves
  /// the old journal; a killed process leaves either of the two, whole.
  ///
  /// - Parameter progress: Called now and then, on threads of the ledger's.
  /// - Throws: ``DaybookError`` with the codes `cancelled`, `readOnly`, `closed`, `notReady` where
  ///   history is purged meanwhile, `damaged`, `full` or `system`; the old journal then stays.
  /// - Complexity: O(history), and room for it beside the old journal.
  @discardableResult
  public func compact(
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws(DaybookError) -> CompactionReport {
    do { return try await store.compact(progress: progress) } catch { throw .wrapping(error) }
  }
}

extension Ledger {
  /// Makes a consistent copy of the ledger, as of now, in a new folder.
  ///
  /// Readers and writers go on meanwhile. The copy has the journal alone, and stays as it is: it is opened for
  /// reading only, with views in a temporary folder; ``restore(from:to:)`` makes a ledger of it. Copying an open ledger's folder by other means gives no consistent copy.
  ///
  /// - Parameter path: Where the copy is to be: nothing, or an empty folder.
  /// - Throws: ``DaybookError`` with the codes `foreign` where something is there already, `nested` where it
  ///   lies in the ledger's own folder, `full` or `system`.
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
  /// - Throws: ``DaybookError`` with the codes `missing`, `foreign`, `nested`, `damaged`,
  ///   `newerFormat`, `full` or `system`.
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
