public import Bookkeeping
public import Foundation

extension Money {
  /// An amount of a decimal: `Money(decimal: price, .eur)`.
  ///
  /// It has a label, so that `Money(12, .eur)` stays twelve cents and cannot become twelve euros.
  ///
  /// - Throws: `MoneyError` where the decimal has more digits after the point than the currency has (round
  ///   it first), is not a number, or does not fit.
  public init(decimal amount: Decimal, _ currency: Currency) throws(MoneyError) {
    guard amount.isFinite else { throw .notAnAmount("it is no number", text: "\(amount)") }
    var (scaled, whole, given) = (Decimal(), Decimal(), amount)
    let fault = NSDecimalMultiplyByPowerOf10(&scaled, &given, Int16(currency.digits), .plain)
    guard fault == .noError else { throw .overflow("\(amount) \(currency)") }
    NSDecimalRound(&whole, &scaled, 0, .plain)
    guard whole == scaled else { throw .tooManyDecimals(currency, text: "\(amount)") }
    guard let units = Int64("\(whole)") else { throw .overflow("\(amount) \(currency)") }
    self.init(units, currency)
  }

  /// The amount as a decimal, exactly.
  public var decimal: Decimal { Total(self).decimal }
}

extension Total {
  /// The total as a decimal, exactly.
  public var decimal: Decimal {
    let (high, low) = units.magnitude.quotientAndRemainder(dividingBy: 1 << 64)
    // The significand of a decimal has as many bits as a total.
    let significand = Decimal(UInt64(high)) * (Decimal(UInt64.max) + 1) + Decimal(UInt64(low))
    return Decimal(
      sign: units < 0 ? .minus : .plus, exponent: -currency.digits, significand: significand)
  }
}
