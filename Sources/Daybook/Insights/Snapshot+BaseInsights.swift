/// Insights about a month in the base currency; each day is converted at its own rates.
public struct ConvertedInsights: Hashable, Sendable, Codable {
  /// The later of the two months.
  public let month: Month
  /// The month's figures.
  public let totals: ConvertedTotals
  /// The figures of the previous month.
  public let before: ConvertedTotals
  /// The average spending per day; days after `today` don't count.
  public let averagePerDay: Total
  /// The top-level expense categories with the largest totals, including their subcategories.
  public let topCategories: [CategoryShare]
  /// The categories with unusually high spending.
  public let spikes: [Spike]
  /// The number of consecutive months, up to this one, in which spending grew.
  public let growthStreak: Int
  /// The share of income that was not spent; `nil` if nothing was earned.
  public let savingsRate: Ratio?
  /// The month with the highest net income among the twelve months up to this one, or `nil` if
  /// there are no figures.
  public let best: Month?
  /// The month with the lowest net income among the twelve months up to this one, or `nil` if there
  /// are no figures.
  public let worst: Month?
  /// The time for which the net worth lasts; `nil` if nothing was spent in the last three whole
  /// months before `today` (fewer if the ledger doesn't go back that far).
  public let runway: Runway?
  /// The parts of the month's figures that have no rate; their counts are numbers of transactions.
  public let unconverted: [Unconverted]
  /// The parts of the previous eleven months' figures that have no rate.
  public let unconvertedBefore: [Unconverted]
  /// The parts of the net worth that have no rate, which the runway ignores; their counts are
  /// numbers of accounts.
  public let unconvertedWorth: [Unconverted]
  /// The rates that the net worth uses and that are more than
  /// ``ConversionPath/oldRateDayCount`` days older than `today`.
  public let oldRates: [ExchangeRate]
}

extension Snapshot {
  /// Returns insights about a month in the base currency.
  ///
  /// The rules are the same as for ``monthOverMonth(_:in:today:)`` and the other insights in one
  /// currency.
  ///
  /// - Parameters:
  ///   - month: The month.
  ///   - base: The currency of the result; the ledger's base currency if `nil`.
  ///   - limit: The maximum number of top categories.
  ///   - today: The last day that counts.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  /// - Complexity: O(days with rows in ten years).
  public func baseInsights(
    _ month: Month, base: Currency? = nil, topCategoryLimit limit: Int = 5, today: Day
  ) throws -> ConvertedInsights {
    try Snapshot.check(limit, "The number of categories")
    let base = try self.base(base)
    let months = try baseMonths(month.adding(-120)..<month.adding(1), base: base, today: today)
    func totals(_ wanted: Month) -> ConvertedTotals {
      let none = Converted(total: Total(units: 0, currency: base))
      return months.first { $0.month == wanted }?.totals
        ?? ConvertedTotals(base: base, income: none, expense: none, transfers: none)
    }
    let now = totals(month)
    let year = months.suffix(12).filter { $0.month > month.adding(-12) }
    let extremes = InsightRules.extremes(
      of: year.filter { $0.totals.hasFigures }.map { ($0.month, $0.totals.net.units) })
    let past = month.days.clamped(to: Day.min..<max(Day.min, today.adding(days: 1)))
    let dayCount = Int128(past.lowerBound.distance(to: past.upperBound))
    let worth = try baseNetWorth(on: today, base: base)
    let whole = try covered(today.monthOf.adding(-3)..<today.monthOf, by: nil)
    let known = try covered(month.adding(-120)..<month.adding(1), by: nil)
    let spent = try baseMonths(whole, base: base, today: today)
    return ConvertedInsights(
      month: month, totals: now, before: totals(month.adding(-1)),
      averagePerDay: Total(
        units: dayCount > 0 ? rounded(now.expense.total.units, by: dayCount) : 0, currency: base),
      topCategories: InsightRules.shares(
        of: try expenses(in: month, rollUp: true, base, today), limit: limit),
      spikes: try baseSpikes(in: month, base, today),
      growthStreak: InsightRules.streak(
        of: months.filter { known.contains($0.month) }.map { $0.totals.expense.total.units },
        limit: 120),
      savingsRate: Ratio(now.net.units, of: now.income.total.units),
      best: extremes?.best, worst: extremes?.worst,
      runway: InsightRules.runway(
        worth: worth.total, spent: spent.reduce(0) { $0 + $1.totals.expense.total.units },
        months: Int128(whole.count)),
      unconverted: [now].unconverted,
      unconvertedBefore: year.filter { $0.month != month }.map(\.totals).unconverted,
      unconvertedWorth: worth.unconverted,
      oldRates: try netWorthRates(on: today, base: base).flatMap { $0.oldRates(on: today) })
  }

  private func expenses(
    in month: Month, rollUp: Bool, _ base: Currency, _ today: Day
  ) throws -> [(category: Category, total: Total)] {
    try baseBreakdown(in: month.days, kind: .expense, rollUp: rollUp, base: base, today: today)
      .map { ($0.category, $0.amount.total) }
  }

  private func baseSpikes(in month: Month, _ base: Currency, _ today: Day) throws -> [Spike] {
    var before: [CategoryID: Int128] = [:]
    let months = try covered(month.adding(-3)..<month, by: nil)
    for past in months {
      for (category, total) in try expenses(in: past, rollUp: false, base, today) {
        before[category.id, default: 0] += total.units
      }
    }
    return InsightRules.spikes(
      in: try expenses(in: month, rollUp: false, base, today), before: before,
      months: months.count, timesPerMille: 1_500)
  }
}

extension ConvertedTotals {
  /// Whether there is any income, expense or transfer, converted or not.
  fileprivate var hasFigures: Bool {
    [income, expense, transfers].contains { $0.total.units != 0 || !$0.isComplete }
  }
}

extension [ConvertedTotals] {
  /// The unconverted parts of income and expense, in order of currency.
  fileprivate var unconverted: [Unconverted] {
    var left: [Currency: Unconverted] = [:]
    for part in flatMap({ $0.income.unconverted + $0.expense.unconverted }) {
      var sum =
        left[part.total.currency]
        ?? Unconverted(total: Total(units: 0, currency: part.total.currency), count: 0)
      sum.total.units += part.total.units
      sum.count += part.count
      left[part.total.currency] = sum
    }
    return left.sorted { $0.key < $1.key }.map(\.value)
  }
}
