import DaybookBookkeeping

/// An exact fraction, written by GnuCash as `-1250/100`.
struct GnuCashNumber: Hashable, Sendable {
  var numerator: Int64
  /// The denominator, which is positive.
  var denominator: Int64

  static let zero = GnuCashNumber(numerator: 0, denominator: 1)

  /// Parses a whole number or a fraction.
  ///
  /// Returns `nil` if the text isn't valid.
  init?(_ text: [UInt8]) {
    var parts: (Int64, Int64) = (0, 0)
    var isBelow = false
    var digitCount = 0
    var isNegative = false
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "/") where !isBelow && digitCount > 0:
        isBelow = true
        digitCount = 0
      case 0x30...0x39:
        digitCount += 1
        let digit = Int64(byte - 0x30)
        let old = isBelow ? parts.1 : parts.0
        let (product, overflow) = old.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(digit)
        guard !overflow, !carry else { return nil }
        if isBelow { parts.1 = sum } else { parts.0 = sum }
      default: return nil
      }
    }
    guard digitCount > 0, !isBelow || parts.1 > 0 else { return nil }
    numerator = isNegative ? 0 - parts.0 : parts.0
    denominator = isBelow ? parts.1 : 1
  }

  init(numerator: Int64, denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  var isZero: Bool { numerator == 0 }

  /// The reason why a number isn't an amount.
  enum Fault: Error {
    case decimals
    case overflow
  }

  /// Returns the number as an amount of a currency.
  func money(_ currency: Currency) throws(Fault) -> Money {
    var scaled = Int128(numerator)
    for _ in 0..<currency.digits {
      let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
      guard !overflow else { throw .overflow }
      scaled = product
    }
    let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: Int128(denominator))
    guard rest == 0 else { throw .decimals }
    guard let units = Int64(exactly: quotient), units != .min else { throw .overflow }
    return Money(units, currency)
  }

  /// The number as an exchange rate, and whether it is exact; `nil` if it isn't positive or doesn't
  /// fit.
  var quote: (quote: Quote, isExact: Bool)? {
    guard numerator > 0 else { return nil }
    // Keep as many decimals as fit, but at most 12.
    var scaled = Int128(numerator)
    var scale: UInt8 = 0
    while scale < 12, scaled % Int128(denominator) != 0,
      scaled / Int128(denominator) < 1_000_000_000_000_000
    {
      scaled *= 10
      scale += 1
    }
    let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: Int128(denominator))
    let rounded = quotient + (rest * 2 >= Int128(denominator) ? 1 : 0)
    guard let mantissa = Int64(exactly: rounded),
      let quote = Quote(mantissa: mantissa, scale: scale)
    else { return nil }
    return (quote, rest == 0)
  }
}

/// An exact sum of fractions.
struct GnuCashSum {
  private var numerator: Int128 = 0
  private var denominator: Int128 = 1
  private(set) var hasOverflowed = false

  var isZero: Bool { numerator == 0 && !hasOverflowed }

  mutating func add(_ number: GnuCashNumber) {
    let other = Int128(number.denominator)
    if other == denominator { return add(Int128(number.numerator)) }
    if numerator == 0 {
      denominator = other
      return add(Int128(number.numerator))
    }
    let common = GnuCashSum.divisor(denominator, other)
    let (own, first) = numerator.multipliedReportingOverflow(by: other / common)
    let (new, second) = Int128(number.numerator).multipliedReportingOverflow(
      by: denominator / common)
    let (below, third) = denominator.multipliedReportingOverflow(by: other / common)
    guard !first, !second, !third else {
      hasOverflowed = true
      return
    }
    numerator = own
    denominator = below
    add(new)
  }

  private mutating func add(_ units: Int128) {
    let (sum, overflow) = numerator.addingReportingOverflow(units)
    if overflow { hasOverflowed = true } else { numerator = sum }
  }

  private static func divisor(_ left: Int128, _ right: Int128) -> Int128 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}
