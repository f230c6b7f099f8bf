public import DaybookBookkeeping
public import Foundation

extension Money {
  /// Creates an amount from a decimal: `Money(decimal: price, .eur)`.
  ///
  /// The label is required so that `Money(12, .eur)` always means twelve cents, not twelve euros.
  ///
  /// - Throws: `MoneyError` if the decimal has more decimals than the currency (round it first),
  ///   isn't a number, or is too large.
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

  /// The exact amount as a decimal.
  public var decimal: Decimal { Total(self).decimal }
}

extension Total {
  /// The exact total as a decimal.
  public var decimal: Decimal {
    let (high, low) = units.magnitude.quotientAndRemainder(dividingBy: 1 << 64)
    // A decimal's significand has as many bits as a total.
    let significand = Decimal(UInt64(high)) * (Decimal(UInt64.max) + 1) + Decimal(UInt64(low))
    return Decimal(
      sign: units < 0 ? .minus : .plus, exponent: -currency.digits, significand: significand)
  }
}
