import Daybook
import Foundation

/// The moment that a page is of: after a commit, or at the end of a day (UTC).
enum Moment {
  /// The token of a moment.
  ///
  /// - Returns: `nil` where the text names none.
  static func token(_ text: String, in ledger: Ledger) throws -> Token? {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) {
      return try ledger.token(at: number)
    }
    let end: Int64
    if let day = Day(text) {
      end = (Int64(day.rawValue) + 1) * 86_400_000_000
    } else if text.hasSuffix("Z"), text.utf8.count <= 40,
      let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(
        text)
    {
      end = Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) + 1
    } else {
      return nil
    }
    var filter = HistoryFilter()
    filter.until = end
    var cursor = try ledger.history(before: nil, matching: filter).cursor()
    return try cursor.next()?.token ?? ledger.token(at: 0)
  }
}
