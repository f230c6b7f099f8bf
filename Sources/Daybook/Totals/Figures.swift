/// One day of a list: the number of matching transactions, and their sum per currency.
///
/// Without a filter by account or category, income adds to the sum, expenses subtract from it, and
/// transfers don't count. With such a filter, the sum is that of the postings to these accounts or
/// categories. Currencies with a sum of 0 are left out.
public struct DaySection: Hashable, Sendable, Codable {
  /// The calendar day.
  public var day: Day
  /// The number of the day's transactions that match the filter.
  public var count: Int
  /// One sum per currency, in order of currency code.
  public var sums: [Total]

  /// Creates a section, for tests and previews.
  public init(day: Day, count: Int, sums: [Total]) {
    self.day = day
    self.count = count
    self.sums = sums
  }
}

/// An account's balance at the end of a day.
public struct AccountBalance: Hashable, Sendable, Codable {
  /// The account in its current state, which may be closed.
  public var account: Account
  /// The balance, in the account's currency.
  public var balance: Total

  /// Creates a balance, for tests and previews.
  public init(account: Account, balance: Total) {
    self.account = account
    self.balance = balance
  }
}

/// A total at the end of a day.
public struct DatedTotal: Hashable, Sendable, Codable {
  /// The day.
  public var day: Day
  /// The total.
  public var total: Total

  /// Creates a total at the end of a day.
  public init(day: Day, total: Total) {
    self.day = day
    self.total = total
  }
}

/// Totals in several currencies at the end of a day.
public struct DatedTotals: Hashable, Sendable, Codable {
  /// The day.
  public var day: Day
  /// One total per currency, in order of currency code.
  public var totals: [Total]

  /// Creates totals at the end of a day.
  public init(day: Day, totals: [Total]) {
    self.day = day
    self.totals = totals
  }
}

/// The distance between the points of a series.
///
/// Each point is counted from the first day of the series, so that month ends stay month ends.
public enum Step: String, Hashable, Sendable, CaseIterable, Codable {
  /// One point per day.
  case day
  /// One point every seven days.
  case week
  /// One point per month.
  case month
  /// One point per year.
  case year
}

/// Income, expense and transfers in one currency.
public struct CurrencyTotals: Hashable, Sendable, Codable {
  /// The currency of all figures.
  public var currency: Currency
  /// The income, as a positive number of minor units.
  public var income: Total
  /// The expenses less refunds, in minor units.
  public var expense: Total
  /// The amount of transfers, measured by the amounts that left their source accounts.
  ///
  /// It includes the part that an expense or income moves between accounts.
  public var transfers: Total
  /// The number of transactions with postings in the currency.
  public var count: Int

  /// Income less expense, clamped to the range of `Int128`.
  public var net: Total {
    let (units, overflow) = income.units.subtractingReportingOverflow(expense.units)
    let end = income.units < 0 ? Int128.min : Int128.max
    return Total(units: overflow ? end : units, currency: currency)
  }

  /// Creates the figures of one currency.
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
  /// The month; only transactions up to `today` count.
  public var month: Month
  /// The figures of each currency that has any, in order of currency code.
  public var totals: SharedList<CurrencyTotals>

  /// Creates the figures of one month.
  public init(month: Month, totals: some Sequence<CurrencyTotals>) {
    self.init(month: month, sharing: SharedList(totals))
  }

  init(month: Month, sharing totals: SharedList<CurrencyTotals>) {
    self.month = month
    self.totals = totals
  }

  /// Returns the figures in one currency, or zeros if there are none.
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

/// The amounts posted to and from a category in one currency.
public struct CategoryAmount: Hashable, Sendable, Codable {
  /// The amount posted into the category: spending of an expense category, or corrections of an
  /// income category.
  public var into: Total
  /// The amount posted out of the category, without sign: income of an income category, or refunds
  /// of an expense category.
  public var out: Total
  /// The number of transactions with postings to the category in this currency.
  public var count: Int

  /// Creates the amounts of one category.
  public init(into: Total, out: Total, count: Int) {
    self.into = into
    self.out = out
    self.count = count
  }

  /// The currency of the figures.
  public var currency: Currency { into.currency }
}

/// A category's total over a period, per currency.
public struct CategoryTotal: Hashable, Sendable, Codable {
  /// The category; its subcategories are included if the figures are rolled up.
  public var category: Category
  /// The amounts per currency, in order of currency code.
  public var amounts: SharedList<CategoryAmount>

  /// Creates a category's total.
  public init(category: Category, amounts: some Sequence<CategoryAmount>) {
    self.init(category: category, sharing: SharedList(amounts))
  }

  init(category: Category, sharing amounts: SharedList<CategoryAmount>) {
    self.category = category
    self.amounts = amounts
  }

  /// The amount spent (expense) or received (income) per currency, less refunds and corrections.
  public var totals: [Total] { amounts.map { net($0) } }

  /// Returns the amount spent or received in one currency, or zero if there is none.
  public func total(in currency: Currency) -> Total {
    amounts.first { $0.currency == currency }.map { net($0) } ?? Total(units: 0, currency: currency)
  }

  private func net(_ amount: CategoryAmount) -> Total {
    let difference = amount.into.units - amount.out.units
    return Total(
      units: category.kind == .expense ? difference : -difference, currency: amount.currency)
  }
}

/// A category's figures in one month of a series.
public struct CategoryMonth: Hashable, Sendable, Codable {
  /// The month; only transactions up to `today` count.
  public var month: Month
  /// The category's figures in the month, including subcategories if requested.
  public var total: CategoryTotal

  /// Creates a category's figures in one month.
  public init(month: Month, total: CategoryTotal) {
    self.month = month
    self.total = total
  }
}
