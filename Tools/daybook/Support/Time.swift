import Daybook
import DaybookPlatform

/// Formatting of times in the journal.
enum Time {
  /// The system clock's time in microseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Returns a time in UTC, such as `2026-02-15T09:30:00`, or the microseconds since 1970 if the
  /// time is out of range.
  static func text(_ microseconds: Int64) -> String {
    guard let text = Moment(microseconds: microseconds).text else { return "\(microseconds) µs" }
    return String(text.prefix(19))
  }
}
