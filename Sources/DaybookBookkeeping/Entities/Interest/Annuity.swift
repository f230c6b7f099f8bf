/// Payments of loans.
enum Annuity {
  /// Fractions are multiples of 2^-90, so that products with a rate's denominator fit.
  private static let one: UInt128 = 1 << 90

  /// Returns the equal payment that repays a principal with interest, rounded half to even.
  ///
  /// It is *principal ÷ (v + v² + … + vⁿ)*, where *v = 1 ÷ (1 + rate per period)*. The sum is exact
  /// to 2⁻⁷⁹, so the payment is exact for principals below 2⁶³ minor units, except for halves of a
  /// unit that differ by less than 2⁻¹⁶.
  ///
  /// - Parameters:
  ///   - principal: The principal in minor units; not negative.
  ///   - count: The number of payments, from 1.
  ///   - rate: The rate per year.
  ///   - periodsPerYear: The number of payments per year.
  static func payment(
    _ principal: Int128, count: Int, rate: InterestRate, periodsPerYear: Int
  ) -> Int128 {
    let unit = UInt128(InterestRate.unit) * UInt128(periodsPerYear)
    let grown = unit + UInt128(rate.millionths)
    var (discount, sum): (UInt128, UInt128) = (one, 0)
    for _ in 0..<count {
      discount = discount * unit / grown
      sum += discount
    }
    guard sum > 0 else { return principal }
    let product = principal.magnitude.multipliedFullWidth(by: one)
    guard product.high < sum else { return principal }
    let (quotient, remainder) = sum.dividingFullWidth((product.high, product.low))
    let rest = sum - remainder
    let isUp = remainder > rest || remainder == rest && quotient % 2 == 1
    return Int128(clamping: quotient) + (isUp ? 1 : 0)
  }

  /// Returns the number of payments that repay an amount, at most `max`.
  static func count(
    repaying owed: Int128, payment: Int128, rate: InterestRate, periodsPerYear: Int, max: Int
  ) -> Int {
    let unit = InterestRate.unit * Int128(periodsPerYear)
    var left = owed
    for count in 1..<Swift.max(max, 1) {
      let interest = ExactAmount.rounded(left &* Int128(rate.millionths), by: unit)
      guard payment > interest else { return max }
      left -= payment - interest
      if left <= 0 { return count }
    }
    return max
  }
}
