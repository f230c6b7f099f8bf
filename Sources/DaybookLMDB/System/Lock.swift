#if TSAN
  import DaybookPlatform
#else
  package import Synchronization
#endif

/// A value shared by threads and protected by a mutex.
///
/// This is a class around `Mutex`, so that it can be captured and passed around. With the
/// compilation condition `TSAN`, it uses a pthread mutex instead: `Mutex` uses a futex in a library
/// that ThreadSanitizer doesn't instrument, which causes false reports of races.
package final class Lock<Value>: Sendable {
  #if TSAN
    private let storage: PThreadLock<Value>

    /// Creates a lock that protects a value.
    package init(_ value: sending Value) {
      storage = PThreadLock(value)
    }

    /// Runs a closure with exclusive access to the value; the closure must not use the same lock.
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      try storage.withLock(body)
    }
  #else
    @usableFromInline
    package let storage: Mutex<Value>

    /// Creates a lock that protects a value.
    @inlinable
    package init(_ value: sending Value) {
      storage = Mutex(value)
    }

    /// Runs a closure with exclusive access to the value; the closure must not use the same lock.
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
  /// A pthread mutex and the value it protects.
  ///
  /// `@unchecked Sendable`: `value` is accessed only by `withLock`, between locking and unlocking.
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
