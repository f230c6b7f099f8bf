/// How minor units of one currency become minor units of another: an exact fraction.
///
/// However many quotes it is made of, an amount is rounded once, half to even.
public struct Conversion: Hashable, Sendable {
  /// The currency that is converted from.
  public let source: Currency
  /// The currency that is converted to.
  public let target: Currency
  /// What minor units are multiplied by.
  public let numerator: UInt128
  /// What they are then divided by.
  public let denominator: UInt128

  /// The conversion of a currency to itself.
  public init(identity currency: Currency) {
    source = currency
    target = currency
    numerator = 1
    denominator = 1
  }

  /// By a rate that quotes `source` in `target`.
  ///
  /// - Throws: `MoneyError.overflow` where the fraction does not fit.
  public init(direct quote: Quote, from source: Currency, to target: Currency) throws(MoneyError) {
    try self.init(
      UInt128(quote.mantissa), 1, tens: target.digits - source.digits - Int(quote.scale),
      from: source, to: target)
  }

  /// By a rate that quotes `target` in `source`.
  ///
  /// - Throws: `MoneyError.overflow` where the fraction does not fit.
  public init(inverse quote: Quote, from source: Currency, to target: Currency) throws(MoneyError) {
    try self.init(
      1, UInt128(quote.mantissa), tens: target.digits - source.digits + Int(quote.scale),
      from: source, to: target)
  }

  /// One conversion after the other, without rounding between them.
  ///
  /// - Throws: `MoneyError` where the fraction does not fit or the first does not end where the
  ///   second begins.
  public init(_ first: Conversion, then second: Conversion) throws(MoneyError) {
    guard first.target == second.source else { throw .currencies(first.target, second.source) }
    // Cancelling crosswise before multiplying keeps both products as small as they can be.
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
    // Two currencies of 18 decimals differ by no more; 10 to the power of 36 has 120 bits.
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

  /// Minor units of `source` in minor units of `target`, rounded once, half to even.
  ///
  /// - Throws: `MoneyError.overflow` where the result does not fit.
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

  /// An amount of `source` as an amount of `target`, rounded once, half to even.
  ///
  /// - Throws: `MoneyError` where the result does not fit or `money` is of another currency.
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
