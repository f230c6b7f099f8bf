internal import DaybookPlatform

/// A lock with condition variables, for state that threads share.
///
/// Unchecked `Sendable`: the pointers never change, and their targets may be used by any thread.
final class Monitor: @unchecked Sendable {
  /// An event that threads wait for; signaling an event wakes only its own waiters.
  enum Event: Int {
    /// There is work to do.
    case work = 0
    /// Some work is done.
    case progress = 1
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      // A monotonic clock is used, so that setting the wall clock back doesn't lengthen a wait.
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    unsafe pthread_cond_init(conditions, &attributes)
    unsafe pthread_cond_init(conditions + 1, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
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
    var span = timespec()
    span.tv_sec = Int(nanoseconds / 1_000_000_000)
    span.tv_nsec = Int(nanoseconds % 1_000_000_000)
    let condition = unsafe conditions + event.rawValue
    #if canImport(Darwin)
      return unsafe pthread_cond_timedwait_relative_np(condition, mutex, &span) != ETIMEDOUT
    #else
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      span.tv_sec += now.tv_sec
      span.tv_nsec += now.tv_nsec
      if span.tv_nsec >= 1_000_000_000 {
        span.tv_sec += 1
        span.tv_nsec -= 1_000_000_000
      }
      return unsafe pthread_cond_timedwait(condition, mutex, &span) != ETIMEDOUT
    #endif
  }

  /// Wakes one thread that waits for an event.
  ///
  /// Call it without holding the lock; otherwise, the woken thread immediately has to wait for the
  /// lock.
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
