/// A point in time in JSON: `"2026-02-15T09:30:00.250000Z"`.
package struct Moment: Hashable, Sendable, Codable {
  /// The microseconds since 1970 (UTC).
  package var microseconds: Int64

  private static let dayLength: Int64 = 86_400_000_000

  /// Creates a moment from a number of microseconds since 1970 (UTC).
  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// The text form; `nil` if the year doesn't have four digits.
  package var text: String? {
    let (days, rest) = microseconds.dividedDown(by: Self.dayLength)
    guard let raw = Int32(exactly: days), Day(rawValue: raw).isInRange else { return nil }
    let seconds = rest / 1_000_000
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: count - text.count) + text
    }
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
    return "\(Day(rawValue: raw))T\(clock.joined(separator: ":")).\(digits(rest % 1_000_000, 6))Z"
  }

  /// Writes the text, or the number of microseconds if there is no text form.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text {
      try container.encode(text)
    } else {
      try container.encode(microseconds)
    }
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the value isn't a moment.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(microseconds: number)
      return
    }
    let text = try container.decode(String.self)
    guard let microseconds = Self.microseconds(of: text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "“\(text.excerpt)” isn't a moment: yyyy-MM-ddTHH:mm:ss.ffffffZ is expected")
    }
    self.init(microseconds: microseconds)
  }

  private static func microseconds(of text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 27, let day = Day(text.prefix(10)) else { return nil }
    for (place, mark) in [(10, "T"), (13, ":"), (16, ":"), (19, "."), (26, "Z")] {
      guard [bytes[place]] == Array(mark.utf8) else { return nil }
    }
    func number(_ range: Range<Int>, below limit: Int64) -> Int64? {
      var number: Int64 = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int64(byte - 0x30)
      }
      return number < limit ? number : nil
    }
    guard let hours = number(11..<13, below: 24), let minutes = number(14..<16, below: 60),
      let seconds = number(17..<19, below: 60), let rest = number(20..<26, below: 1_000_000)
    else { return nil }
    let clock = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + rest
    return Int64(day.rawValue) * dayLength + clock
  }
}

extension Int64 {
  /// The quotient rounded down, and the nonnegative remainder.
  fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
