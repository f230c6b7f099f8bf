/// A month of a year.
public struct Month: RawRepresentable, Hashable, Sendable {
  /// The year times twelve, plus the month of the year counted from 0.
  public var rawValue: Int32

  /// A month by its raw value, unchecked.
  @inlinable
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// A month of a year; a `month` beyond 1 to 12 counts on into the years around, and at the ends of the
  /// raw values it stays there.
  @inlinable
  public init(year: Int, month: Int) {
    rawValue = Int32(clamping: Int128(year) * 12 + Int128(month) - 1)
  }

  /// A month from its text `yyyy-MM`, or `nil`.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 7, let first = Day(String(text) + "-01") else { return nil }
    self = first.monthOf
  }

  /// The year, and the month of the year from 1.
  @inlinable
  public var components: (year: Int, month: Int) {
    let raw = Int(rawValue)
    let year = (raw >= 0 ? raw : raw - 11) / 12
    return (year, raw - year * 12 + 1)
  }

  /// The year of the Gregorian calendar: of days that a ledger takes 1 to 9999.
  @inlinable
  public var year: Int { components.year }
  /// The month of the year, 1 to 12.
  @inlinable
  public var month: Int { components.month }

  /// The first day; of a month beyond all days, the first or last of these.
  @inlinable
  public var first: Day {
    let (year, month) = components
    return Day(unchecked: year, month, 1)
  }

  /// The last day.
  @inlinable
  public var last: Day { adding(1).first.adding(days: -1) }

  /// All days, from the first up to, but without, the first of the next month; none of a month beyond all
  /// days.
  @inlinable
  public var days: Range<Day> { first..<adding(1).first }

  /// The month `months` later; at the ends of the raw values it stays there.
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

  /// Feeds the month's number to the hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The number of months from this one to `other`.
  @inlinable
  public func distance(to other: Month) -> Int { Int(other.rawValue) - Int(rawValue) }

  /// The month `months` later.
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
