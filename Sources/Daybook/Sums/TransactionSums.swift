/// The count and the sums of the transactions in a list.
///
/// ```swift
/// let filter = TransactionFilter(days: Month(year: 2026, month: 2).days, payee: "Rewe")
/// let sums = try snapshot.sums(of: filter)
/// print(sums.count, sums.amounts, sums.converted?.net ?? "no base currency")
/// ```
public struct TransactionSums: Hashable, Sendable, Codable {
  /// The number of transactions.
  public var count: Int
  /// The sums of each currency that has any, in order of currency code.
  public var amounts: [CurrencySums]
  /// The sums in the base currency, or `nil` without one.
  public var converted: ConvertedSums?
  /// Whether every transaction of the list is included.
  ///
  /// If not, more rows would have had to be read than allowed, and the sums are those of the newest
  /// transactions.
  public var isComplete: Bool
  /// The amounts of these transactions that are excluded from totals, and that the other sums don't
  /// contain; `nil` if there are none, or if the filter has a condition on them
  /// (``TransactionFilter/isExcluded``).
  public var excluded: ExcludedSums?
  /// The number of rows that were read, which is 0 if stored totals contain the sums.
  public var readCount: Int

  /// Creates the sums of a list.
  public init(
    count: Int, amounts: [CurrencySums], converted: ConvertedSums? = nil, isComplete: Bool = true,
    readCount: Int = 0, excluded: ExcludedSums? = nil
  ) {
    self.count = count
    self.amounts = amounts
    self.converted = converted
    self.isComplete = isComplete
    self.readCount = readCount
    self.excluded = excluded
  }

  /// Returns the sums in one currency, or zeros if there are none.
  public func amounts(in currency: Currency) -> CurrencySums {
    amounts.first { $0.currency == currency } ?? CurrencySums(in: currency)
  }
}

/// The count and the sums of what totals leave out of a list.
public struct ExcludedSums: Hashable, Sendable, Codable {
  /// The number of transactions of which something is left out.
  public var count: Int
  /// The sums of each currency that has any, in order of currency code.
  public var amounts: [CurrencySums]
  /// The sums in the base currency, or `nil` without one.
  public var converted: ConvertedSums?

  /// Creates the sums of what is left out.
  public init(count: Int, amounts: [CurrencySums], converted: ConvertedSums? = nil) {
    self.count = count
    self.amounts = amounts
    self.converted = converted
  }
}

/// The money that came in and went out in one currency.
///
/// With a filter by account, these are the sums of the postings to the accounts, including
/// transfers. Otherwise, they are the sums of the parts in categories, in the filter's categories if
/// it has any: a refund came in, like an income.
public struct CurrencySums: Hashable, Sendable, Codable {
  /// The currency of all figures.
  public var currency: Currency
  /// The money that came in, as a positive number.
  public var moneyIn: Total
  /// The money that went out, as a positive number.
  public var moneyOut: Total
  /// The amount of transfers, measured by the amounts that left their source accounts.
  ///
  /// It is 0 with a filter by account, where transfers count as money in or out, and with a filter
  /// by category.
  public var transfers: Total

  /// Creates the sums of one currency, in minor units.
  public init(
    in currency: Currency, moneyIn: Int128 = 0, moneyOut: Int128 = 0, transfers: Int128 = 0
  ) {
    self.currency = currency
    self.moneyIn = Total(units: moneyIn, currency: currency)
    self.moneyOut = Total(units: moneyOut, currency: currency)
    self.transfers = Total(units: transfers, currency: currency)
  }

  /// The money that came in less the money that went out.
  public var net: Total { Total(units: moneyIn.units - moneyOut.units, currency: currency) }
}

/// The money that came in and went out, in a base currency.
public struct ConvertedSums: Hashable, Sendable, Codable {
  /// The base currency.
  public var base: Currency
  /// The money that came in.
  public var moneyIn: Converted
  /// The money that went out, as a positive number.
  public var moneyOut: Converted
  /// The amount of transfers; see ``CurrencySums/transfers``.
  public var transfers: Converted

  /// Creates the sums in a base currency.
  public init(base: Currency, moneyIn: Converted, moneyOut: Converted, transfers: Converted) {
    self.base = base
    self.moneyIn = moneyIn
    self.moneyOut = moneyOut
    self.transfers = transfers
  }

  /// The converted money that came in less the converted money that went out.
  public var net: Total {
    Total(units: moneyIn.total.units - moneyOut.total.units, currency: base)
  }
}

/// The sums of one month's transactions.
public struct MonthSums: Hashable, Sendable, Codable {
  /// The month; only transactions up to `today` count.
  public var month: Month
  /// The sums of the month's transactions.
  public var sums: TransactionSums

  /// Creates the sums of one month.
  public init(month: Month, sums: TransactionSums) {
    self.month = month
    self.sums = sums
  }
}

/// The sums of a tag's or payee's transactions, month by month.
public struct NamedMonths: Hashable, Sendable, Codable {
  /// The tag as written, or the payee as written in the newest transaction.
  public var name: String
  /// The sums of each month, in order, including months without transactions.
  public var months: [MonthSums]

  /// Creates the sums of a tag or payee.
  public init(name: String, months: [MonthSums]) {
    self.name = name
    self.months = months
  }

  /// The number of transactions in all months.
  public var count: Int { months.reduce(0) { $0 + $1.sums.count } }
}
