internal import Synchronization

/// A flag that stops long work; it can be set and checked on any thread.
package final class Cancellation: Sendable {
  private let isCancelled = Atomic<Bool>(false)

  /// Creates a flag that is not set.
  package init() {}

  /// Sets the flag, so that the next `check` throws.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` if the flag is set.
  package func check() throws {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }
}

/// Runs long, blocking work on a new thread and returns its result.
///
/// The work blocks neither the writer nor the cooperative thread pool. If the caller's task is
/// cancelled, the `Cancellation` is set, and the work ends at its next check.
func onOwnThread<Result: Sendable>(
  _ body: @escaping @Sendable (Cancellation) throws -> Result
) async throws -> Result {
  let cancellation = Cancellation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try startThread { continuation.resume(with: Swift.Result { try body(cancellation) }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
}
