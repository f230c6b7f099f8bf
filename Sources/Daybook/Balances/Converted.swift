/// An amount that couldn't be converted, because there is no rate for its day or an earlier one.
public struct Unconverted: Hashable, Sendable {
  /// The amount, in its own currency.
  public var total: Total
  /// The number of transactions that make up the amount; for net worth, the number of accounts.
  public var count: Int

  /// Creates an unconverted amount.
  public init(total: Total, count: Int) {
    self.total = total
    self.count = count
  }
}

/// An amount in a base currency, and the parts that couldn't be converted.
///
/// What each category has on a day in a currency is converted at that day's rate or the nearest
/// earlier one, and rounded half to even. For the net worth, this is each account's balance. The
/// results are then added, so that a total is the sum of its parts: of categories, months, days,
/// budgets, payees or accounts.
public struct Converted: Hashable, Sendable {
  /// The converted part.
  public var total: Total
  /// The amounts without a rate, one per currency, in order of currency code.
  ///
  /// Empty if everything was converted.
  public var unconverted: [Unconverted]

  /// Whether everything was converted.
  public var isComplete: Bool { unconverted.isEmpty }

  /// Creates a converted amount.
  public init(total: Total, unconverted: [Unconverted] = []) {
    self.total = total
    self.unconverted = unconverted
  }

  /// Adds an amount without a rate to the unconverted amount in the same currency.
  mutating func leaveOut(_ part: Unconverted) {
    let code = part.total.currency
    if let index = unconverted.firstIndex(where: { $0.total.currency == code }) {
      unconverted[index].total.units += part.total.units
      unconverted[index].count += part.count
    } else {
      let index = unconverted.firstIndex { $0.total.currency > code } ?? unconverted.endIndex
      unconverted.insert(part, at: index)
    }
  }
}

/// The figures of a range of days in a base currency.
public struct ConvertedTotals: Hashable, Sendable, Codable {
  /// The base currency.
  public var base: Currency
  /// The income.
  public var income: Converted
  /// The expense, less refunds.
  public var expense: Converted
  /// The amount of transfers.
  public var transfers: Converted

  /// Creates the figures of a range of days.
  public init(base: Currency, income: Converted, expense: Converted, transfers: Converted) {
    self.base = base
    self.income = income
    self.expense = expense
    self.transfers = transfers
  }

  /// The converted income less the converted expense; unconverted parts of both are ignored.
  public var net: Total {
    Total(units: income.total.units - expense.total.units, currency: base)
  }
}

/// A category's total over a period, in a base currency.
public struct ConvertedCategoryTotal: Hashable, Sendable, Codable {
  /// The category; its subcategories are included if the figures are rolled up.
  public var category: Category
  /// The amount spent (expense) or received (income).
  public var amount: Converted

  /// Creates a category's total.
  public init(category: Category, amount: Converted) {
    self.category = category
    self.amount = amount
  }
}

/// The figures of one month in a base currency.
public struct ConvertedMonth: Hashable, Sendable, Codable {
  /// The month; only transactions up to `today` count.
  public var month: Month
  /// The month's figures.
  public var totals: ConvertedTotals

  /// Creates the figures of one month.
  public init(month: Month, totals: ConvertedTotals) {
    self.month = month
    self.totals = totals
  }
}

/// A category's total in one month, in a base currency.
public struct ConvertedCategoryMonth: Hashable, Sendable, Codable {
  /// The month; only transactions up to `today` count.
  public var month: Month
  /// The amount spent (expense) or received (income).
  public var amount: Converted

  /// Creates a category's total of one month.
  public init(month: Month, amount: Converted) {
    self.month = month
    self.amount = amount
  }
}

/// An amount in a base currency at the end of a day.
public struct DatedConverted: Hashable, Sendable, Codable {
  /// The day.
  public var day: Day
  /// The amount.
  public var amount: Converted

  /// Creates an amount at the end of a day.
  public init(day: Day, amount: Converted) {
    self.day = day
    self.amount = amount
  }
}
