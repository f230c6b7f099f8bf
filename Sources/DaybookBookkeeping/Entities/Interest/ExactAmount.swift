/// An exact fraction of a currency's minor units, such as the interest accrued by a day.
public struct ExactAmount: Hashable, Sendable {
  /// The number of minor units, multiplied by ``denominator``.
  public var numerator: Int128
  /// The denominator, which is positive.
  public let denominator: Int128
  /// The currency.
  public let currency: Currency

  /// Creates a fraction of minor units.
  ///
  /// - Precondition: `denominator` is positive.
  public init(_ numerator: Int128, over denominator: Int128, _ currency: Currency) {
    precondition(denominator > 0, "the denominator isn't positive")
    self.numerator = numerator
    self.denominator = denominator
    self.currency = currency
  }

  /// The amount in whole minor units, rounded once, half to even.
  public var rounded: Total {
    Total(units: Self.rounded(numerator, by: denominator), currency: currency)
  }

  /// Returns the amount as text with more decimals than the currency has, rounded half to even.
  ///
  /// If the result would be too large to compute, it has the currency's decimals.
  public func text(moreDecimals: Int = 4) -> String {
    var scale: Int128 = 1
    for _ in 0..<max(0, min(moreDecimals, 18)) { scale *= 10 }
    let (product, overflow) = numerator.multipliedReportingOverflow(by: scale)
    if overflow { return rounded.text }
    return decimalText(
      Self.rounded(product, by: denominator),
      digits: currency.digits + max(0, min(moreDecimals, 18)))
  }

  /// Divides and rounds once, half to even.
  static func rounded(_ numerator: Int128, by denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    let (size, rest) = (remainder.magnitude, denominator.magnitude - remainder.magnitude)
    if size < rest || size == rest && quotient % 2 == 0 { return quotient }
    return numerator < 0 ? quotient - 1 : quotient + 1
  }
}

extension ExactAmount: CustomStringConvertible, Codable {
  private enum Key: String, CodingKey { case amount, exact, currency, numerator, denominator }

  /// The amount with four more decimals than the currency has, and the currency's code.
  public var description: String { "\(text()) \(currency.code)" }

  /// Writes the rounded amount as `amount`, and the fraction of minor units as `numerator` and
  /// `denominator`, in lowest terms.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(rounded.text, forKey: .amount)
    try container.encode(text(), forKey: .exact)
    try container.encode(currency, forKey: .currency)
    var (larger, smaller) = (denominator.magnitude, numerator.magnitude)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    let common = Int128(larger)
    try container.encode("\(numerator / common)", forKey: .numerator)
    try container.encode("\(denominator / common)", forKey: .denominator)
  }

  /// Reads the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if the fraction is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let numerator = try container.decode(String.self, forKey: .numerator)
    let denominator = try container.decode(String.self, forKey: .denominator)
    guard let numerator = Int128(numerator), let denominator = Int128(denominator), denominator > 0
    else { throw container.fault(.denominator, "the fraction of minor units is invalid") }
    self.init(numerator, over: denominator, try container.decode(Currency.self, forKey: .currency))
  }
}
