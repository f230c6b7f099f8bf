/// A conversion of minor units of one currency to another, as an exact fraction.
///
/// A converted amount is rounded once, half to even, even if the conversion combines several
/// quotes.
public struct Conversion: Hashable, Sendable {
  /// The currency to convert from.
  public let source: Currency
  /// The currency to convert to.
  public let target: Currency
  /// The factor by which minor units are multiplied.
  public let numerator: UInt128
  /// The divisor of the product.
  public let denominator: UInt128

  /// Creates the conversion of a currency to itself.
  public init(identity currency: Currency) {
    source = currency
    target = currency
    numerator = 1
    denominator = 1
  }

  /// Creates a conversion from a rate that quotes `source` in `target`.
  ///
  /// - Throws: `MoneyError.overflow` if the fraction is too large.
  public init(direct quote: Quote, from source: Currency, to target: Currency) throws(MoneyError) {
    try self.init(
      UInt128(quote.mantissa), 1, tens: target.digits - source.digits - Int(quote.scale),
      from: source, to: target)
  }

  /// Creates a conversion from a rate that quotes `target` in `source`.
  ///
  /// - Throws: `MoneyError.overflow` if the fraction is too large.
  public init(inverse quote: Quote, from source: Currency, to target: Currency) throws(MoneyError) {
    try self.init(
      1, UInt128(quote.mantissa), tens: target.digits - source.digits + Int(quote.scale),
      from: source, to: target)
  }

  /// Combines two conversions, without rounding in between.
  ///
  /// - Throws: `MoneyError` if the fraction is too large, or if the first conversion's target isn't
  ///   the second's source.
  public init(_ first: Conversion, then second: Conversion) throws(MoneyError) {
    guard first.target == second.source else { throw .currencies(first.target, second.source) }
    // Cancel crosswise before multiplying, to keep both products as small as possible.
    let left = greatestCommonDivisor(first.numerator, second.denominator)
    let right = greatestCommonDivisor(second.numerator, first.denominator)
    let above = (first.numerator / left).multipliedReportingOverflow(by: second.numerator / right)
    let below = (first.denominator / right)
      .multipliedReportingOverflow(by: second.denominator / left)
    guard !above.overflow, !below.overflow else {
      throw .overflow("the rate from \(first.source) to \(second.target)")
    }
    source = first.source
    target = second.target
    numerator = above.partialValue
    denominator = below.partialValue
  }

  private init(
    _ above: UInt128, _ below: UInt128, tens: Int, from source: Currency, to target: Currency
  ) throws(MoneyError) {
    // With at most 18 decimals in each currency and in the quote, the exponent is within ±36, and
    // 10^36 has 120 bits.
    guard abs(tens) <= 36 else { throw .overflow("the rate from \(source) to \(target)") }
    var power: UInt128 = 1
    for _ in 0..<abs(tens) { power *= 10 }
    let up = above.multipliedReportingOverflow(by: tens > 0 ? power : 1)
    let down = below.multipliedReportingOverflow(by: tens < 0 ? power : 1)
    guard !up.overflow, !down.overflow else {
      throw .overflow("the rate from \(source) to \(target)")
    }
    let divisor = greatestCommonDivisor(up.partialValue, down.partialValue)
    self.source = source
    self.target = target
    numerator = up.partialValue / divisor
    denominator = down.partialValue / divisor
  }

  /// Converts minor units of `source` to minor units of `target`, rounded once, half to even.
  ///
  /// - Throws: `MoneyError.overflow` if the result is too large.
  public func convert(_ units: Int128) throws(MoneyError) -> Int128 {
    let product = units.magnitude.multipliedFullWidth(by: numerator)
    guard product.high < denominator else { throw overflow(units) }
    let (whole, rest) =
      product.high == 0
      ? product.low.quotientAndRemainder(dividingBy: denominator)
      : denominator.dividingFullWidth((product.high, product.low))
    let gap = denominator - rest
    let roundsUp = rest > gap || (rest == gap && whole & 1 == 1)
    let magnitude = whole.addingReportingOverflow(roundsUp ? 1 : 0)
    guard !magnitude.overflow, let size = Int128(exactly: magnitude.partialValue) else {
      throw overflow(units)
    }
    return units < 0 ? -size : size
  }

  /// Converts an amount of `source` to an amount of `target`, rounded once, half to even.
  ///
  /// - Throws: `MoneyError` if the result is too large or `money` is in another currency.
  public func convert(_ money: Money) throws(MoneyError) -> Money {
    guard money.currency == source else { throw .currencies(money.currency, source) }
    let units = try convert(Int128(money.minorUnits))
    guard let fitting = Int64(exactly: units) else { throw overflow(units) }
    return Money(fitting, target)
  }

  private func overflow(_ units: Int128) -> MoneyError {
    .overflow("\(Total(units: units, currency: source)) in \(target)")
  }
}

/// Euclid's algorithm.
private func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
  var (larger, smaller) = (left, right)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
