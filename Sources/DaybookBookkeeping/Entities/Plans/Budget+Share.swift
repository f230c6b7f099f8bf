extension Budget {
  /// The share of the budget that falls on some days, regardless of its periods.
  ///
  /// For example, 500 a month is 114.99 for a week. A week counts as 7 days, a year as 365.25 days,
  /// a month as a twelfth of a year and half a month as half of that; a custom period counts its
  /// own days. Each day has its
  /// share of the amount that applies on it, by the length of the periods that apply on it. Days
  /// before ``start``, from ``end`` on, or outside a custom period have no share. The result is rounded once, half to even.
  ///
  /// - Parameter days: The half-open range of days.
  /// - Throws: ``MoneyError`` if the share is too large for an amount.
  /// - Complexity: O(steps).
  public func share(of days: Range<Day>) throws(MoneyError) -> Money {
    var from = max(days.lowerBound, start ?? days.lowerBound)
    var last = min(days.upperBound, end ?? days.upperBound)
    if case .custom(let span) = period {
      (from, last) = (max(from, span.lowerBound), min(last, span.upperBound))
    }
    // The share is the sum of amount × days × numerator / denominator.
    var sums: [Int128: Int128] = [:]
    let changes = (steps.map(\.day) + earlierPeriods.map(\.until)).sorted()
    for to in changes + [last] where to > from && from < last {
      let to = min(to, last)
      let (numerator, denominator) = (earlierPeriods[from] ?? period).partOfDay
      sums[denominator, default: 0] +=
        Int128(amount(ofPeriodFrom: from).minorUnits) * Int128(from.distance(to: to)) * numerator
      from = to
    }
    var (whole, denominator): (Int128, Int128) = (0, 1)
    for (next, sum) in sums {
      let (left, first) = whole.multipliedReportingOverflow(by: next)
      let (right, second) = sum.multipliedReportingOverflow(by: denominator)
      let (added, third) = left.addingReportingOverflow(right)
      let (product, fourth) = denominator.multipliedReportingOverflow(by: next)
      guard !first, !second, !third, !fourth else { throw tooLarge }
      (whole, denominator) = (added, product)
    }
    guard let units = Int64(exactly: whole.dividedHalfToEven(by: denominator)) else {
      throw tooLarge
    }
    return Money(units, amount.currency)
  }

  private var tooLarge: MoneyError { .overflow("the share of budget “\(name.excerpt)”") }
}

extension BudgetPeriod {
  /// The part of a period's amount that falls on a day.
  fileprivate var partOfDay: (numerator: Int128, denominator: Int128) {
    switch self {
    case .weekly: (1, 7)
    case .monthly: (16, 487)
    case .yearly: (4, 1461)
    case .custom(let span): (1, Int128(max(1, span.lowerBound.distance(to: span.upperBound))))
    case .weeks(let count, _): (1, 7 * Int128(max(1, count)))
    case .halfMonthly: (32, 487)
    case .months(let count, _): (16, 487 * Int128(max(1, count)))
    }
  }
}

extension Int128 {
  /// Divides by a positive number and rounds half to even.
  func dividedHalfToEven(by denominator: Int128) -> Int128 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: denominator)
    let twice = 2 * rest.magnitude
    let roundsAway =
      twice > denominator.magnitude || (twice == denominator.magnitude && quotient & 1 != 0)
    return roundsAway ? quotient + (rest < 0 ? -1 : 1) : quotient
  }
}
