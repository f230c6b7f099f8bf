import DaybookBookkeeping

/// Parses the exact amounts of bank formats: digits with at most one decimal mark, which is a point
/// or a comma.
enum DecimalText {
  /// The reason why a text isn't an amount.
  enum Fault: Error {
    /// The text has no digits, or it has characters other than digits and one decimal mark.
    case notANumber
    /// The mark isn't the format's decimal mark, and could separate groups of digits.
    case unclear
    /// The amount has more decimals than the currency, and they aren't zeros.
    case decimals
    /// The amount is too large for an `Int64`.
    case overflow

    /// Returns the problem as a sentence.
    func reason(_ text: String, _ currency: Currency) -> String {
      switch self {
      case .notANumber: "“\(text)” isn't an amount: write digits and one decimal mark."
      case .unclear: "“\(text)” is ambiguous: its mark could separate decimals or thousands."
      case .decimals: "“\(text)” has more than the \(currency.digits) decimals of \(currency)."
      case .overflow: "“\(text)” \(currency) is too large for an amount."
      }
    }

    /// The remedy, as a sentence.
    var remedy: String {
      switch self {
      case .notANumber, .unclear: "Correct the amount, or ask the bank for the file again."
      case .decimals: "Round it, or define the currency with more decimals."
      case .overflow: "Correct the amount."
      }
    }
  }

  /// Parses an amount that isn't negative, and returns it in minor units of a currency with
  /// `digits` decimals.
  ///
  /// Extra decimals are accepted if they are zeros. A mark other than the format's is accepted
  /// unless exactly three digits follow it.
  static func minorUnits(
    _ range: Range<Int>, of bytes: borrowing Span<UInt8>, digits: Int, mark: UInt8
  ) throws(Fault) -> Int64 {
    var value: Int64 = 0
    var decimals = -1
    var hasDigit = false
    var isOther = false
    for index in range {
      let byte = bytes[index]
      if byte &- 0x30 <= 9 {
        hasDigit = true
        if decimals >= 0 { decimals += 1 }
        if decimals > digits {
          guard byte == 0x30 else { throw .decimals }
        } else {
          value = try appending(Int64(byte - 0x30), to: value)
        }
      } else if byte == 0x2C || byte == 0x2E, decimals < 0 {
        decimals = 0
        isOther = byte != mark
      } else {
        throw .notANumber
      }
    }
    guard hasDigit else { throw .notANumber }
    guard !isOther || decimals != 3 || digits == 3 else { throw .unclear }
    var missing = digits - max(decimals, 0)
    while missing > 0 {
      value = try appending(0, to: value)
      missing -= 1
    }
    return value
  }

  private static func appending(_ digit: Int64, to value: Int64) throws(Fault) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(digit)
    guard !overflow, !carry else { throw .overflow }
    return sum
  }
}
