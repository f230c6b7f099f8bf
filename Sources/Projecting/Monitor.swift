#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A lock, and a condition for which its holders wait: what threads hand over between them is touched with it.
///
/// Unchecked `Sendable`: the pointers are set once, and what they point to is for threads to share.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(condition)
    unsafe mutex.deallocate()
    unsafe condition.deallocate()
  }

  /// Does something that no other thread is to see half done.
  func locked<R>(_ body: () -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets others have the lock until something has changed; the caller has it, before and after.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// The same, for so many seconds at the most.
  ///
  /// - Returns: false where they have passed.
  func wait(seconds: Int) -> Bool {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += seconds
    return unsafe pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  /// Wakes one that waits; without the lock, so that it does not wake up only to wait for it.
  func wakeOne() { unsafe pthread_cond_signal(condition) }

  /// Wakes all that wait; see ``wakeOne()``.
  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
