extension Total {
  /// A total of zero in a currency.
  @inlinable
  public static func zero(_ currency: Currency) -> Total { Total(units: 0, currency: currency) }

  /// Returns the sum.
  ///
  /// - Throws: `MoneyError` if the currencies differ or the sum is too large.
  public static func + (left: Total, right: Total) throws(MoneyError) -> Total {
    try check(left, right)
    let (sum, overflow) = left.units.addingReportingOverflow(right.units)
    guard !overflow else { throw .overflow("\(left) + \(right)") }
    return Total(units: sum, currency: left.currency)
  }

  /// Returns the difference.
  ///
  /// - Throws: `MoneyError` if the currencies differ or the difference is too large.
  public static func - (left: Total, right: Total) throws(MoneyError) -> Total {
    try check(left, right)
    let (difference, overflow) = left.units.subtractingReportingOverflow(right.units)
    guard !overflow else { throw .overflow("\(left) − \(right)") }
    return Total(units: difference, currency: left.currency)
  }

  /// Returns the total with the opposite sign.
  ///
  /// - Throws: `MoneyError.overflow` for the smallest total, which has no opposite.
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

/// Orders amounts within their currency, and currencies by code, so that lists with several
/// currencies can be sorted.
///
/// The order doesn't compare the value of amounts in different currencies, which would require a
/// rate.
extension Money: Comparable {
  /// Orders by the currency's code, then by the amount.
  @inlinable
  public static func < (left: Money, right: Money) -> Bool {
    left.currency != right.currency
      ? left.currency < right.currency : left.minorUnits < right.minorUnits
  }
}

/// Orders totals within their currency, and currencies by code, so that lists with several
/// currencies can be sorted.
///
/// The order doesn't compare the value of totals in different currencies, which would require a
/// rate.
extension Total: Comparable {
  /// Orders by the currency's code, then by the total.
  @inlinable
  public static func < (left: Total, right: Total) -> Bool {
    left.currency != right.currency ? left.currency < right.currency : left.units < right.units
  }
}
