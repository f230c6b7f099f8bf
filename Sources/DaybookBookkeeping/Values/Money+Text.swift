extension Money: CustomStringConvertible {
  /// The amount with a decimal point and the currency code: "1234.56 USD".
  public var description: String { "\(text) \(currency.code)" }

  /// The amount with a decimal point and without a code: "-1234.56".
  public var text: String { decimalText(Int128(minorUnits), digits: currency.digits) }
}

extension Total: CustomStringConvertible {
  /// The total with a decimal point and the currency code: "1234.56 USD".
  public var description: String { "\(text) \(currency.code)" }

  /// The total with a decimal point and without a code: "-1234.56".
  public var text: String { decimalText(units, digits: currency.digits) }
}

/// Returns minor units as text, with a decimal point before the last `digits` digits.
func decimalText(_ units: Int128, digits: Int) -> String {
  var text = String(units.magnitude)
  if digits > 0 {
    if text.utf8.count <= digits {
      text = String(repeating: "0", count: digits + 1 - text.utf8.count) + text
    }
    text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
  }
  return units < 0 ? "-" + text : text
}

extension Money {
  /// Parses an amount strictly: an optional sign, digits, and an optional decimal mark with
  /// decimals.
  ///
  /// The digits may be grouped in threes by one kind of separator: a space, a no-break space, an
  /// apostrophe, or the point or comma that isn't the decimal mark, and the first group can't be
  /// zero. The number of decimals can't exceed the currency's. `1,234.56` is 1234.56 if the decimal
  /// mark is a point, and is refused if it is a comma. Currency signs and letters are refused too,
  /// so remove them before parsing the amounts of a bank's file.
  ///
  /// - Throws: `MoneyError` that quotes the text and describes the problem.
  public static func parse(
    _ text: some StringProtocol, currency: Currency, decimalMark: Character = "."
  ) throws(MoneyError) -> Money {
    var scanner = AmountScanner(decimalMark: decimalMark, decimalsMax: currency.digits)
    do throws(AmountScanner.Fault) {
      for scalar in text.unicodeScalars { try scanner.take(scalar) }
      return Money(try scanner.finish(), currency)
    } catch {
      switch error {
      case .overflow: throw .overflow("“\(String(text).excerpt)” \(currency)")
      case .decimals: throw .tooManyDecimals(currency, text: String(text))
      case .form(let why): throw .notAnAmount(why, text: String(text))
      }
    }
  }
}

/// Parses an amount scalar by scalar.
struct AmountScanner {
  enum Fault: Error {
    case overflow
    case decimals
    case form(String)
  }

  private let decimalMark: Unicode.Scalar?
  private let decimalsMax: Int
  private let padsDecimals: Bool
  private var magnitude: UInt64 = 0
  private var isNegative = false
  private var hasSign = false
  private var hasDigit = false
  private var isPastEnd = false
  private var groupMark: Unicode.Scalar?
  private var groupCount = 0
  private var decimals = -1

  /// The number of decimals parsed.
  var decimalCount: Int { Swift.max(decimals, 0) }

  init(decimalMark: Character, decimalsMax: Int, padsDecimals: Bool = true) {
    self.padsDecimals = padsDecimals
    let scalars = decimalMark.unicodeScalars
    self.decimalMark = scalars.count == 1 ? scalars.first : nil
    self.decimalsMax = decimalsMax
  }

  mutating func take(_ scalar: Unicode.Scalar) throws(Fault) {
    if scalar.value >= 0x30, scalar.value <= 0x39 { return try digit(UInt64(scalar.value - 0x30)) }
    if scalar == decimalMark { return try mark() }
    if scalar == "-" || scalar == "+" || scalar == "\u{2212}" {
      guard !hasSign, !hasDigit, decimals < 0 else {
        throw .form("a sign is allowed only before the digits")
      }
      hasSign = true
      isNegative = scalar != "+"
      return
    }
    if isSpace(scalar) {
      // White space around the amount is ignored. White space between digits must separate groups,
      // which is checked at the next digit.
      if !hasDigit && decimals < 0 { return }
      if isPastEnd { return }
    }
    if isSpace(scalar) || scalar == "'" || scalar == "\u{2019}" || scalar == "," || scalar == "." {
      return try group(scalar)
    }
    throw .form("“\(Character(scalar))” isn't allowed in it; use digits, a sign and separators")
  }

  private mutating func digit(_ value: UInt64) throws(Fault) {
    if isPastEnd {
      // The preceding white space was a group separator.
      isPastEnd = false
      guard decimals < 0 else { throw .form("there is white space after the decimal mark") }
      try openGroup(" ")
    }
    hasDigit = true
    if decimals >= 0 {
      decimals += 1
      guard decimals <= decimalsMax else { throw .decimals }
    } else {
      groupCount += 1
      guard groupMark == nil || groupCount <= 3 else {
        throw .form("digits between marks must come in threes")
      }
    }
    try push(value)
  }

  private mutating func push(_ value: UInt64) throws(Fault) {
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(value)
    guard !overflow, !carry else { throw .overflow }
    magnitude = sum
  }

  private mutating func mark() throws(Fault) {
    guard decimals < 0, !isPastEnd else { throw .form("it has two decimal marks, or a stray one") }
    try closeGroup()
    decimals = 0
  }

  private mutating func group(_ scalar: Unicode.Scalar) throws(Fault) {
    if isSpace(scalar) {
      isPastEnd = true
      return
    }
    guard decimals < 0 else { throw .form("“\(Character(scalar))” comes after the decimal mark") }
    guard !isPastEnd else { throw .form("two kinds of marks separate its digits") }
    try openGroup(scalar)
  }

  private mutating func openGroup(_ scalar: Unicode.Scalar) throws(Fault) {
    guard hasDigit, groupMark == nil || groupMark == scalar else {
      throw .form("two kinds of marks separate its digits, or a mark comes first")
    }
    guard groupMark != nil ? groupCount == 3 : (1...3).contains(groupCount) else {
      throw .form("digits between marks must come in threes")
    }
    guard groupMark != nil || magnitude > 0 else {
      throw .form("a mark after 0 can't separate groups of digits")
    }
    groupMark = scalar
    groupCount = 0
  }

  private func closeGroup() throws(Fault) {
    guard groupMark == nil || groupCount == 3 else {
      throw .form("digits between marks must come in threes")
    }
  }

  mutating func finish() throws(Fault) -> Int64 {
    guard hasDigit else { throw .form("it has no digits") }
    if decimals < 0 { try closeGroup() }
    guard decimals != 0 else { throw .form("nothing follows its decimal mark") }
    if padsDecimals { for _ in decimalCount..<decimalsMax { try push(0) } }
    if isNegative {
      guard magnitude <= UInt64(Int64.max) + 1 else { throw .overflow }
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    guard let units = Int64(exactly: magnitude) else { throw .overflow }
    return units
  }

  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\u{a0}" || scalar == "\u{202f}"
      || scalar == "\u{2009}"
  }
}
