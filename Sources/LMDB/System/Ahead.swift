/// Work that another thread does while whoever wants its result does something else.
///
/// Where the other thread has not begun by the time it is wanted, whoever asks does it: nobody waits for a thread
/// that there may not be.
package final class Ahead<Result: Sendable>: Sendable {
  private let waiting: Lock<(@Sendable () -> Result)?>
  private let finished = Lock<Result?>(nil)
  private let thread = Lock<NativeThread?>(nil)

  /// Has another thread begin.
  package init(_ work: @escaping @Sendable () -> Result) {
    waiting = Lock(work)
    let started = NativeThread { self.begin() }
    thread.withLock { $0 = started }
  }

  deinit { thread.withLock { $0?.detach() } }

  /// Does it, if nobody has begun to; returns whether it did.
  @discardableResult
  private func begin() -> Bool {
    guard let work = waiting.withLock({ $0.take() }) else { return false }
    let result = work()
    finished.withLock { $0 = result }
    return true
  }

  /// Keeps it from being begun.
  package func drop() { waiting.withLock { $0 = nil } }

  /// What came of it: once, and not where it was dropped.
  package func wait() -> Result? {
    if !begin() { thread.withLock { $0.take() }?.join() }
    return finished.withLock { $0.take() }
  }
}
