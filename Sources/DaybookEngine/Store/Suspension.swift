internal import DaybookLMDB

/// What asynchronous calls do while a store is suspended.
public enum SuspendedCalls: Hashable, Sendable {
  /// They throw an error with the code `suspended`.
  case fail
  /// They wait until the store is resumed or closed.
  case wait
}

/// Whether a store is suspended, and the tasks that wait until it is resumed.
final class Suspension: Sendable {
  private let calls = Lock<SuspendedCalls?>(nil)
  private let resumption = Bell()

  /// What calls do while the store is suspended, or `nil` if it isn't.
  var current: SuspendedCalls? { calls.withLock { $0 } }

  func begin(_ calls: SuspendedCalls) { self.calls.withLock { $0 = calls } }

  /// Wakes all waiting tasks.
  func end() {
    calls.withLock { $0 = nil }
    resumption.ring(at: nil)
  }

  /// Ends all present and future waits, because the store is closed.
  func close() { resumption.close() }

  /// Waits until the store isn't suspended.
  ///
  /// - Returns: `false` if the store was closed or the task was cancelled.
  func wait() async -> Bool {
    while true {
      let count = resumption.count
      if current == nil { return true }
      if await !resumption.wait(after: count) { return false }
    }
  }
}
