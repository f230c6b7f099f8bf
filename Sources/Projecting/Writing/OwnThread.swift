internal import Synchronization

/// Says that a long piece of work shall stop; may be asked and told on any thread.
package final class Cancellation: Sendable {
  private let isCancelled = Atomic<Bool>(false)

  /// Nothing is to stop yet.
  package init() {}

  /// Has the next `check` throw.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` where the work shall stop.
  package func check() throws {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }
}

/// Does long, blocking work on a thread of its own and returns what it made.
///
/// Neither the writer nor the cooperative threads wait meanwhile. When the caller's task is
/// cancelled, the work is told by its cancellation and ends at the next check.
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
