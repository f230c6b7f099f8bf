import DaybookBookkeeping

/// A date as written in the file.
///
/// The order of day and month may be unknown.
struct QIFDate {
  /// The first number: the month, unless the day comes first in the file.
  var first: Int
  var second: Int
  var year: Int
  /// Whether `first` is certain to be the month and `second` the day.
  var isSettled: Bool
  /// Whether the numbers are separated by dots, which suggests that the day comes first.
  var hasPoints: Bool

  /// Parses dates such as `2/14'2020`, `1/ 1'00`, `14.02.20`, `2020-02-14`, `20200214` or
  /// `14 Feb 2020`.
  ///
  /// A two-digit year is in the 2000s if it follows an apostrophe or is below 70. A three-digit
  /// year is counted from 1900, because programs with a year-2000 bug wrote it that way.
  init?(_ range: Range<Int>, in bytes: [UInt8]) {
    guard let pieces = QIFDatePieces(range, in: bytes) else { return nil }
    let (one, two, three) = (pieces.numbers.0, pieces.numbers.1, pieces.numbers.2)
    hasPoints = pieces.hasPoints
    isSettled = true
    if pieces.count == 1, pieces.month == 0, one.digits == 8 {
      (year, first, second) = (one.value / 10_000, one.value / 100 % 100, one.value % 100)
    } else if pieces.month > 0 {
      guard pieces.count == 2, pieces.monthPlace < 2 else { return nil }
      let isYearFirst = one.digits == 4
      year = Self.whole(isYearFirst ? one : two, pieces.hasApostrophe)
      (first, second) = (pieces.month, isYearFirst ? two.value : one.value)
    } else {
      guard pieces.count == 3 else { return nil }
      isSettled = one.digits == 4
      if isSettled {
        (year, first, second) = (one.value, two.value, three.value)
      } else {
        (first, second) = (one.value, two.value)
        year = Self.whole(three, pieces.hasApostrophe)
      }
    }
  }

  private static func whole(_ year: QIFDatePieces.Number, _ hasApostrophe: Bool) -> Int {
    switch year.digits {
    case 1, 2: year.value + (hasApostrophe || year.value < 70 ? 2000 : 1900)
    case 3: year.value + 1900
    default: year.value
    }
  }
}

/// The numbers and the month name in a date.
private struct QIFDatePieces {
  typealias Number = (value: Int, digits: Int)

  var numbers: (Number, Number, Number) = ((0, 0), (0, 0), (0, 0))
  var count = 0
  /// The named month; 0 if there is none.
  var month = 0
  /// The count of numbers before the named month.
  var monthPlace = 0
  var hasApostrophe = false
  var hasPoints = false

  private static let monthByteCountMax = 24

  init?(_ range: Range<Int>, in bytes: [UInt8]) {
    var index = range.lowerBound
    let end = range.upperBound
    while index < end, count + (month > 0 ? 1 : 0) < 3 {
      switch bytes[index] {
      case 0x30...0x39:
        guard takeNumber(&index, end, bytes) else { return nil }
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        0x80...0xFF:
        guard takeMonth(&index, end, bytes) else { return nil }
      case UInt8(ascii: "'"):
        hasApostrophe = true
        index += 1
      case UInt8(ascii: "."):
        hasPoints = true
        index += 1
      case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: ","), 0x20, 0x09: index += 1
      default: return nil
      }
    }
    // The date may be followed by a time.
    guard index == end || bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "T") else {
      return nil
    }
  }

  private mutating func takeNumber(_ index: inout Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
    var number: Number = (0, 0)
    while index < end, bytes[index] &- 0x30 < 10 {
      guard number.digits < 8 else { return false }
      number = (number.value * 10 + Int(bytes[index] - 0x30), number.digits + 1)
      index += 1
    }
    switch count {
    case 0: numbers.0 = number
    case 1: numbers.1 = number
    default: numbers.2 = number
    }
    count += 1
    return true
  }

  private mutating func takeMonth(_ index: inout Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
    let start = index
    while index < end, bytes[index] > UInt8(ascii: "9") { index += 1 }
    guard month == 0, index - start <= Self.monthByteCountMax,
      let number = MonthNames.month(Array(bytes[start..<index]))
    else { return false }
    month = number
    monthPlace = count
    return true
  }
}

/// The order of days and months in a file.
struct QIFDateOrder {
  var isDayFirst: Bool

  /// Returns the day of a date, or `nil` if it doesn't exist.
  func day(_ range: Range<Int>, in bytes: [UInt8]) -> Day? {
    guard let date = QIFDate(range, in: bytes) else { return nil }
    let isSwapped = isDayFirst && !date.isSettled
    return Day(
      year: date.year, month: isSwapped ? date.second : date.first,
      day: isSwapped ? date.first : date.second)
  }
}
