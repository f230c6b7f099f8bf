internal import DaybookEngine
import DaybookProjections

extension Ledger {
  /// Checks every page of a ledger's files without mapping them, for use before opening the ledger.
  ///
  /// Opening damaged files can crash the process instead of throwing an error. This check always
  /// completes, whatever the files contain. Files that pass can be opened; ``verify(progress:)``
  /// then checks their contents.
  ///
  /// - Returns: The problems and how to fix them; empty if there are none.
  /// - Throws: ``DaybookError`` with the codes `missing`, `foreign`, `damaged`, `newerFormat` or
  ///   `system`.
  /// - Complexity: O(pages).
  @concurrent
  public static func examine(at path: String) async throws(DaybookError) -> [String] {
    do { return try EventStore.examine(at: path).map(\.message) } catch { throw .wrapping(error) }
  }

  /// Rebuilds all views from the journal next to the live views, and then replaces the live views
  /// in one step.
  ///
  /// Readers and writers continue during the rebuild. If the task is cancelled or the process is
  /// killed, the old views stay in place; the next open deletes the unfinished views. Projections
  /// of apps that this process hasn't registered are marked as behind. The app that registers them
  /// rebuilds them when it next opens the ledger.
  ///
  /// - Parameters:
  ///   - comparing: Whether to compare the old views with the new ones row by row, and report the
  ///     differences. The new views are used in any case, because they were built from history.
  ///   - progress: Called occasionally, on a thread of the ledger.
  /// - Throws: ``DaybookError`` with the codes `cancelled`, `readOnly`, `closed`, `damaged`, `full`
  ///   or `system`; the old views then stay in place.
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

  /// Rebuilds all views of a ledger from its journal, and replaces the old views without reading
  /// them.
  ///
  /// Use this method if a ledger's views are damaged; it also works if the ledger can't be opened
  /// because of them. Other processes can keep reading and writing. This process must not have the
  /// ledger open.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - options: As for ``open(at:options:)``; a missing ledger isn't created.
  ///   - comparing: Whether to compare the old views with the new ones row by row first, and report
  ///     the differences. Damaged views aren't compared; their damage is reported.
  ///   - progress: Called occasionally, on a separate thread.
  /// - Throws: ``DaybookError`` with the codes `missing`, `alreadyOpen`, `foreign`, `damaged` (if
  ///   the journal is damaged), `readOnly`, `newerFormat`, `cancelled`, `full` or `system`; the old
  ///   views then stay in place.
  /// - Complexity: O(history).
  @concurrent
  @discardableResult
  public static func rebuild(
    at path: String, options: Options = Options(), comparing: Bool = false,
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws(DaybookError) -> RebuildReport {
    try await translated {
      try await EventStore.rebuild(
        at: path, schema: schema, projections: options.registered, options: options.engine,
        comparing: comparing, progress: progress)
    }
  }

  /// Discards all stored budget figures and computes them again from the daily totals.
  ///
  /// This method is meant for operators. It should never be needed, because every commit updates
  /// the figures and `verify` checks them. During the call, writers wait, and budget queries throw
  /// `notReady`.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `closed`, `damaged`, `full` or `system`.
  /// - Complexity: O(days × categories with rows + budgets).
  public func invalidateBudgets() async throws(DaybookError) {
    do { try await store.invalidate([Budgets.self]) } catch { throw .wrapping(error) }
    cache.budgets.forget()
  }

  /// Copies the journal without its free pages, and replaces the live journal in one step.
  ///
  /// Compaction returns the space that purging freed to the file system. Readers and writers
  /// continue during the compaction, and query results don't change. If the task is cancelled, the
  /// old journal stays in place. If the process is killed, either the old or the new journal is
  /// live, and it is complete.
  ///
  /// - Parameter progress: Called occasionally, on threads of the ledger.
  /// - Throws: ``DaybookError`` with the codes `cancelled`, `readOnly`, `closed`, `damaged`, `full`
  ///   or `system`, or with `notReady` if history is purged during the compaction; the old journal
  ///   then stays in place.
  /// - Complexity: O(history), plus disk space for the new journal.
  @discardableResult
  public func compact(
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws(DaybookError) -> CompactionReport {
    do { return try await store.compact(progress: progress) } catch { throw .wrapping(error) }
  }
}

extension Ledger {
  /// Creates a consistent copy of the ledger's current state in a new folder.
  ///
  /// Readers and writers continue during the backup. The copy contains only the journal and never
  /// changes: it can be opened only for reading, with views in a temporary folder. Use
  /// ``restore(from:to:)`` to create a ledger from it. Copying the folder of an open ledger in any
  /// other way doesn't produce a consistent copy.
  ///
  /// - Parameter path: The destination, which must be an empty folder or not exist.
  /// - Throws: ``DaybookError`` with the codes `foreign` if the destination isn't empty, `nested`
  ///   if it is inside the ledger's folder, `full` or `system`.
  /// - Complexity: O(history).
  @concurrent
  public func backup(to path: String) async throws(DaybookError) {
    do { try store.backup(to: path) } catch { throw .wrapping(error) }
  }

  /// Copies the ledger to a folder from which other processes read it without locks, such as an
  /// app's widgets and extensions.
  ///
  /// The copy contains the journal and the views, so opening it rebuilds nothing. Open it like a
  /// ledger; it is read-only. Copying to the same folder again replaces the copy: its readers see
  /// the old one or the new one, and switch to the new one with their next read. If nothing has
  /// changed since, nothing is copied.
  ///
  /// Reads continue during the copy, and appends wait for it. While this method runs, the copy's
  /// folder is locked, so an app must let it finish before it is suspended.
  ///
  /// - Parameter path: The destination: an earlier copy of this ledger, an empty folder, or one to
  ///   create.
  /// - Returns: Whether anything was copied.
  /// - Throws: ``DaybookError`` with the codes `foreign` if the destination contains anything else,
  ///   `nested` if it is inside the ledger's folder, `readOnly`, `suspended`, `closed`, `damaged`,
  ///   `full` or `system`.
  /// - Complexity: O(ledger).
  @discardableResult
  public func snapshotCopy(to path: String) async throws(DaybookError) -> Bool {
    do { return try await store.snapshotCopy(to: path) } catch { throw .wrapping(error) }
  }

  /// Creates a ledger in a new folder from a backup, without opening it.
  ///
  /// The backup's hash chain is verified first. The restored ledger has a new lineage, so that
  /// tokens issued after the backup are recognised as invalid.
  ///
  /// - Parameters:
  ///   - backup: The folder of a backup, or of a ledger that no process has open.
  ///   - path: The destination, which must be an empty folder or not exist.
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
