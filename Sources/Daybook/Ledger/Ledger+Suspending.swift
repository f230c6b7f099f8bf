public import DaybookEngine

extension Ledger {
  /// Completes pending appends, closes all files and releases all locks until ``resume()``.
  ///
  /// iOS terminates an app that is suspended while it locks a file in a shared container, so call
  /// this method when the scene moves to the background, and ``resume()`` when it becomes active.
  /// In the meantime, other processes, such as extensions, can use the ledger.
  ///
  /// While the ledger is suspended, ``read(_:)`` and the other synchronous calls throw the code
  /// `suspended`, because waiting would block the thread. Asynchronous calls, such as `append`, do
  /// what `calls` says. Observers, pagers, windows and sync wait, and continue after that.
  ///
  /// Suspending a suspended ledger only replaces `calls`. A suspended ledger can be closed.
  ///
  /// - Throws: ``DaybookError`` with the codes `notReady` if reads, such as a backup, are still in
  ///   progress after a second, `full` or `system` if the files couldn't be flushed, or `closed`.
  ///   The ledger then stays usable. If reads are in progress and the files can't be opened again,
  ///   the codes of ``resume()``; the ledger is then suspended.
  /// - Complexity: O(unflushed pages).
  public func suspend(_ calls: SuspendedCalls = .fail) async throws(DaybookError) {
    do { try await store.suspend(calls) } catch { throw .wrapping(error) }
  }

  /// Opens the files of a suspended ledger again; does nothing if it isn't suspended.
  ///
  /// - Throws: ``DaybookError`` with the codes of ``open(at:options:)``, in which case the ledger
  ///   stays suspended; `closed`.
  /// - Complexity: As ``open(at:options:)``.
  public func resume() async throws(DaybookError) {
    do { try await store.resume() } catch { throw .wrapping(error) }
  }

  /// Whether the ledger is suspended.
  public var isSuspended: Bool { store.isSuspended }
}
