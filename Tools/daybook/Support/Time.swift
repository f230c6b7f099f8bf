import Daybook

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Times of the journal.
enum Time {
  /// This machine's clock, in microseconds since 1970.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// A time as `2026-02-15T09:30:00`, UTC; what no clock says, as microseconds since 1970.
  static func text(_ microseconds: Int64) -> String {
    guard let text = Moment(microseconds: microseconds).text else { return "\(microseconds) µs" }
    return String(text.prefix(19))
  }
}
