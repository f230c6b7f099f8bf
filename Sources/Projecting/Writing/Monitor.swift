#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A lock, and what its holders wait for: what threads share is touched with it.
///
/// Unchecked `Sendable`: the pointers are set once, and what they point to is for threads to share.
final class Monitor: @unchecked Sendable {
  /// What is waited for: each wakes only those who wait for it.
  enum Event: Int {
    /// There is something to do.
    case work = 0
    /// Something has been done.
    case progress = 1
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      // A wall clock that is set back must not make a short wait a long one.
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

  /// Does something that no other thread is to see half done.
  func locked<R>(_ body: () throws -> R) rethrows -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Lets others have the lock until something has happened; the caller has it, before and after.
  func wait(for event: Event) {
    unsafe pthread_cond_wait(conditions + event.rawValue, mutex)
  }

  /// The same, for so many nanoseconds at the most.
  ///
  /// - Returns: false where they have passed.
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

  /// Wakes one that waits; without the lock, so that it does not wake up only to wait for it.
  func wakeOne(_ event: Event) { unsafe pthread_cond_signal(conditions + event.rawValue) }

  /// Wakes all that wait; see ``wakeOne(_:)``.
  func wakeAll(_ event: Event) { unsafe pthread_cond_broadcast(conditions + event.rawValue) }
}

/// Nanoseconds of a clock that never goes back.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
    &+ UInt64(truncatingIfNeeded: time.tv_nsec)
}
