/// Returns the time of a clock that never goes back, almost for free.
///
/// Its resolution is a few milliseconds.
package func coarseTime() -> timespec {
  var time = timespec()
  #if canImport(Darwin)
    clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
  #else
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  #endif
  return time
}

/// Initialises a condition for ``timedWait(_:_:nanoseconds:)``.
package func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
  var attributes = pthread_condattr_t()
  pthread_condattr_init(&attributes)
  #if !canImport(Darwin)
    // With a monotonic clock, setting the wall clock back doesn't lengthen a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
  #endif
  pthread_cond_init(condition, &attributes)
  pthread_condattr_destroy(&attributes)
}

/// Waits for a condition, up to a maximum time; the caller must hold the mutex.
///
/// - Returns: `false` if the time has elapsed.
package func timedWait(
  _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
  nanoseconds: UInt64
) -> Bool {
  var span = timespec()
  span.tv_sec = Int(nanoseconds / 1_000_000_000)
  span.tv_nsec = Int(nanoseconds % 1_000_000_000)
  #if canImport(Darwin)
    return pthread_cond_timedwait_relative_np(condition, mutex, &span) != ETIMEDOUT
  #else
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    span.tv_sec += now.tv_sec
    span.tv_nsec += now.tv_nsec
    if span.tv_nsec >= 1_000_000_000 {
      span.tv_sec += 1
      span.tv_nsec -= 1_000_000_000
    }
    return pthread_cond_timedwait(condition, mutex, &span) != ETIMEDOUT
  #endif
}
