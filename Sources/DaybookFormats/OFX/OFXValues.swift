import DaybookBookkeeping

/// The reason why a value can't be read.
struct OFXFault: Error {
  var code: BadLine.Code
  var reason: String
  var remedy: String
  /// The offset of the value, or `nil` for the offset of the row.
  var offset: Int?
}

/// Parses dates, amounts and texts.
enum OFXValues {
  /// Parses a date such as `20240131`, with or without a time and time zone, or `2024-01-31`.
  ///
  /// The day is in the bank's own time zone, as written.
  static func day(_ text: OFXText, in bytes: [UInt8]) -> Day? {
    var digits = 0
    var value = 0
    var index = text.start
    while index < text.end, digits < 8 {
      let byte = bytes[index]
      if byte &- 0x30 < 10 {
        value = value * 10 + Int(byte - 0x30)
        digits += 1
      } else if byte != UInt8(ascii: "-") || (digits != 4 && digits != 6) {
        return nil
      }
      index += 1
    }
    guard digits == 8 else { return nil }
    return Day(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }

  /// Parses an amount and returns it in minor units of a currency with `digits` decimals.
  ///
  /// The decimal mark is `.` or `,`. Spaces and apostrophes separate groups of digits, and so does
  /// a mark that is repeated or that comes before the other mark.
  ///
  /// - Parameter isGrouped: Whether a single mark also separates groups of digits.
  static func amount(
    _ text: OFXText, digits: Int, isGrouped: Bool = false, in bytes: [UInt8]
  ) throws(OFXFault) -> Int64 {
    var index = text.start
    var isNegative = false
    if index < text.end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    // Some banks write `null` as the amount of rows without money, such as a new interest rate.
    if OFXScanner.matches("null", bytes, at: index), index + 4 == text.end { return 0 }
    let mark = isGrouped ? -1 : decimalMark(index..<max(index, text.end), in: bytes)
    var value: Int64 = 0
    var decimals = -1
    var isNumber = false
    var group = 0
    while index < text.end {
      let byte = bytes[index]
      if byte &- 0x30 < 10 {
        isNumber = true
        group += 1
        if decimals >= 0 { decimals += 1 }
        if decimals > digits {
          guard byte == 0x30 else { throw tooFine(text, digits, in: bytes) }
        } else {
          value = try appending(byte, to: value, isNegative, text)
        }
      } else if index == mark {
        decimals = 0
      } else if decimals < 0, isNumber, group > 0, isGrouping(byte) {
        group = 0
      } else {
        throw notAnAmount(text, in: bytes)
      }
      index += 1
    }
    guard isNumber, group > 0 || decimals >= 0 else { throw notAnAmount(text, in: bytes) }
    var count = max(decimals, 0)
    while count < digits {
      value = try appending(0x30, to: value, isNegative, text)
      count += 1
    }
    return value
  }

  private static func isGrouping(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".") || byte == 0x20
      || byte == UInt8(ascii: "'")
  }

  /// Returns the offset of the last mark, or -1 if the previous mark is the same.
  ///
  /// A repeated mark separates groups of digits and isn't a decimal mark.
  private static func decimalMark(_ range: Range<Int>, in bytes: [UInt8]) -> Int {
    var last = -1
    var isRepeated = false
    for index in range where bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",")
    {
      isRepeated = last >= 0 && bytes[last] == bytes[index]
      last = index
    }
    return isRepeated ? -1 : last
  }

  private static func appending(
    _ byte: UInt8, to value: Int64, _ isNegative: Bool, _ text: OFXText
  ) throws(OFXFault) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let digit = Int64(byte &- 0x30)
    let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
    guard !overflow, !carry else {
      throw OFXFault(
        code: .amount, reason: "The amount is too large.",
        remedy: "Correct the amount.", offset: text.start)
    }
    return sum
  }

  private static func notAnAmount(_ text: OFXText, in bytes: [UInt8]) -> OFXFault {
    OFXFault(
      code: .amount, reason: "“\(quoted(text, in: bytes))” isn't an amount.",
      remedy: "Write it with digits, a sign and one decimal mark, such as -12.50.",
      offset: text.start)
  }

  private static func tooFine(_ text: OFXText, _ digits: Int, in bytes: [UInt8]) -> OFXFault {
    OFXFault(
      code: .amount,
      reason: "“\(quoted(text, in: bytes))” has more decimals than the currency's \(digits).",
      remedy: "Write the amount that was booked; imports don't round amounts.", offset: text.start)
  }

  /// Returns the beginning of a text, for messages.
  static func quoted(_ text: OFXText, in bytes: [UInt8]) -> String {
    var cleaner = TextCleaner()
    let end = min(text.end, text.start + 60)
    let words = cleaner.text(text.start..<max(text.start, end), in: bytes)
    return end < text.end ? words + "…" : words
  }
}

extension OFXReader {
  /// Parses a date that may contain entities.
  ///
  /// Returns `nil` if the date isn't valid.
  mutating func readDay(_ text: OFXText) -> Day? {
    if text.isPlain { return OFXValues.day(text, in: bytes) }
    let plain = Array(decoder.text(text, in: bytes).utf8)
    return OFXValues.day(OFXText(start: 0, end: plain.count), in: plain)
  }

  /// Parses an amount that may contain entities, and returns it in minor units.
  mutating func readAmount(_ text: OFXText, digits: Int) throws(OFXFault) -> Int64 {
    if text.isPlain {
      let isGrouped = try isGrouped(text.range, in: bytes, digits: digits, at: text.start)
      return try OFXValues.amount(text, digits: digits, isGrouped: isGrouped, in: bytes)
    }
    let plain = Array(decoder.text(text, in: bytes).utf8)
    do {
      let isGrouped = try isGrouped(0..<plain.count, in: plain, digits: digits, at: text.start)
      return try OFXValues.amount(
        OFXText(start: 0, end: plain.count), digits: digits, isGrouped: isGrouped, in: plain)
    } catch {
      var fault = error
      fault.offset = text.start
      throw fault
    }
  }
}

extension OFXReader {
  /// Returns whether a mark before three final digits separates groups of digits.
  ///
  /// OFX allows no groups, so the mark separates decimals unless other amounts in the file have
  /// groups.
  private mutating func isGrouped(
    _ range: Range<Int>, in bytes: [UInt8], digits: Int, at start: Int
  ) throws(OFXFault) -> Bool {
    guard case .unclear(let mark) = AmountMarks.meaning(of: range, in: bytes) else { return false }
    if let chosen = options.decimalMark { return chosen.asciiValue != mark }
    if digits >= 3 { return false }
    if let isDecimal = marks().isDecimal(mark, digits: digits, allowsGroups: false) {
      return !isDecimal
    }
    // In a currency with fewer decimals, three are too many unless the last is a zero.
    let last = bytes[range].last { $0 &- 0x30 <= 9 }
    guard last == UInt8(ascii: "0") || marks().pointCount + marks().commaCount > 0 else {
      return false
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    if contents.unclearAmount == nil {
      let place = TextPlace().advanced(to: start, in: self.bytes)
      contents.unclearAmount = UnclearAmount(line: place.line, text: text)
    }
    throw OFXFault(
      code: .amount,
      reason: "“\(text)” is ambiguous: its mark could separate decimals or thousands.",
      remedy: "Set the decimal mark.", offset: start)
  }
}

/// Decodes texts that contain entities, CDATA sections and comments.
struct OFXTextDecoder {
  private var cleaner = TextCleaner()
  private var buffer: [UInt8] = []

  /// Returns the text on one line.
  /// - Complexity: O(*n*) in the number of bytes.
  mutating func text(_ text: OFXText, in bytes: [UInt8]) -> String {
    if text.isEmpty { return "" }
    if text.isPlain { return cleaner.text(text.range, in: bytes) }
    buffer.removeAll(keepingCapacity: true)
    var index = text.start
    while index < text.end {
      switch bytes[index] {
      case UInt8(ascii: "&"): index = entity(at: index, before: text.end, in: bytes)
      case UInt8(ascii: "<"): index = section(at: index, before: text.end, in: bytes)
      default:
        buffer.append(bytes[index])
        index += 1
      }
    }
    return cleaner.text(0..<buffer.count, in: buffer)
  }

  private mutating func section(at index: Int, before end: Int, in bytes: [UInt8]) -> Int {
    if OFXScanner.matches("<![CDATA[", bytes, at: index) {
      let close = min(OFXScanner.end(of: "]]>", bytes, from: index + 9), end)
      let isClosed = close >= index + 12 && OFXScanner.matches("]]>", bytes, at: close - 3)
      let stop = isClosed ? close - 3 : close
      if index + 9 < stop { buffer.append(contentsOf: bytes[(index + 9)..<stop]) }
      return max(close, index + 1)
    }
    if OFXScanner.matches("<!--", bytes, at: index) {
      return min(OFXScanner.end(of: "-->", bytes, from: index + 4), end)
    }
    if OFXScanner.matches("<?", bytes, at: index) {
      return min(OFXScanner.end(of: "?>", bytes, from: index + 2), end)
    }
    buffer.append(bytes[index])
    return index + 1
  }

  private static let longestEntity = 12

  /// Decodes an entity.
  ///
  /// Other uses of `&` are kept unchanged, because banks write `AT&T`.
  private mutating func entity(at index: Int, before end: Int, in bytes: [UInt8]) -> Int {
    let limit = min(end, index + Self.longestEntity)
    var close = index + 1
    while close < limit, bytes[close] != UInt8(ascii: ";") { close += 1 }
    if close < limit,
      let scalar = Self.scalar(String(decoding: bytes[(index + 1)..<close], as: UTF8.self))
    {
      buffer.append(contentsOf: Array(String(Character(scalar)).utf8))
      return close + 1
    }
    buffer.append(bytes[index])
    return index + 1
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name.lowercased() {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return " "
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
      let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
  }
}
