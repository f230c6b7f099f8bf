#if TSAN
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #endif
#else
  package import Synchronization
#endif

/// A value that several threads share, one at a time.
///
/// A class around `Mutex`, so that it can be captured and passed on. With the compilation condition
/// `TSAN` it is a pthread mutex instead: the futex of `Mutex` lies in a library that
/// ThreadSanitizer does not instrument, which makes it report races that are none.
package final class Lock<Value>: Sendable {
  #if TSAN
    private let storage: PThreadLock<Value>

    /// Guards a value.
    package init(_ value: sending Value) {
      storage = PThreadLock(value)
    }

    /// Runs a closure while no other thread is inside; it must not call back into the same lock.
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      try storage.withLock(body)
    }
  #else
    @usableFromInline
    package let storage: Mutex<Value>

    /// Guards a value.
    @inlinable
    package init(_ value: sending Value) {
      storage = Mutex(value)
    }

    /// Runs a closure while no other thread is inside; it must not call back into the same lock.
    @inlinable
    @inline(__always)
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      try storage.withLock(body)
    }
  #endif
}

#if TSAN
  /// A pthread mutex and the value it guards.
  ///
  /// `@unchecked Sendable`: `value` is touched by `withLock` alone, between locking and unlocking.
  private final class PThreadLock<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
      self.value = value
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#endif
