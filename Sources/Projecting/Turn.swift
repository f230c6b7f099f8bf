#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Whose turn it is with something that two threads use.
///
/// Who takes it while having it is refused, where a `Mutex` would end the process: code of applications may ask
/// a question within a question.
///
/// Unchecked `Sendable`: the pointer is set once, and what it points to is for threads to share.
final class Turn: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Does something when it is this thread's turn.
  ///
  /// - Throws: `ProjectingError` where it is already.
  @inline(__always)
  func take<R>(_ body: () throws -> R) throws -> R {
    guard unsafe pthread_mutex_lock(mutex) == 0 else {
      throw ProjectingError(
        .closed,
        "A question was asked within the closure of another one. Gather first, then look up.")
    }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
