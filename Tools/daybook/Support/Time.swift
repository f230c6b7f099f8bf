import Daybook

/// Times of the journal.
enum Time {
  /// A time as `2026-02-15T09:30:00`, UTC; what no clock says, as microseconds since 1970.
  static func text(_ microseconds: Int64) -> String {
    guard let text = Moment(microseconds: microseconds).text else { return "\(microseconds) µs" }
    return String(text.prefix(19))
  }
}
