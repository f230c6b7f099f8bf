/// What could not be converted because no rate of that day or earlier is known.
public struct Unconverted: Hashable, Sendable {
  /// The amount left out, in its own currency.
  public var total: Total
  /// The number of transactions (for net worth: accounts) behind it.
  public var count: Int

  /// An amount that was left out.
  public init(total: Total, count: Int) {
    self.total = total
    self.count = count
  }
}

/// A figure in a base currency, with what it leaves out.
///
/// Each (day, currency) sum is converted at that day's rate, or the nearest earlier one, and
/// rounded half-even; then the results are summed. The parts of a whole may therefore differ from
/// the separately asked whole by a unit.
public struct Converted: Hashable, Sendable {
  /// The converted part.
  public var total: Total
  /// What has no rate, per currency, in order of currency code.
  ///
  /// Empty where all was converted.
  public var unconverted: [Unconverted]

  /// Whether everything was converted.
  public var isComplete: Bool { unconverted.isEmpty }

  /// A converted figure.
  public init(total: Total, unconverted: [Unconverted] = []) {
    self.total = total
    self.unconverted = unconverted
  }
}

/// The figures of a range of days in a base currency.
public struct ConvertedTotals: Hashable, Sendable, Codable {
  /// The base currency.
  public var base: Currency
  /// What income categories received.
  public var income: Converted
  /// What expense categories received, less refunds.
  public var expense: Converted
  /// What transfers moved.
  public var transfers: Converted

  /// The figures of a range of days in a base currency.
  public init(base: Currency, income: Converted, expense: Converted, transfers: Converted) {
    self.base = base
    self.income = income
    self.expense = expense
    self.transfers = transfers
  }

  /// Converted income less converted expense.
  ///
  /// Both may leave out parts.
  public var net: Total {
    Total(units: income.total.units - expense.total.units, currency: base)
  }
}

/// A category's part of a period in a base currency.
public struct ConvertedCategoryTotal: Hashable, Sendable, Codable {
  /// The category.
  ///
  /// With rolled-up figures its subcategories are part of it.
  public var category: Category
  /// What was spent (expense) or received (income).
  public var amount: Converted

  /// A category's part of a period in a base currency.
  public init(category: Category, amount: Converted) {
    self.category = category
    self.amount = amount
  }
}

/// The figures of one month in a base currency.
public struct ConvertedMonth: Hashable, Sendable, Codable {
  /// The month that the figures are of, rows up to `today` only.
  public var month: Month
  /// Its figures.
  public var totals: ConvertedTotals

  /// The figures of one month in a base currency.
  public init(month: Month, totals: ConvertedTotals) {
    self.month = month
    self.totals = totals
  }
}

/// A category's part of one month in a base currency.
public struct ConvertedCategoryMonth: Hashable, Sendable, Codable {
  /// The month that the figures are of, rows up to `today` only.
  public var month: Month
  /// What was spent (expense) or received (income).
  public var amount: Converted

  /// A category's part of one month in a base currency.
  public init(month: Month, amount: Converted) {
    self.month = month
    self.amount = amount
  }
}

/// A figure in a base currency as of the end of a day.
public struct DatedConverted: Hashable, Sendable, Codable {
  /// The day at whose end it holds.
  public var day: Day
  /// The figure.
  public var amount: Converted

  /// A figure in a base currency as of the end of a day.
  public init(day: Day, amount: Converted) {
    self.day = day
    self.amount = amount
  }
}
