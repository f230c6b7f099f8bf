extension Budget {
  /// The share of the budget that falls on some days, regardless of its periods.
  ///
  /// For example, 500 a month is 114.99 for a week. A week counts as 7 days, a year as 365.25 days
  /// and a month as a twelfth of a year; a custom period counts its own days. Each day has its
  /// share of the amount that applies on it. Days before ``start``, from ``end`` on, or outside a
  /// custom period have no share. The result is rounded once, half to even.
  ///
  /// - Parameter days: The half-open range of days.
  /// - Throws: ``MoneyError`` if the share is too large for an amount.
  /// - Complexity: O(steps).
  public func share(of days: Range<Day>) throws(MoneyError) -> Money {
    var first = max(days.lowerBound, start ?? days.lowerBound)
    var last = min(days.upperBound, end ?? days.upperBound)
    // The share is amount × days × numerator / denominator.
    let numerator: Int128
    let denominator: Int128
    switch period {
    case .weekly: (numerator, denominator) = (1, 7)
    case .monthly: (numerator, denominator) = (16, 487)
    case .yearly: (numerator, denominator) = (4, 1461)
    case .custom(let span):
      first = max(first, span.lowerBound)
      last = min(last, span.upperBound)
      (numerator, denominator) = (1, Int128(max(1, span.lowerBound.distance(to: span.upperBound))))
    }
    var whole: Int128 = 0
    func add(_ amount: Money, from: Day, to: Day) {
      guard from < to else { return }
      whole += Int128(amount.minorUnits) * Int128(from.distance(to: to))
    }
    var amount = amount
    var from = first
    for step in steps {
      add(amount, from: from, to: min(step.day, last))
      (amount, from) = (step.amount, max(step.day, from))
    }
    add(amount, from: from, to: last)
    let (quotient, rest) = (whole * numerator).quotientAndRemainder(dividingBy: denominator)
    let twice = 2 * rest.magnitude
    let roundsAway =
      twice > denominator.magnitude || (twice == denominator.magnitude && quotient & 1 != 0)
    let rounded = roundsAway ? quotient + (rest < 0 ? -1 : 1) : quotient
    guard let units = Int64(exactly: rounded) else {
      throw .overflow("the share of budget “\(name.excerpt)”")
    }
    return Money(units, amount.currency)
  }
}
