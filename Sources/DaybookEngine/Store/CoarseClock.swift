internal import DaybookPlatform

/// Returns the milliseconds of a clock that never goes back.
///
/// Its resolution is a few milliseconds, and reading it costs almost nothing.
func coarseMilliseconds() -> UInt64 {
  let time = coarseTime()
  return UInt64(truncatingIfNeeded: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
}
