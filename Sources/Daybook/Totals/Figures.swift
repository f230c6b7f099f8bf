/// One day of a list: how many rows it has under the filter, and their sum per currency.
///
/// Without a filter by account or category, income adds and expense subtracts (transfers are
/// neutral). With one, the sum is that of the account's, or the category's, own postings. Currencies
/// whose sum is 0 are left out.
public struct DaySection: Hashable, Sendable, Codable {
  /// The calendar day that the section's rows have.
  public var day: Day
  /// The number of transactions of the day under the filter.
  public var count: Int
  /// One sum per currency, in order of currency code.
  public var sums: [Total]

  /// The figures of a day, as a test or preview gives them.
  public init(day: Day, count: Int, sums: [Total]) {
    self.day = day
    self.count = count
    self.sums = sums
  }
}

/// What an account holds at the end of a day.
public struct AccountBalance: Hashable, Sendable, Codable {
  /// The account as it is now, closed or not.
  public var account: Account
  /// Its balance, in its own currency.
  public var balance: Total

  /// A balance as a test or preview gives it.
  public init(account: Account, balance: Total) {
    self.account = account
    self.balance = balance
  }
}

/// A figure as of the end of a day.
public struct DatedTotal: Hashable, Sendable, Codable {
  /// The day at whose end it holds.
  public var day: Day
  /// The figure.
  public var total: Total

  /// A figure as of the end of a day.
  public init(day: Day, total: Total) {
    self.day = day
    self.total = total
  }
}

/// Figures in several currencies as of the end of a day.
public struct DatedTotals: Hashable, Sendable, Codable {
  /// The day at whose end they hold.
  public var day: Day
  /// One figure per currency, in order of currency code.
  public var totals: [Total]

  /// Figures in several currencies as of the end of a day.
  public init(day: Day, totals: [Total]) {
    self.day = day
    self.totals = totals
  }
}

/// How far the points of a series are apart.
///
/// Each step is counted from the series' first day, so that month ends stay month ends.
public enum Step: String, Hashable, Sendable, CaseIterable, Codable {
  /// A point for each day.
  case day
  /// A point every seven days.
  case week
  /// A point for each month.
  case month
  /// A point for each year.
  case year
}

/// What came in, went out and was moved in one currency.
public struct CurrencyTotals: Hashable, Sendable, Codable {
  /// The currency of all figures here.
  public var currency: Currency
  /// What income categories received, as a positive number of minor units.
  public var income: Total
  /// What expense categories received less what was refunded, in minor units.
  public var expense: Total
  /// What transfers moved, by their source amounts.
  public var transfers: Total
  /// The number of transactions that touch the currency.
  public var count: Int

  /// Income less expense; beyond what an `Int128` holds, the end of it.
  public var net: Total {
    let (units, overflow) = income.units.subtractingReportingOverflow(expense.units)
    let end = income.units < 0 ? Int128.min : Int128.max
    return Total(units: overflow ? end : units, currency: currency)
  }

  /// Figures of one currency.
  public init(currency: Currency, income: Total, expense: Total, transfers: Total, count: Int) {
    self.currency = currency
    self.income = income
    self.expense = expense
    self.transfers = transfers
    self.count = count
  }
}

/// The figures of one month.
public struct MonthTotals: Hashable, Sendable, Codable {
  /// The month that the figures are of, rows up to `today` only.
  public var month: Month
  /// One element per currency that has any figure, in order of currency code.
  public var totals: SharedList<CurrencyTotals>

  /// The figures of one month.
  public init(month: Month, totals: some Sequence<CurrencyTotals>) {
    self.init(month: month, sharing: SharedList(totals))
  }

  init(month: Month, sharing totals: SharedList<CurrencyTotals>) {
    self.month = month
    self.totals = totals
  }

  /// The figures in one currency: zeroes where there are none.
  public func totals(in currency: Currency) -> CurrencyTotals {
    totals.first { $0.currency == currency } ?? .zero(currency)
  }
}

extension CurrencyTotals {
  static func zero(_ currency: Currency) -> CurrencyTotals {
    let nothing = Total(units: 0, currency: currency)
    return CurrencyTotals(
      currency: currency, income: nothing, expense: nothing, transfers: nothing, count: 0)
  }
}

/// What one category took in and gave out in one currency.
public struct CategoryAmount: Hashable, Sendable, Codable {
  /// Postings into the category: spending of an expense category, corrections of an income one.
  public var into: Total
  /// Postings out of the category, positive: income of an income category, refunds of an expense
  /// one.
  public var out: Total
  /// The number of transactions that touch the category in this currency.
  public var count: Int

  /// What one category took in and gave out.
  public init(into: Total, out: Total, count: Int) {
    self.into = into
    self.out = out
    self.count = count
  }

  /// The currency of the figures.
  public var currency: Currency { into.currency }
}

/// A category's part of a period, per currency.
public struct CategoryTotal: Hashable, Sendable, Codable {
  /// The category.
  ///
  /// With rolled-up figures its subcategories are part of it.
  public var category: Category
  /// One element per currency, in order of currency code.
  public var amounts: SharedList<CategoryAmount>

  /// A category's part of a period.
  public init(category: Category, amounts: some Sequence<CategoryAmount>) {
    self.init(category: category, sharing: SharedList(amounts))
  }

  init(category: Category, sharing amounts: SharedList<CategoryAmount>) {
    self.category = category
    self.amounts = amounts
  }

  /// What was spent (expense) or received (income), per currency: refunds and corrections are
  /// taken off.
  public var totals: [Total] { amounts.map { net($0) } }

  /// What was spent or received in one currency: zero where there is nothing.
  public func total(in currency: Currency) -> Total {
    amounts.first { $0.currency == currency }.map { net($0) } ?? Total(units: 0, currency: currency)
  }

  private func net(_ amount: CategoryAmount) -> Total {
    let difference = amount.into.units - amount.out.units
    return Total(
      units: category.kind == .expense ? difference : -difference, currency: amount.currency)
  }
}

/// A category's figures in one month of a trend.
public struct CategoryMonth: Hashable, Sendable, Codable {
  /// The month that the figures are of, rows up to `today` only.
  public var month: Month
  /// The category's figures of the month, its subcategories' included where they were asked for.
  public var total: CategoryTotal

  /// A category's figures in one month.
  public init(month: Month, total: CategoryTotal) {
    self.month = month
    self.total = total
  }
}
