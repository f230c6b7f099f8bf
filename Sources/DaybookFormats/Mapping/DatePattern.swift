/// The date format of a file, such as `dd.MM.yyyy`.
///
/// | letters | meaning |
/// |---|---|
/// | `yyyy` | a year with four digits |
/// | `yy`, `y` | the last two digits of a year (one or two for `y`); see `pivot` |
/// | `MM`, `M` | a month with two digits; with one or two |
/// | `MMM` | the name of a month, in full or abbreviated, with or without a dot: `Feb`, `März`, `févr.`, `ago` |
/// | `dd`, `d` | a day with two digits; with one or two |
/// | `'de'` | literal letters |
/// | `*` at the end | ignores anything that follows, such as a time of day |
///
/// All other characters are literal. A space matches one or more spaces.
public struct DatePattern: Hashable, Sendable {
  enum Part: Hashable {
    case year(min: Int, max: Int)
    case month(min: Int)
    case monthName
    case day(min: Int)
    case literal(UInt8)
    case rest
  }

  /// The pattern, as written in the mapping.
  public let text: String
  /// The limit for two-digit years: lower numbers are in the 2000s, all others in the 1900s.
  public let pivot: Int
  let parts: [Part]

  /// Parses a pattern.
  ///
  /// Returns `nil` unless it contains exactly one day, month and year.
  public init?(_ text: String, pivot: Int = 70) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let letter = rest.first {
      let run = rest.prefix { $0 == letter }.count
      switch letter {
      case "y" where run == 4: parts.append(.year(min: 4, max: 4))
      case "y" where run == 2: parts.append(.year(min: 2, max: 2))
      case "y" where run == 1: parts.append(.year(min: 1, max: 2))
      case "M" where run <= 2: parts.append(.month(min: run))
      case "M" where run == 3: parts.append(.monthName)
      case "d" where run <= 2: parts.append(.day(min: run))
      case "y", "M", "d": return nil
      case "*" where run == 1 && rest.count == 1: parts.append(.rest)
      case "'":
        guard let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
        let word = rest[rest.index(after: rest.startIndex)..<end]
        parts.append(contentsOf: word.utf8.map { .literal($0) })
        rest = rest[rest.index(after: end)...]
        continue
      case " ": parts.append(.literal(0x20))
      default:
        guard let byte = letter.asciiValue else { return nil }
        parts.append(contentsOf: repeatElement(.literal(byte), count: run))
      }
      rest = rest.dropFirst(run)
    }
    guard (0...100).contains(pivot) else { return nil }
    let kinds = parts.compactMap { part -> Int? in
      switch part {
      case .year: 0
      case .month, .monthName: 1
      case .day: 2
      case .literal, .rest: nil
      }
    }
    guard kinds.sorted() == [0, 1, 2] else { return nil }
    self.text = text
    self.pivot = pivot
    self.parts = parts
  }

  /// Parses a date.
  /// - Returns: The year, month and day as written, which may be a day that doesn't exist; `nil` if
  ///   the text doesn't match the pattern.
  package func parse(
    _ range: Range<Int>, in bytes: borrowing Span<UInt8>
  ) -> (year: Int, month: Int, day: Int)? {
    guard let found = match(range, in: bytes), found.end == range.upperBound else { return nil }
    return (found.year, found.month, found.day)
  }

  /// Parses a date at the beginning of a text and returns it with the offset of its end.
  func match(
    _ range: Range<Int>, in bytes: borrowing Span<UInt8>
  ) -> (year: Int, month: Int, day: Int, end: Int)? {
    var index = range.lowerBound
    let end = range.upperBound
    var year = 0
    var month = 0
    var day = 0
    for (place, part) in parts.enumerated() {
      switch part {
      case .year(let min, let max):
        guard let value = Self.digits(min, max, &index, end, in: bytes) else { return nil }
        year = max == 4 ? value : value + (value < pivot ? 2000 : 1900)
      case .month(let min):
        guard let value = Self.digits(min, 2, &index, end, in: bytes) else { return nil }
        month = value
      case .day(let min):
        guard let value = Self.digits(min, 2, &index, end, in: bytes) else { return nil }
        day = value
      case .monthName:
        guard let value = Self.monthName(&index, end, in: bytes) else { return nil }
        month = value
        let isDotNext = place + 1 < parts.count && parts[place + 1] == .literal(0x2E)
        if !isDotNext, index < end, bytes[index] == 0x2E { index += 1 }
      case .literal(0x20):
        guard index < end, bytes[index] == 0x20 else { return nil }
        while index < end, bytes[index] == 0x20 { index += 1 }
      case .literal(let byte):
        guard index < end, bytes[index] == byte else { return nil }
        index += 1
      case .rest:
        index = end
      }
    }
    return (year, month, day, index)
  }

  private static func digits(
    _ min: Int, _ max: Int, _ index: inout Int, _ end: Int, in bytes: borrowing Span<UInt8>
  ) -> Int? {
    var value = 0
    var count = 0
    while count < max, index < end, bytes[index] &- 0x30 <= 9 {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
      count += 1
    }
    return count >= min ? value : nil
  }

  private static let nameByteCountMax = 24

  private static func monthName(
    _ index: inout Int, _ end: Int, in bytes: borrowing Span<UInt8>
  ) -> Int? {
    var word: [UInt8] = []
    var next = index
    while next < end, word.count < nameByteCountMax,
      bytes[next] >= 0x80 || (bytes[next] | 0x20 >= 0x61 && bytes[next] | 0x20 <= 0x7A)
    {
      word.append(bytes[next])
      next += 1
    }
    guard word.count >= 3, let month = MonthNames.month(word) else { return nil }
    index = next
    return month
  }
}
