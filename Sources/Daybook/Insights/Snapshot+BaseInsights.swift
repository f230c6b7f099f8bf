/// What a month says beside others, in the base currency: each day's figures at that day's rates.
public struct ConvertedInsights: Hashable, Sendable, Codable {
  /// The later of the two months.
  public let month: Month
  /// Its figures.
  public let totals: ConvertedTotals
  /// The figures of the month before.
  public let before: ConvertedTotals
  /// What was spent on a day on average; days after `today` do not count.
  public let averagePerDay: Total
  /// The top categories of expenses that took the most, with what is below them.
  public let topCategories: [CategoryShare]
  /// The categories on which more was spent than usual.
  public let spikes: [Spike]
  /// In how many months in a row spending has grown, this one being the last.
  public let growthStreak: Int
  /// The share of what was earned that was not spent; `nil` where nothing was earned.
  public let savingsRate: Ratio?
  /// Of the twelve months up to this one, that in which the most was left over; `nil` where there are no figures.
  public let best: Month?
  /// Of the twelve months up to this one, that in which the least was left over.
  public let worst: Month?
  /// How long what one has lasts; `nil` where nothing was spent in the three whole months before `today`.
  public let runway: Runway?
  /// What the figures of the month leave out, since it has no rate; counts are of rows.
  public let unconverted: [Unconverted]
  /// What the eleven months before leave out.
  public let unconvertedBefore: [Unconverted]
  /// What the runway leaves out of what one has; counts are of accounts.
  public let unconvertedWorth: [Unconverted]
}

extension Snapshot {
  /// What a month says beside others, in the base currency.
  ///
  /// The rules are those of ``monthOverMonth(_:in:today:)`` and the other insights in one currency.
  ///
  /// - Parameters:
  ///   - month: The month.
  ///   - base: The currency of the answer; the ledger's base currency where `nil`.
  ///   - limit: How many top categories, at most.
  ///   - today: The last day that counts.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there is no base currency.
  /// - Complexity: O(days of ten years that have rows).
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
    let whole = today.monthOf.adding(-3)..<today.monthOf
    let spent = try baseMonths(whole, base: base, today: today)
    return ConvertedInsights(
      month: month, totals: now, before: totals(month.adding(-1)),
      averagePerDay: Total(
        units: dayCount > 0 ? rounded(now.expense.total.units, by: dayCount) : 0, currency: base),
      topCategories: InsightRules.shares(
        of: try expenses(in: month, rollUp: true, base, today), limit: limit),
      spikes: try baseSpikes(in: month, base, today),
      growthStreak: InsightRules.streak(
        of: months.map { $0.totals.expense.total.units }, limit: 120),
      savingsRate: Ratio(now.net.units, of: now.income.total.units),
      best: extremes?.best, worst: extremes?.worst,
      runway: InsightRules.runway(
        worth: worth.total, spent: spent.reduce(0) { $0 + $1.totals.expense.total.units },
        months: 3),
      unconverted: [now].unconverted,
      unconvertedBefore: year.filter { $0.month != month }.map(\.totals).unconverted,
      unconvertedWorth: worth.unconverted)
  }

  private func expenses(
    in month: Month, rollUp: Bool, _ base: Currency, _ today: Day
  ) throws -> [(category: Category, total: Total)] {
    try baseBreakdown(in: month.days, kind: .expense, rollUp: rollUp, base: base, today: today)
      .map { ($0.category, $0.amount.total) }
  }

  private func baseSpikes(in month: Month, _ base: Currency, _ today: Day) throws -> [Spike] {
    var before: [CategoryID: Int128] = [:]
    for back in 1...3 {
      for (category, total) in try expenses(in: month.adding(-back), rollUp: false, base, today) {
        before[category.id, default: 0] += total.units
      }
    }
    return InsightRules.spikes(
      in: try expenses(in: month, rollUp: false, base, today), before: before,
      timesPerMille: 1_500)
  }
}

extension ConvertedTotals {
  /// Whether anything was earned, spent or moved, converted or not.
  fileprivate var hasFigures: Bool {
    [income, expense, transfers].contains { $0.total.units != 0 || !$0.isComplete }
  }
}

extension [ConvertedTotals] {
  /// What is left out of income and expense, in order of currencies.
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
