/// An exact amount: minor units (cents) of a currency.
public struct Money: Hashable, Sendable {
  /// How many of the smallest unit: 1234 is 12.34 USD.
  public var minorUnits: Int64
  /// Of what.
  public var currency: Currency

  /// An amount in minor units.
  @inlinable
  public init(minorUnits: Int64, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// An amount in minor units.
  @inlinable
  public init(_ minorUnits: Int64, _ currency: Currency) {
    self.init(minorUnits: minorUnits, currency: currency)
  }

  /// Nothing of a currency.
  @inlinable
  public static func zero(_ currency: Currency) -> Money { Money(0, currency) }

  /// The sum.
  ///
  /// - Throws: `MoneyError` where the currencies differ or the sum does not fit.
  @inlinable
  public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
    guard left.currency == right.currency else {
      throw .currencies(left.currency, right.currency)
    }
    let (sum, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
    guard !overflow else { throw .overflow("\(left) + \(right)") }
    return Money(sum, left.currency)
  }

  /// The difference.
  ///
  /// - Throws: `MoneyError` where the currencies differ or the difference does not fit.
  @inlinable
  public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
    guard left.currency == right.currency else {
      throw .currencies(left.currency, right.currency)
    }
    let (difference, overflow) = left.minorUnits.subtractingReportingOverflow(right.minorUnits)
    guard !overflow else { throw .overflow("\(left) − \(right)") }
    return Money(difference, left.currency)
  }

  /// The amount with its sign turned.
  ///
  /// - Throws: `MoneyError.overflow` for the one amount that has no opposite.
  @inlinable
  public func negated() throws(MoneyError) -> Money {
    guard minorUnits != .min else { throw .overflow("the opposite of \(self)") }
    return Money(-minorUnits, currency)
  }
}

/// A sum over many amounts of one currency; it can't overflow within a ledger's limits.
public struct Total: Hashable, Sendable {
  /// How many of the smallest unit.
  public var units: Int128
  /// Of what.
  public var currency: Currency

  /// A total in minor units.
  @inlinable
  public init(units: Int128, currency: Currency) {
    self.units = units
    self.currency = currency
  }

  /// The total of one amount.
  @inlinable
  public init(_ money: Money) {
    self.init(units: Int128(money.minorUnits), currency: money.currency)
  }

  /// The total as an amount, or `nil` where it does not fit.
  @inlinable
  public var money: Money? {
    Int64(exactly: units).map { Money($0, currency) }
  }
}
