/// A month of a year.
public struct Month: RawRepresentable, Hashable, Sendable {
  /// The year times twelve, plus the month of the year counted from 0.
  public var rawValue: Int32

  /// Creates a month from its raw value, which is not checked.
  @inlinable
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Creates a month of a year.
  ///
  /// A `month` outside 1...12 rolls over into an earlier or later year. The result is clamped to
  /// the range of raw values.
  @inlinable
  public init(year: Int, month: Int) {
    rawValue = Int32(clamping: Int128(year) * 12 + Int128(month) - 1)
  }

  /// Parses a month in the form `yyyy-MM`, or returns `nil`.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 7, let first = Day(String(text) + "-01") else { return nil }
    self = first.monthOf
  }

  /// The year, and the month of the year (from 1).
  @inlinable
  public var components: (year: Int, month: Int) {
    let raw = Int(rawValue)
    let year = (raw >= 0 ? raw : raw - 11) / 12
    return (year, raw - year * 12 + 1)
  }

  /// The Gregorian year: 1 to 9999 for days that a ledger accepts.
  @inlinable
  public var year: Int { components.year }
  /// The month of the year, 1 to 12.
  @inlinable
  public var month: Int { components.month }

  /// The first day, clamped to the range of days.
  @inlinable
  public var first: Day {
    let (year, month) = components
    return Day(unchecked: year, month, 1)
  }

  /// The last day.
  @inlinable
  public var last: Day { adding(1).first.adding(days: -1) }

  /// The days of the month; empty if the month is outside the range of days.
  @inlinable
  public var days: Range<Day> { first..<adding(1).first }

  /// Returns the month `months` later, clamped to the range of raw values.
  @inlinable
  public func adding(_ months: Int) -> Month {
    let (sum, overflow) = Int(rawValue).addingReportingOverflow(months)
    return Month(
      rawValue: overflow ? (months < 0 ? Int32.min : Int32.max) : Int32(clamping: sum))
  }
}

extension Month: Comparable, Strideable {
  /// Orders months by time.
  @inlinable
  public static func < (left: Month, right: Month) -> Bool { left.rawValue < right.rawValue }

  /// Whether two months are the same.
  @inlinable
  public static func == (left: Month, right: Month) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the month's number.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The number of months from this one to `other`.
  @inlinable
  public func distance(to other: Month) -> Int { Int(other.rawValue) - Int(rawValue) }

  /// Returns the month `months` later.
  @inlinable
  public func advanced(by months: Int) -> Month { adding(months) }
}

extension Month: CustomStringConvertible {
  /// The text `yyyy-MM`.
  public var description: String {
    let (year, month) = components
    return "\(padded(year, 4))-\(padded(month, 2))"
  }
}
