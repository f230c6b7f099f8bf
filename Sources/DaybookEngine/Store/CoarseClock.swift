internal import DaybookPlatform

/// Returns the milliseconds of a clock that never goes back.
///
/// Its resolution is a few milliseconds, and reading it costs almost nothing.
func coarseMilliseconds() -> UInt64 {
  var time = timespec()
  #if canImport(Darwin)
    unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
  #else
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  #endif
  return UInt64(truncatingIfNeeded: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
}
