import DaybookProjections

/// An exact ratio of a part to a whole.
public struct Ratio: Hashable, Sendable {
  /// The part, in the same unit as the whole.
  public let part: Int128
  /// The whole, which is positive.
  public let whole: Int128

  /// Creates a ratio, or `nil` if the whole isn't positive.
  public init?(_ part: Int128, of whole: Int128) {
    guard whole > 0 else { return nil }
    self.part = part
    self.whole = whole
  }

  /// The ratio in tenths of a percent, rounded half away from zero: 333 is 33.3 %.
  ///
  /// Clamped to the range of `Int`.
  public var perMille: Int {
    let divisor = whole.magnitude
    let product = part.magnitude.multipliedFullWidth(by: 1_000)
    let (low, carries) = product.low.addingReportingOverflow(divisor / 2)
    let high = product.high + (carries ? 1 : 0)
    guard high < divisor else { return part < 0 ? .min : .max }
    let size = Int128(clamping: divisor.dividingFullWidth((high, low)).quotient)
    return Int(clamping: part < 0 ? -size : size)
  }
}

/// The figures of a month and of the previous month.
public struct MonthChange: Hashable, Sendable, Codable {
  /// The later of the two months.
  public let month: Month
  /// The month's figures.
  public let totals: CurrencyTotals
  /// The figures of the previous month.
  public let before: CurrencyTotals

  /// The change in income since the previous month.
  public var income: Total {
    Total(units: totals.income.units - before.income.units, currency: totals.currency)
  }
  /// The change in expense since the previous month.
  public var expense: Total {
    Total(units: totals.expense.units - before.expense.units, currency: totals.currency)
  }
  /// The change in net income since the previous month.
  public var net: Total {
    Total(units: totals.net.units - before.net.units, currency: totals.currency)
  }
}

/// A category and its share of all spending or income.
public struct CategoryShare: Hashable, Sendable, Codable {
  /// The category; a top-level one if the figures are rolled up.
  public let category: Category
  /// The category's total.
  public let total: Total
  /// The category's share of all positive totals of its kind; `nil` if there are none.
  public let share: Ratio?
}

/// A category with unusually high spending.
public struct Spike: Hashable, Sendable, Codable {
  /// The category; a top-level one if the figures are rolled up.
  public let category: Category
  /// The spending in the month.
  public let total: Total
  /// The average monthly spending in the preceding three months, or fewer if the ledger doesn't go
  /// back that far, rounded.
  public let usual: Total
  /// The ratio of this month's spending to the usual spending.
  public let times: Ratio
}

/// The time for which the net worth lasts at the current rate of spending.
public struct Runway: Hashable, Sendable, Codable {
  /// The net worth.
  public let worth: Total
  /// The average monthly spending, rounded.
  public let expense: Total
  /// The number of months, in tenths and rounded down.
  public let tenthsOfMonths: Int
}

extension Snapshot {
  /// Returns a month's figures compared with the previous month: *now − before*.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1).
  public func monthOverMonth(
    _ month: Month, in currency: Currency, today: Day
  ) throws -> MonthChange {
    // The calendar's first month has no previous month, and its last month has no next month;
    // missing figures are zero.
    let found = try months(month.adding(-1)..<month.adding(1), today: today)
    func totals(of month: Month) -> CurrencyTotals {
      (found.first { $0.month == month } ?? MonthTotals(month: month, totals: []))
        .totals(in: currency)
    }
    return MonthChange(
      month: month, totals: totals(of: month), before: totals(of: month.adding(-1)))
  }

  /// Returns the average spending per day, *expense ÷ days*, rounded half away from zero.
  ///
  /// Days after `today` don't count; the result is zero if none remain.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: The cost of ``totals(in:today:)``.
  public func averagePerDay(
    in days: Range<Day>, currency: Currency, today: Day
  ) throws -> Total {
    let past = days.clamped(to: Day.min..<max(Day.min, today.adding(days: 1)))
    let count = Int128(past.lowerBound.distance(to: past.upperBound))
    let expense = try totals(in: past, today: today).first { $0.currency == currency }
    guard count > 0, let expense else { return Total(units: 0, currency: currency) }
    return Total(units: rounded(expense.expense.units, by: count), currency: currency)
  }

  /// Returns the categories with the largest totals, each with its share: *total ÷ sum of all
  /// positive totals*.
  ///
  /// - Parameters:
  ///   - days: The days whose rows count.
  ///   - kind: Income or expense categories.
  ///   - currency: The currency to compare; rows in other currencies are left out.
  ///   - rollUp: Whether to list only top-level categories, including their subcategories.
  ///   - limit: The maximum number of categories.
  ///   - today: The last day that counts.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: The cost of ``breakdown(in:kind:rollUp:today:)``.
  public func topCategories(
    in days: Range<Day>, kind: CategoryKind = .expense, currency: Currency, rollUp: Bool = true,
    limit: Int = 10, today: Day
  ) throws -> [CategoryShare] {
    try Snapshot.check(limit, "The number of categories")
    let found = try breakdown(in: days, kind: kind, rollUp: rollUp, today: today)
      .filter { !rollUp || $0.category.parent == nil }
      .map { ($0.category, $0.total(in: currency)) }
    return InsightRules.shares(of: found, limit: limit)
  }

  /// Returns the categories with unusually high spending in a month, highest ratio first.
  ///
  /// These are the categories whose spending was at least `timesPerMille` ÷ 1,000 times the usual
  /// spending. The usual spending is the mean of the preceding *n* months; *n* is three, or less if
  /// the ledger has no earlier figures in the currency: *spike if n · now · 1,000 ≥ sum of n ·
  /// timesPerMille*. Categories without spending in those months are left out.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: The cost of four breakdowns.
  public func spikes(
    in month: Month, currency: Currency, timesPerMille: Int = 1_500, today: Day
  ) throws -> [Spike] {
    var before: [CategoryID: Int128] = [:]
    let months = try covered(month.adding(-3)..<month, by: currency)
    for past in months {
      for total in try breakdown(in: past.days, kind: .expense, rollUp: false, today: today) {
        before[total.category.id, default: 0] += total.total(in: currency).units
      }
    }
    let now = try breakdown(in: month.days, kind: .expense, rollUp: false, today: today)
      .map { ($0.category, $0.total(in: currency)) }
    return InsightRules.spikes(
      in: now, before: before, months: months.count, timesPerMille: timesPerMille)
  }

  /// Returns the months of a range from the first month with figures in a currency, or in any
  /// currency if `currency` is `nil`.
  ///
  /// Averages cover only these months, because the ledger has no figures before them.
  func covered(_ months: Range<Month>, by currency: Currency?) throws -> Range<Month> {
    guard let first = try firstMonth(in: currency) else {
      return months.upperBound..<months.upperBound
    }
    return min(max(first, months.lowerBound), months.upperBound)..<months.upperBound
  }

  /// Returns the first month in which something counts in a currency, or in any currency if it is
  /// `nil`.
  private func firstMonth(in currency: Currency?) throws -> Month? {
    let stored = try MonthlyTotals.firstMonth(in: currency, in: view)
    guard let stored, try excludedRows() != nil else { return stored }
    var first: Month?
    try forEachCountedMonth(stored..<Day.max.monthOf, today: nil) { month, figures in
      if first == nil, currency.map({ $0 == figures.currency }) ?? true { first = month }
    }
    return first
  }

  /// Returns the number of consecutive months, up to a given month, in which spending exceeded the
  /// previous month's.
  ///
  /// The first month with figures in the currency has no previous month to exceed, so it isn't
  /// counted.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(`limit`).
  public func growthStreak(
    through month: Month, currency: Currency, limit: Int = 120, today: Day
  ) throws -> Int {
    try Snapshot.check(limit, "The number of months")
    let limit = min(limit, LedgerLimits.seriesPointCountMax - 1)
    let range = try covered(month.adding(-limit)..<month.adding(1), by: currency)
    let found = try months(range, today: today).map { $0.totals(in: currency).expense.units }
    return InsightRules.streak(of: found, limit: limit)
  }

  /// Returns the share of income that was not spent: *(income − expense) ÷ income*.
  ///
  /// - Returns: A negative ratio if expenses exceeded income; `nil` if there was no income.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: The cost of ``totals(in:today:)``.
  public func savingsRate(in days: Range<Day>, currency: Currency, today: Day) throws -> Ratio? {
    let found = try totals(in: days, today: today).first { $0.currency == currency }
    guard let found else { return nil }
    return Ratio(found.net.units, of: found.income.units)
  }

  /// Returns the months with the highest and the lowest *income − expense*; of equal months, the
  /// earlier.
  ///
  /// - Returns: `nil` if no month of the range has figures in the currency.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: The cost of ``months(_:today:)``.
  public func bestAndWorstMonth(
    in range: Range<Month>, currency: Currency, today: Day
  ) throws -> (best: MonthTotals, worst: MonthTotals)? {
    let found = try months(range, today: today)
      .filter { month in month.totals.contains { $0.currency == currency } }
    return InsightRules.extremes(of: found.map { ($0, $0.totals(in: currency).net.units) })
  }

  /// Returns how long the net worth would last at the average spending of the last whole months.
  ///
  /// The formula is *net worth ÷ (expense ÷ months)*. Months before the first month with figures in
  /// the currency don't count.
  ///
  /// - Parameters:
  ///   - currency: The currency of the result; amounts in other currencies are left out.
  ///   - months: The maximum number of whole months before the month of `today` over which to
  ///     average spending.
  ///   - today: The day of the net worth.
  ///   - includesAccruedInterest: Whether the net worth includes interest that isn't posted or paid
  ///     yet.
  /// - Returns: `nil` if nothing was spent in those months; zero months if the net worth isn't
  ///   positive.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   `months` isn't positive, or for more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(accounts + months).
  public func runway(
    in currency: Currency, averagedOver months: Int = 3, today: Day,
    includesAccruedInterest: Bool = false
  ) throws -> Runway? {
    guard months > 0 else {
      throw DaybookError(
        code: .invalidQuery, message: "Couldn't compute an average over \(months) months.",
        remedy: "Pass 1 or more.")
    }
    let range = try covered(today.monthOf.adding(-months)..<today.monthOf, by: currency)
    let spent = try self.months(range, today: today)
      .reduce(Int128(0)) { $0 + $1.totals(in: currency).expense.units }
    guard spent > 0 else { return nil }
    let worth =
      try netWorth(on: today, includesAccruedInterest: includesAccruedInterest)
      .first { $0.currency == currency }
      ?? Total(units: 0, currency: currency)
    return InsightRules.runway(worth: worth, spent: spent, months: Int128(range.count))
  }
}
