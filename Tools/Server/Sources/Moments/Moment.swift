public import Daybook
import Foundation

/// A moment in a ledger's history, in the form used in URLs.
public enum Moment: Hashable, Sendable {
  /// The moment after the commit with this number.
  case commit(UInt64)
  /// The moment after the last commit before an instant, in microseconds since 1970 (UTC).
  case before(Int64)
  /// The moment after the last commit of a day (UTC).
  case endOf(Day)

  /// Parses a commit's number, a day, or an instant such as `2026-02-15T09:30:00Z`.
  ///
  /// A day means the end of the day in UTC.
  ///
  /// Returns `nil` for any other text.
  public init?(_ text: String) {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) {
      self = .commit(number)
    } else if let day = Day(text) {
      self = .endOf(day)
    } else if text.utf8.count >= 20, text.utf8.count <= 40, text.hasSuffix("Z"),
      let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(
        text)
    {
      self = .before(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) + 1)
    } else {
      return nil
    }
  }

  /// Returns the token of the moment's commit.
  ///
  /// - Throws: `DaybookError` with the codes `invalidToken`, `expiredToken`, `closed` or `system`.
  public func token(in ledger: Ledger) throws(DaybookError) -> Token {
    switch self {
    case .commit(let sequence): return try ledger.token(at: sequence)
    case .before(let instant): return try Self.token(before: instant, in: ledger)
    case .endOf(let day):
      return try Self.token(before: (Int64(day.rawValue) + 1) * 86_400_000_000, in: ledger)
    }
  }

  private static func token(
    before instant: Int64, in ledger: Ledger
  ) throws(DaybookError) -> Token {
    var filter = HistoryFilter()
    filter.until = instant
    filter.changeCountMax = 0
    var cursor = try ledger.history(before: nil, matching: filter).cursor()
    if let entry = try cursor.next() { return entry.token }
    return try ledger.token(at: 0)
  }

  /// Returns the day that counts as today when the ledger is shown as of this moment.
  ///
  /// For ``endOf(_:)``, it is that day; otherwise, it is the local day of the instant or commit.
  /// The day never changes, so a page as of this moment always looks the same. The local time zone
  /// is used because the current day is also local.
  ///
  /// - Throws: The same errors as ``token(in:)``.
  public func day(in ledger: Ledger) throws(DaybookError) -> Day {
    switch self {
    case .endOf(let day): return day
    case .before(let instant): return .local(at: instant - 1)
    case .commit(let sequence):
      var filter = HistoryFilter()
      filter.changeCountMax = 0
      var cursor = try ledger.history(before: ledger.token(at: sequence), matching: filter).cursor()
      return try cursor.next().map { .local(at: $0.header.wallMicroseconds) } ?? .min
    }
  }
}

extension Day {
  /// Returns the day of an instant in the local time zone, as computed by the C library.
  ///
  /// - Parameter instant: Microseconds since 1970.
  public static func local(at instant: Int64) -> Day {
    var seconds = time_t((Double(instant) / 1_000_000).rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Day(
      year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
      ?? .min
  }
}
