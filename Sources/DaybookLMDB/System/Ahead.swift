import DaybookPlatform

/// Work that another thread does while the caller does something else.
///
/// If the other thread has not started when the result is needed, the caller does the work itself.
/// A caller therefore never waits for a thread that couldn't be created.
package final class Ahead<Result: Sendable>: Sendable {
  private let waiting: Lock<(@Sendable () -> Result)?>
  private let finished = Lock<Result?>(nil)
  private let thread = Lock<NativeThread?>(nil)

  /// Starts another thread that does the work.
  package init(_ work: @escaping @Sendable () -> Result) {
    waiting = Lock(work)
    let started = NativeThread { self.begin() }
    thread.withLock { $0 = started }
  }

  deinit { thread.withLock { $0?.detach() } }

  /// Does the work unless it has already begun, and returns whether it did the work.
  @discardableResult
  private func begin() -> Bool {
    guard let work = waiting.withLock({ $0.take() }) else { return false }
    let result = work()
    finished.withLock { $0 = result }
    return true
  }

  /// Prevents the work from starting.
  package func drop() { waiting.withLock { $0 = nil } }

  /// Waits for the result and returns it once; returns `nil` after that, and if the work was
  /// dropped.
  package func wait() -> Result? {
    if !begin() { thread.withLock { $0.take() }?.join() }
    return finished.withLock { $0.take() }
  }
}
