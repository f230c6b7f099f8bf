internal import DaybookPlatform

/// A lock with condition variables, which protects state that threads share.
///
/// Unchecked `Sendable`: the pointers never change, and their targets may be used by any thread.
final class Monitor: @unchecked Sendable {
  /// An event that threads wait for; signaling it wakes only threads that wait for it.
  enum Event: Int {
    /// There is work to do.
    case work = 0
    /// Some work has been done.
    case progress = 1
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe initializeCondition(conditions)
    unsafe initializeCondition(conditions + 1)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(conditions)
    unsafe pthread_cond_destroy(conditions + 1)
    unsafe mutex.deallocate()
    unsafe conditions.deallocate()
  }

  /// Runs `body` with the lock held.
  func locked<R>(_ body: () throws -> R) rethrows -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Releases the lock, waits for an event, and acquires the lock again.
  ///
  /// The caller must hold the lock.
  func wait(for event: Event) {
    unsafe pthread_cond_wait(conditions + event.rawValue, mutex)
  }

  /// Waits for an event, up to a maximum time; the caller must hold the lock.
  ///
  /// - Returns: `false` if the time has elapsed.
  func wait(for event: Event, nanoseconds: UInt64) -> Bool {
    unsafe timedWait(conditions + event.rawValue, mutex, nanoseconds: nanoseconds)
  }

  /// Wakes one thread that waits for an event.
  ///
  /// Call it without holding the lock; otherwise the thread wakes up only to wait for the lock.
  func wakeOne(_ event: Event) { unsafe pthread_cond_signal(conditions + event.rawValue) }

  /// Wakes all threads that wait for an event; see ``wakeOne(_:)``.
  func wakeAll(_ event: Event) { unsafe pthread_cond_broadcast(conditions + event.rawValue) }
}

/// Returns the nanoseconds of a clock that never goes back.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
    &+ UInt64(truncatingIfNeeded: time.tv_nsec)
}
