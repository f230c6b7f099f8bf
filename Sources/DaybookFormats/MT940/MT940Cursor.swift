import DaybookBookkeeping

/// The credit or debit mark of a row or balance.
struct MT940Mark: Sendable {
  /// Whether the row is incoming, or the balance is positive.
  var isCredit: Bool
  /// Whether the bank only expects the entry.
  var isExpected = false
}

/// Parses the parts of a field, which aren't separated.
struct MT940Cursor: Sendable {
  let bytes: [UInt8]
  var index: Int
  let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// The next byte; 0 at the end.
  var next: UInt8 { index < end ? bytes[index] : 0 }

  mutating func skipBlanks() {
    while index < end, bytes[index] <= 0x20 { index += 1 }
  }

  /// Parses C, D, RC (reversal of a credit), RD (reversal of a debit), or EC or ED (expected).
  mutating func mark() -> MT940Mark? {
    let prefix = next
    let isReversal = prefix == UInt8(ascii: "R")
    let isExpected = prefix == UInt8(ascii: "E")
    let place = isReversal || isExpected ? index + 1 : index
    guard place < end else { return nil }
    let isCredit: Bool
    switch bytes[place] {
    case UInt8(ascii: "C"), UInt8(ascii: "c"): isCredit = true
    case UInt8(ascii: "D"), UInt8(ascii: "d"): isCredit = false
    default: return nil
    }
    index = place + 1
    return MT940Mark(isCredit: isCredit != isReversal, isExpected: isExpected)
  }

  /// The number of digits that follow.
  var digitCount: Int {
    var place = index
    while place < end, bytes[place] &- 0x30 <= 9 { place += 1 }
    return place - index
  }

  /// Parses the next two digits as a number.
  mutating func twoDigits() -> Int? {
    guard index + 1 < end, bytes[index] &- 0x30 <= 9, bytes[index + 1] &- 0x30 <= 9 else {
      return nil
    }
    defer { index += 2 }
    return Int(bytes[index] - 0x30) * 10 + Int(bytes[index + 1] - 0x30)
  }

  /// Parses a date in the form yyMMdd, in the years 1980 to 2079.
  ///
  /// February 29 and 30 become the last day of February, because banks that calculate interest with
  /// 30-day months write such dates.
  mutating func day() -> Day? {
    let start = index
    guard let year = twoDigits(), let month = twoDigits(), let day = twoDigits(),
      let found = MT940Cursor.day(year < 80 ? 2000 + year : 1900 + year, month, day)
    else {
      index = start
      return nil
    }
    return found
  }

  /// Parses a date in the form MMdd, and chooses the year in which it is closest to another date.
  mutating func day(near other: Day) -> Day? {
    let start = index
    guard let month = twoDigits(), let day = twoDigits() else {
      index = start
      return nil
    }
    var nearest: Day?
    for year in other.year - 1...other.year + 1 {
      guard let found = MT940Cursor.day(year, month, day) else { continue }
      if let best = nearest, abs(best.distance(to: other)) <= abs(found.distance(to: other)) {
        continue
      }
      nearest = found
    }
    if nearest == nil { index = start }
    return nearest
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Day? {
    if month == 2, day == 29 || day == 30 {
      return Day(year: year, month: 2, day: Day.length(ofMonth: 2, year: year))
    }
    return Day(year: year, month: month, day: day)
  }

  /// Parses exactly `count` letters.
  mutating func letters(_ count: Int) -> String? {
    guard index + count <= end,
      bytes[index..<index + count].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 })
    else { return nil }
    defer { index += count }
    return String(decoding: bytes[index..<index + count], as: UTF8.self).uppercased()
  }

  /// Returns the range of the digits and marks of an amount.
  mutating func amount() -> Range<Int> {
    skipBlanks()
    let start = index
    while index < end,
      bytes[index] &- 0x30 <= 9 || bytes[index] == 0x2C || bytes[index] == 0x2E
    {
      index += 1
    }
    return start..<index
  }
}
