extension Total {
  /// Nothing of a currency.
  @inlinable
  public static func zero(_ currency: Currency) -> Total { Total(units: 0, currency: currency) }

  /// The sum.
  ///
  /// - Throws: `MoneyError` where the currencies differ or the sum does not fit.
  public static func + (left: Total, right: Total) throws(MoneyError) -> Total {
    try check(left, right)
    let (sum, overflow) = left.units.addingReportingOverflow(right.units)
    guard !overflow else { throw .overflow("\(left) + \(right)") }
    return Total(units: sum, currency: left.currency)
  }

  /// The difference.
  ///
  /// - Throws: `MoneyError` where the currencies differ or the difference does not fit.
  public static func - (left: Total, right: Total) throws(MoneyError) -> Total {
    try check(left, right)
    let (difference, overflow) = left.units.subtractingReportingOverflow(right.units)
    guard !overflow else { throw .overflow("\(left) − \(right)") }
    return Total(units: difference, currency: left.currency)
  }

  /// The total with its sign turned.
  ///
  /// - Throws: `MoneyError.overflow` for the one total that has no opposite.
  public func negated() throws(MoneyError) -> Total {
    guard units != .min else { throw .overflow("the opposite of \(self)") }
    return Total(units: -units, currency: currency)
  }

  private static func check(_ left: Total, _ right: Total) throws(MoneyError) {
    guard left.currency == right.currency else {
      throw .currencies(left.currency, right.currency)
    }
  }
}

/// Amounts are ordered within their currency; currencies by their codes, so that lists of several sort.
///
/// Which of two amounts in different currencies is worth more, only a rate can say.
extension Money: Comparable {
  /// Orders by the currency's code, then by the amount.
  @inlinable
  public static func < (left: Money, right: Money) -> Bool {
    left.currency != right.currency
      ? left.currency < right.currency : left.minorUnits < right.minorUnits
  }
}

/// Totals are ordered within their currency; currencies by their codes, so that lists of several sort.
///
/// Which of two totals in different currencies is worth more, only a rate can say.
extension Total: Comparable {
  /// Orders by the currency's code, then by the total.
  @inlinable
  public static func < (left: Total, right: Total) -> Bool {
    left.currency != right.currency ? left.currency < right.currency : left.units < right.units
  }
}
