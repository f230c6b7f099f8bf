public import Daybook
import Foundation

/// A moment of a ledger, as an address says it.
public enum Moment: Hashable, Sendable {
  /// After a commit, by its number.
  case commit(UInt64)
  /// After the last commit before an instant, in microseconds since 1970 (UTC).
  case before(Int64)

  /// A commit's number, a day (its end, UTC), or an instant such as `2026-02-15T09:30:00Z`; `nil` where it is
  /// none of these.
  public init?(_ text: String) {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) {
      self = .commit(number)
    } else if let day = Day(text) {
      self = .before((Int64(day.rawValue) + 1) * 86_400_000_000)
    } else if text.utf8.count >= 20, text.utf8.count <= 40, text.hasSuffix("Z"),
      let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(
        text)
    {
      self = .before(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) + 1)
    } else {
      return nil
    }
  }

  /// The token of its commit.
  ///
  /// - Throws: `DaybookError` with the codes `invalidToken`, `expiredToken`, `closed` or `system`.
  public func token(in ledger: Ledger) throws(DaybookError) -> Token {
    switch self {
    case .commit(let sequence): return try ledger.token(at: sequence)
    case .before(let instant):
      var filter = HistoryFilter()
      filter.until = instant
      filter.changeCountMax = 0
      var cursor = try ledger.history(before: nil, matching: filter).cursor()
      if let entry = try cursor.next() { return entry.token }
      return try ledger.token(at: 0)
    }
  }
}
