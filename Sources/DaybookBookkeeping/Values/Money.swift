/// An exact amount: minor units (cents) of a currency.
public struct Money: Hashable, Sendable {
  /// The number of minor units: 1234 is 12.34 USD.
  public var minorUnits: Int64
  /// The currency.
  public var currency: Currency

  /// Creates an amount in minor units.
  @inlinable
  public init(minorUnits: Int64, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Creates an amount in minor units.
  @inlinable
  public init(_ minorUnits: Int64, _ currency: Currency) {
    self.init(minorUnits: minorUnits, currency: currency)
  }

  /// An amount of zero in a currency.
  @inlinable
  public static func zero(_ currency: Currency) -> Money { Money(0, currency) }

  /// Returns the sum.
  ///
  /// - Throws: `MoneyError` if the currencies differ or the sum is too large.
  @inlinable
  public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
    guard left.currency == right.currency else {
      throw .currencies(left.currency, right.currency)
    }
    let (sum, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
    guard !overflow else { throw .overflow("\(left) + \(right)") }
    return Money(sum, left.currency)
  }

  /// Returns the difference.
  ///
  /// - Throws: `MoneyError` if the currencies differ or the difference is too large.
  @inlinable
  public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
    guard left.currency == right.currency else {
      throw .currencies(left.currency, right.currency)
    }
    let (difference, overflow) = left.minorUnits.subtractingReportingOverflow(right.minorUnits)
    guard !overflow else { throw .overflow("\(left) − \(right)") }
    return Money(difference, left.currency)
  }

  /// Returns the amount with the opposite sign.
  ///
  /// - Throws: `MoneyError.overflow` for the smallest amount, which has no opposite.
  @inlinable
  public func negated() throws(MoneyError) -> Money {
    guard minorUnits != .min else { throw .overflow("the opposite of \(self)") }
    return Money(-minorUnits, currency)
  }
}

/// A sum of amounts in one currency, which can't overflow within a ledger's limits.
public struct Total: Hashable, Sendable {
  /// The number of minor units.
  public var units: Int128
  /// The currency.
  public var currency: Currency

  /// Creates a total in minor units.
  @inlinable
  public init(units: Int128, currency: Currency) {
    self.units = units
    self.currency = currency
  }

  /// Creates a total of one amount.
  @inlinable
  public init(_ money: Money) {
    self.init(units: Int128(money.minorUnits), currency: money.currency)
  }

  /// The total as an amount, or `nil` if it is too large.
  @inlinable
  public var money: Money? {
    Int64(exactly: units).map { Money($0, currency) }
  }
}
