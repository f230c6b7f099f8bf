import Daybook

/// Times of the journal.
enum Time {
  /// A time as `2026-02-15T09:30:00`, UTC.
  static func text(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let day = Day(rawValue: Int32(clamping: seconds / 86_400))
    let rest = Int(seconds % 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day)T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
  }
}
