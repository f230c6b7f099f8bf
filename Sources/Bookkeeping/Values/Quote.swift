/// An exchange rate as it was quoted: an exact decimal above zero.
///
/// One major unit of the base currency costs this many major units of the quoted currency: for USD
/// in KZT, 450 says that 1 USD is 450 KZT.
public struct Quote: Hashable, Sendable {
  /// The digits without the decimal point.
  public let mantissa: Int64
  /// How many of the digits stand after the point, 0 to 18.
  public let scale: UInt8

  /// A quote of `mantissa` / 10^`scale`, or `nil` where it is not above zero or has too many decimals.
  ///
  /// Zeros at the end are dropped, so that 1.10 and 1.1 are equal.
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

  /// A quote that is in its shortest form already.
  init(unchecked mantissa: Int64, scale: UInt8) {
    self.mantissa = mantissa
    self.scale = scale
  }

  /// A quote from its text, such as "1.0842" or "450": digits and at most one point.
  ///
  /// - Throws: `MoneyError.notARate` where the text is anything else, zero, or too long.
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

/// A quote and the day it was quoted for.
public struct DatedQuote: Hashable, Sendable, Codable {
  /// The day of the rate, which may be earlier than the day asked for.
  public var day: Day
  /// The rate.
  public var quote: Quote

  /// A quote of a day.
  public init(day: Day, quote: Quote) {
    self.day = day
    self.quote = quote
  }
}
