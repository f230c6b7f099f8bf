extension Budget {
  /// What falls to some days of what may be spent, whatever periods they lie in: 500 a month is 114.99 for a week.
  ///
  /// A week has 7 days, a year 365.25, a month a twelfth of that; a budget for one span has the days of that. Each day
  /// has its part of the amount that counts on it; one before ``start``, from ``end`` on, or outside of a budget's
  /// only span has none. Rounded once, half to even.
  ///
  /// - Parameter days: Half-open.
  /// - Throws: ``MoneyError`` where the share is too large for an amount.
  /// - Complexity: O(steps).
  public func share(of days: Range<Day>) throws(MoneyError) -> Money {
    var first = max(days.lowerBound, start ?? days.lowerBound)
    var last = min(days.upperBound, end ?? days.upperBound)
    // An amount times days, times a numerator and through a denominator.
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
