internal import DaybookJournal
internal import DaybookLMDB

/// Notifies tasks in this process of new commits.
///
/// Nothing is queued: a notification says only that there is a new commit, and each notified task
/// reads the commit itself. The sender therefore never waits for a task.
final class Bell: Sendable {
  private struct State {
    var count: UInt64 = 0
    var checkpoint: Checkpoint?
    var isClosed = false
    var nextID: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state = Lock(State())

  /// The number of notifications so far; read it *before* checking for new commits.
  var count: UInt64 { state.withLock { $0.count } }

  /// The number of waiting tasks.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Notifies all waiting tasks of a commit.
  ///
  /// Does nothing if the last notification was for the same commit. Passing `nil` always notifies.
  func ring(at checkpoint: Checkpoint?) {
    let waiters = state.withLock { state -> [UInt64: CheckedContinuation<Bool, Never>] in
      if let checkpoint, checkpoint == state.checkpoint { return [:] }
      state.checkpoint = checkpoint
      state.count &+= 1
      let waiters = state.waiters
      state.waiters = [:]
      return waiters
    }
    for waiter in waiters.values { waiter.resume(returning: true) }
  }

  /// Ends all present and future waits.
  func close() {
    let waiters = state.withLock { state -> [UInt64: CheckedContinuation<Bool, Never>] in
      state.isClosed = true
      let waiters = state.waiters
      state.waiters = [:]
      return waiters
    }
    for waiter in waiters.values { waiter.resume(returning: false) }
  }

  /// Waits until there have been more than `count` notifications.
  ///
  /// - Returns: `false` if the notifier was closed or the task was cancelled.
  func wait(after count: UInt64) async -> Bool {
    let id = state.withLock { state -> UInt64 in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          // The check is made with the lock held, so a cancellation is either seen here or finds
          // the waiter.
          if state.isClosed || Task.isCancelled { return false }
          if state.count != count { return true }
          state.waiters[id] = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(returning: false)
    }
  }
}
