/// The format of amounts in a file: decimal mark, grouping and symbols.
public struct NumberStyle: Hashable, Sendable {
  /// The reason why a text isn't an amount.
  enum Fault: Error {
    case notANumber
    case grouping
    case decimals
    case overflow
  }

  /// The decimal mark, `.` or `,`.
  public let decimal: UInt8
  let groupings: [[UInt8]]
  let symbols: [[UInt8]]

  /// Symbols that are accepted before or after an amount even if the mapping doesn't list them.
  public static let usualSymbols = [
    "$", "€", "£", "¥", "₩", "₽", "₸", "₴", "₹", "₺", "₪", "₫", "฿", "zł", "Kč", "kr.", "kr", "Fr.",
    "R$", "US$", "C$", "A$",
  ]

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - decimal: The decimal mark, `.` or `,`.
  ///   - grouping: The characters that may separate groups of three digits; `""` for none. The
  ///     default is the other one of `.` and `,`, the apostrophe and spaces.
  ///   - symbols: Additional symbols to skip.
  /// - Returns: `nil` if the decimal mark isn't `.` or `,`, or if it is also a grouping character.
  public init?(decimal: String = ".", grouping: String? = nil, symbols: [String] = []) {
    guard decimal == "." || decimal == "," else { return nil }
    let usual = (decimal == "." ? "," : ".") + "'’ \u{A0}\u{202F}"
    let groupings = grouping ?? usual
    guard !groupings.contains(decimal) else { return nil }
    self.decimal = Array(decimal.utf8)[0]
    self.groupings = groupings.map { Array(String($0).utf8) }
    self.symbols = (symbols + Self.usualSymbols).filter { !$0.isEmpty }.map { Array($0.utf8) }
      .sorted { $0.count > $1.count }
  }

  /// An amount in minor units.
  struct Amount {
    var units: Int64
    /// Whether `CR` or `DR` states the direction.
    var isMarked = false
  }

  /// Parses an amount and returns it in minor units.
  ///
  /// - Parameters:
  ///   - digits: The number of decimals of the currency.
  ///   - code: The currency's code, which may come before or after the amount.
  /// - Returns: `nil` if the field is blank.
  func parse(
    _ range: Range<Int>, in bytes: borrowing Span<UInt8>, digits: Int, code: [UInt8]
  ) throws(Fault) -> Int64? {
    try amount(range, in: bytes, digits: digits, code: code)?.units
  }

  /// Parses an amount and its direction.
  ///
  /// A sign may come before or after the amount, on either side of a symbol. Two minus signs before
  /// it cancel out. Parentheses or `DR` mean a negative amount, `CR` a positive one. Decimals
  /// beyond those of the currency are refused unless they are zeros.
  func amount(
    _ range: Range<Int>, in bytes: borrowing Span<UInt8>, digits: Int, code: [UInt8]
  ) throws(Fault) -> Amount? {
    var start = range.lowerBound
    var end = range.upperBound
    var signs = Signs()
    while start < end {
      let byte = bytes[start]
      if byte &- 0x30 <= 9 || byte == decimal { break }
      if let sign = Sign(at: start, before: end, in: bytes) {
        signs.take(sign)
        start += sign.length
      } else if byte == 0x28, !signs.isOpen {
        signs.isOpen = true
        start += 1
      } else if let mark = Mark(at: start, before: end, in: bytes) {
        try signs.take(mark)
        start += mark.length
      } else if let length = affix(at: start, before: end, code, in: bytes) {
        start += length
      } else {
        throw .notANumber
      }
    }
    guard start < end else {
      if signs.isNone { return nil }
      throw .notANumber
    }
    signs.isAfter = true
    while end > start {
      let byte = bytes[end - 1]
      if byte &- 0x30 <= 9 { break }
      if let sign = Sign(endingAt: end, after: start, in: bytes) {
        signs.take(sign)
        end -= sign.length
      } else if byte == 0x29, signs.isOpen {
        signs.close()
        end -= 1
      } else if let length = suffix(endingAt: end, after: start, code, in: bytes) {
        end -= length
      } else if let mark = Mark(endingAt: end, after: start, in: bytes) {
        try signs.take(mark)
        end -= mark.length
      } else if byte == decimal {
        break
      } else {
        throw .notANumber
      }
    }
    let isNegative = try signs.isNegative()
    let units = try number(start..<end, in: bytes, digits: digits, isNegative: isNegative)
    return Amount(units: units, isMarked: signs.mark != nil)
  }

  private func number(
    _ range: Range<Int>, in bytes: borrowing Span<UInt8>, digits: Int, isNegative: Bool
  ) throws(Fault) -> Int64 {
    var value: Int64 = 0
    var index = range.lowerBound
    var group = 0
    var groupCount = 0
    var isGroupOfZeros = false
    var digitCount = 0
    var decimals = -1
    while index < range.upperBound {
      let byte = bytes[index]
      if byte &- 0x30 <= 9 {
        digitCount += 1
        group += 1
        if decimals >= 0 { decimals += 1 }
        if decimals > digits {
          guard byte == 0x30 else { throw .decimals }
        } else {
          value = try Self.appending(byte, to: value, isNegative)
        }
        index += 1
      } else if byte == decimal, decimals < 0 {
        guard groupCount == 0 || group == 3 else { throw .grouping }
        decimals = 0
        index += 1
      } else if decimals < 0, let length = grouping(at: index, before: range.upperBound, in: bytes)
      {
        guard groupCount == 0 ? (1...3).contains(group) : (2...3).contains(group) else {
          throw .grouping
        }
        if groupCount == 0 { isGroupOfZeros = value == 0 }
        groupCount += 1
        group = 0
        index += length
      } else {
        throw .notANumber
      }
    }
    guard digitCount > 0 else { throw .notANumber }
    guard decimals >= 0 || groupCount == 0 || group == 3 else { throw .grouping }
    // The mark in 0,125 separates decimals.
    if isGroupOfZeros, groupCount == 1, decimals < 0, value != 0 { throw .grouping }
    for _ in max(decimals, 0)..<max(digits, max(decimals, 0)) {
      value = try Self.appending(0x30, to: value, isNegative)
    }
    return value
  }

  private static func appending(
    _ byte: UInt8, to value: Int64, _ isNegative: Bool
  ) throws(Fault) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let digit = Int64(byte - 0x30)
    let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
    guard !overflow, !carry else { throw .overflow }
    return sum
  }

  private func grouping(
    at index: Int, before end: Int, in bytes: borrowing Span<UInt8>
  ) -> Int? {
    for mark in groupings where Self.matches(mark, at: index, before: end, in: bytes) {
      return mark.count
    }
    return nil
  }

  private static let blanks: [[UInt8]] = [
    [0x20], [0x09], [0xC2, 0xA0], [0xE2, 0x80, 0xAF],
  ]

  private func affix(
    at index: Int, before end: Int, _ code: [UInt8], in bytes: borrowing Span<UInt8>
  ) -> Int? {
    for blank in Self.blanks where Self.matches(blank, at: index, before: end, in: bytes) {
      return blank.count
    }
    if Self.matches(code, at: index, before: end, in: bytes) { return code.count }
    for symbol in symbols where Self.matches(symbol, at: index, before: end, in: bytes) {
      return symbol.count
    }
    return nil
  }

  private func suffix(
    endingAt end: Int, after start: Int, _ code: [UInt8], in bytes: borrowing Span<UInt8>
  ) -> Int? {
    for blank in Self.blanks
    where Self.matches(blank, at: end - blank.count, before: end, in: bytes) {
      return blank.count
    }
    if Self.matches(code, at: end - code.count, before: end, in: bytes) { return code.count }
    for symbol in symbols
    where end - symbol.count >= start
      && Self.matches(symbol, at: end - symbol.count, before: end, in: bytes)
    {
      return symbol.count
    }
    return nil
  }

  static func matches(
    _ word: [UInt8], at index: Int, before end: Int, in bytes: borrowing Span<UInt8>
  ) -> Bool {
    guard index >= 0, index + word.count <= end, !word.isEmpty else { return false }
    for offset in word.indices where bytes[index + offset] != word[offset] { return false }
    return true
  }
}
