internal import Journal
internal import LMDB

/// Wakes those who wait for the next commit.
///
/// Nothing is queued for anybody: a ring says only that there is something new, and whoever is awake
/// looks by itself. So the one who rings never waits for the one who listens.
final class Bell: Sendable {
  private struct State {
    var count: UInt64 = 0
    var checkpoint: Checkpoint?
    var isClosed = false
    var nextID: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state = Lock(State())

  /// How often it has been rung: to be asked *before* looking for what is new.
  var count: UInt64 { state.withLock { $0.count } }

  /// How many wait.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Rings for a commit, unless it has just been rung for; without one it always rings.
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

  /// Sends everybody home, now and later.
  func close() {
    let waiters = state.withLock { state -> [UInt64: CheckedContinuation<Bool, Never>] in
      state.isClosed = true
      let waiters = state.waiters
      state.waiters = [:]
      return waiters
    }
    for waiter in waiters.values { waiter.resume(returning: false) }
  }

  /// Waits until it has been rung more often than `count` times.
  ///
  /// - Returns: false where the bell was closed, or the task cancelled.
  func wait(after count: UInt64) async -> Bool {
    let id = state.withLock { state -> UInt64 in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Bool? in
          // Asked within the lock, so that a cancellation is either seen here or finds the waiter.
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
