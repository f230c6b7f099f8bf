/// An exchange rate as quoted: an exact decimal greater than zero.
///
/// It is the price of one major unit of the base currency in major units of the quoted currency.
/// For USD in KZT, 450 means that 1 USD is 450 KZT.
public struct Quote: Hashable, Sendable {
  /// The digits without the decimal point.
  public let mantissa: Int64
  /// The number of digits after the decimal point, 0 to 18.
  public let scale: UInt8

  /// Creates a quote of `mantissa` / 10^`scale`; returns `nil` if it isn't greater than zero or has
  /// too many decimals.
  ///
  /// Trailing zeros are removed, so that 1.10 and 1.1 are equal.
  public init?(mantissa: Int64, scale: UInt8) {
    guard mantissa > 0, scale <= 18 else { return nil }
    var digits = mantissa
    var decimals = scale
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    self.mantissa = digits
    self.scale = decimals
  }

  /// Creates a quote that is already in its shortest form.
  init(unchecked mantissa: Int64, scale: UInt8) {
    self.mantissa = mantissa
    self.scale = scale
  }

  /// Parses a quote, such as "1.0842" or "450": digits and at most one decimal mark.
  ///
  /// - Throws: `MoneyError.notARate` if the text has a different form, is zero or is too long.
  public init(_ text: some StringProtocol, decimalMark: Character = ".") throws(MoneyError) {
    var scanner = AmountScanner(decimalMark: decimalMark, decimalsMax: 18, padsDecimals: false)
    do throws(AmountScanner.Fault) {
      for scalar in text.unicodeScalars { try scanner.take(scalar) }
      let mantissa = try scanner.finish()
      if let quote = Quote(mantissa: mantissa, scale: UInt8(scanner.decimalCount)) {
        self = quote
        return
      }
    } catch {}
    throw .notARate(String(text))
  }
}

extension Quote: CustomStringConvertible {
  /// The decimal, such as "1.0842".
  public var description: String { decimalText(Int128(mantissa), digits: Int(scale)) }
}

/// A quote and its day.
public struct DatedQuote: Hashable, Sendable, Codable {
  /// The day of the rate, which can be earlier than the requested day.
  public var day: Day
  /// The rate.
  public var quote: Quote

  /// Creates a dated quote.
  public init(day: Day, quote: Quote) {
    self.day = day
    self.quote = quote
  }
}
