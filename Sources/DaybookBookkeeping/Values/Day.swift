/// A calendar day, without time or time zone, so that it is the same day everywhere.
///
/// Days are in the proleptic Gregorian calendar. Initializers from text and components check their
/// input. A raw value isn't checked, so that a range can end after the last day that a ledger
/// accepts. Commands are refused if they contain days outside `Day.min` to `Day.max`.
public struct Day: RawRepresentable, Hashable, Sendable {
  /// The number of days since 1970-01-01.
  public var rawValue: Int32

  /// Creates a day from its distance from 1970-01-01, which is not checked.
  @inlinable
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// 0001-01-01, the first day that a ledger accepts.
  public static let min = Day(rawValue: -719_162)
  /// 9999-12-31, the last day that a ledger accepts.
  public static let max = Day(rawValue: 2_932_896)

  /// Creates a day from calendar components, or returns `nil` if there is no such day.
  @inlinable
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  @inlinable
  init(unchecked year: Int, _ month: Int, _ day: Int) {
    // Count from 0000-03-01, so that the leap day is the last day of a year; Howard Hinnant,
    // "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // Months have a larger range than days.
    rawValue = Int32(clamping: era * 146_097 + dayOfEra - 719_468)
  }

  /// Parses a day in exactly the form `yyyy-MM-dd`, or returns `nil`.
  public init?(_ iso: some StringProtocol) {
    var digits: (Int, Int, Int) = (0, 0, 0)
    var position = 0
    for byte in iso.utf8 {
      if position == 4 || position == 7 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard byte >= 0x30, byte <= 0x39, position < 10 else { return nil }
        let digit = Int(byte) - 0x30
        if position < 4 {
          digits.0 = digits.0 * 10 + digit
        } else if position < 7 {
          digits.1 = digits.1 * 10 + digit
        } else {
          digits.2 = digits.2 * 10 + digit
        }
      }
      position += 1
    }
    guard position == 10 else { return nil }
    self.init(year: digits.0, month: digits.1, day: digits.2)
  }

  /// Whether a ledger accepts the day: 0001-01-01 to 9999-12-31.
  @inlinable
  public var isInRange: Bool { rawValue >= -719_162 && rawValue <= 2_932_896 }

  /// The year, the month (1 to 12) and the day of the month (from 1).
  @inlinable
  public var components: (year: Int, month: Int, day: Int) {
    // See civil_from_days in Hinnant's algorithms.
    let shifted = Int(rawValue) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The Gregorian year: 1 to 9999 for days that a ledger accepts.
  @inlinable
  public var year: Int { components.year }
  /// The month of the year, 1 to 12.
  @inlinable
  public var month: Int { components.month }
  /// The day of the month, from 1.
  @inlinable
  public var day: Int { components.day }

  /// The day of the week, from 1 (Monday) to 7 (Sunday), as in ISO 8601.
  @inlinable
  public var weekday: Int {
    let remainder = (Int(rawValue) + 3) % 7
    return (remainder < 0 ? remainder + 7 : remainder) + 1
  }

  /// The month that contains the day.
  @inlinable
  public var monthOf: Month {
    let (year, month, _) = components
    return Month(year: year, month: month)
  }

  /// The number of days in a month.
  @inlinable
  public static func length(ofMonth month: Int, year: Int) -> Int {
    if month == 2 {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }
}

extension Day: Comparable, Strideable {
  /// Orders days by time.
  @inlinable
  public static func < (left: Day, right: Day) -> Bool { left.rawValue < right.rawValue }

  /// Whether two days are the same.
  @inlinable
  public static func == (left: Day, right: Day) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the day's number.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The number of days from this one to `other`.
  @inlinable
  public func distance(to other: Day) -> Int { Int(other.rawValue) - Int(rawValue) }

  /// Returns the day `days` later, clamped to the range of raw values.
  @inlinable
  public func advanced(by days: Int) -> Day { adding(days: days) }

  /// Returns the day `days` later (earlier if negative), clamped to the range of raw values.
  @inlinable
  public func adding(days: Int) -> Day {
    let (sum, overflow) = Int(rawValue).addingReportingOverflow(days)
    return Day(
      rawValue: overflow ? (days < 0 ? Int32.min : Int32.max) : Int32(clamping: sum))
  }

  /// Returns the same day of the month `months` later, or that month's last day if it is shorter.
  ///
  /// The result is clamped to the range of raw values.
  @inlinable
  public func adding(months: Int) -> Day {
    let day = components.day
    let month = monthOf.adding(months)
    let (year, number) = month.components
    return Day(unchecked: year, number, Swift.min(day, Day.length(ofMonth: number, year: year)))
  }

  /// Returns the first day of this day's week; weeks begin on `weekday`, from 1 (Monday) to 7
  /// (Sunday).
  ///
  /// Other values of `weekday` are taken modulo 7.
  @inlinable
  public func startOfWeek(from weekday: Int) -> Day {
    // Maps any number to 0 (Sunday) to 6.
    let first = (weekday % 7 + 7) % 7
    return adding(days: -((self.weekday - first + 7) % 7))
  }
}

extension Day: CustomStringConvertible, Codable {
  /// The text `yyyy-MM-dd`.
  public var description: String {
    let (year, month, day) = components
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Reads the text `yyyy-MM-dd`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = Day(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text.excerpt)” is not a day: yyyy-MM-dd expected")
    }
    self = day
  }

  /// Writes the text `yyyy-MM-dd`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Day {
  /// The day as an unsigned number with the same order, for use in table keys (big-endian).
  @inlinable
  public var biased: UInt32 { UInt32(bitPattern: rawValue) ^ 0x8000_0000 }

  /// Creates a day from its biased number.
  @inlinable
  public init(biased: UInt32) { rawValue = Int32(bitPattern: biased ^ 0x8000_0000) }
}

/// Returns a number with leading zeros up to `width` digits.
func padded(_ number: Int, _ width: Int) -> String {
  let text = String(number)
  return text.utf8.count < width
    ? String(repeating: "0", count: width - text.utf8.count) + text : text
}
