/// An exact share: how much of a whole a part is.
public struct Ratio: Hashable, Sendable {
  /// The part, in the same unit as the whole.
  public let part: Int128
  /// The whole; above zero.
  public let whole: Int128

  /// A ratio, or `nil` where the whole is not above zero.
  public init?(_ part: Int128, of whole: Int128) {
    guard whole > 0 else { return nil }
    self.part = part
    self.whole = whole
  }

  /// Tenths of a percent, rounded half away from zero: 333 is 33.3 %.
  ///
  /// What does not fit is the greatest or least number there is.
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

/// A month's figures beside those of the month before.
public struct MonthChange: Hashable, Sendable, Codable {
  /// The later of the two months.
  public let month: Month
  /// Its figures.
  public let totals: CurrencyTotals
  /// The figures of the month before.
  public let before: CurrencyTotals

  /// How much more was earned than the month before.
  public var income: Total {
    Total(units: totals.income.units - before.income.units, currency: totals.currency)
  }
  /// How much more was spent than the month before.
  public var expense: Total {
    Total(units: totals.expense.units - before.expense.units, currency: totals.currency)
  }
  /// How much more was left over than the month before.
  public var net: Total {
    Total(units: totals.net.units - before.net.units, currency: totals.currency)
  }
}

/// A category and its share of all that was spent or earned.
public struct CategoryShare: Hashable, Sendable, Codable {
  /// The category; where figures are rolled up, one at the top.
  public let category: Category
  /// What it took.
  public let total: Total
  /// Its share of all categories of its kind; `nil` where they come to nothing together.
  public let share: Ratio?
}

/// A category on which more was spent than usual.
public struct Spike: Hashable, Sendable, Codable {
  /// The category; where figures are rolled up, one at the top.
  public let category: Category
  /// What was spent in the month.
  public let total: Total
  /// What was spent in a month on average, in the three months before, rounded.
  public let usual: Total
  /// How many times the usual that is.
  public let times: Ratio
}

/// How long what one has lasts.
public struct Runway: Hashable, Sendable, Codable {
  /// What there is.
  public let worth: Total
  /// What is spent in a month on average, rounded.
  public let expense: Total
  /// Tenths of months that it lasts, rounded down.
  public let tenthsOfMonths: Int
}

extension Snapshot {
  /// A month beside the month before: *now − before*.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(1).
  public func monthOverMonth(
    _ month: Month, in currency: Currency, today: Day
  ) throws -> MonthChange {
    // At the ends of all months there is none before or after, and nothing in them.
    let found = try months(month.adding(-1)..<month.adding(1), today: today)
    func totals(of month: Month) -> CurrencyTotals {
      (found.first { $0.month == month } ?? MonthTotals(month: month, totals: []))
        .totals(in: currency)
    }
    return MonthChange(
      month: month, totals: totals(of: month), before: totals(of: month.adding(-1)))
  }

  /// What was spent on a day on average: *expense ÷ days*, rounded half away from zero.
  ///
  /// Days after `today` do not count; zero where none is left.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: That of ``totals(in:today:)``.
  public func averagePerDay(
    in days: Range<Day>, currency: Currency, today: Day
  ) throws -> Total {
    let past = days.clamped(to: Day.min..<max(Day.min, today.adding(days: 1)))
    let count = Int128(past.lowerBound.distance(to: past.upperBound))
    let expense = try totals(in: past, today: today).first { $0.currency == currency }
    guard count > 0, let expense else { return Total(units: 0, currency: currency) }
    return Total(units: rounded(expense.expense.units, by: count), currency: currency)
  }

  /// The categories that took the most, each with its share: *total ÷ sum of all totals above zero*.
  ///
  /// - Parameters:
  ///   - days: The days whose rows count.
  ///   - kind: Categories of income or of expense.
  ///   - currency: The currency that is compared; rows in others are left out.
  ///   - rollUp: Whether only top categories are listed, with what is below them.
  ///   - limit: How many, at most.
  ///   - today: The last day that counts.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: That of ``breakdown(in:kind:rollUp:today:)``.
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

  /// The categories on which at least `timesPerMille` ÷ 1,000 times the usual was spent in a month.
  ///
  /// The usual is the mean of the three months before: *spike where 3 · now · 1,000 ≥ sum of three ·
  /// timesPerMille*. Categories on which nothing was spent before are no spikes.
  ///
  /// - Returns: The steepest first.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: Four breakdowns.
  public func spikes(
    in month: Month, currency: Currency, timesPerMille: Int = 1_500, today: Day
  ) throws -> [Spike] {
    var before: [CategoryID: Int128] = [:]
    for earlier in 1...3 {
      let days = month.adding(-earlier).days
      for total in try breakdown(in: days, kind: .expense, rollUp: false, today: today) {
        before[total.category.id, default: 0] += total.total(in: currency).units
      }
    }
    let now = try breakdown(in: month.days, kind: .expense, rollUp: false, today: today)
      .map { ($0.category, $0.total(in: currency)) }
    return InsightRules.spikes(in: now, before: before, timesPerMille: timesPerMille)
  }

  /// In how many months in a row, up to and with a month, more was spent than in the month before.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(months of the streak, at most `limit`).
  public func growthStreak(
    through month: Month, currency: Currency, limit: Int = 120, today: Day
  ) throws -> Int {
    try Snapshot.check(limit, "The number of months")
    let limit = min(limit, LedgerLimits.seriesPointCountMax - 1)
    let found = try months(month.adding(-limit)..<month.adding(1), today: today)
      .map { $0.totals(in: currency).expense.units }
    return InsightRules.streak(of: found, limit: limit)
  }

  /// The share of what was earned that was not spent: *(income − expense) ÷ income*.
  ///
  /// Below zero where more was spent; `nil` where nothing was earned.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: That of ``totals(in:today:)``.
  public func savingsRate(in days: Range<Day>, currency: Currency, today: Day) throws -> Ratio? {
    let found = try totals(in: days, today: today).first { $0.currency == currency }
    guard let found else { return nil }
    return Ratio(found.net.units, of: found.income.units)
  }

  /// The months in which the most and the least was left over, by *income − expense*; the earlier of
  /// equal ones.
  ///
  /// - Returns: `nil` where no month of the range has any figure in the currency.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there are more than
  ///   ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: That of ``months(_:today:)``.
  public func bestAndWorstMonth(
    in range: Range<Month>, currency: Currency, today: Day
  ) throws -> (best: MonthTotals, worst: MonthTotals)? {
    let found = try months(range, today: today)
      .filter { month in month.totals.contains { $0.currency == currency } }
    return InsightRules.extremes(of: found.map { ($0, $0.totals(in: currency).net.units) })
  }

  /// How many months what one has would last at the spending of the last whole months:
  /// *net worth ÷ (expense ÷ months)*.
  ///
  /// - Parameters:
  ///   - currency: The currency of the answer; what is in others is left out.
  ///   - months: Over how many whole months before that of `today` spending is averaged.
  ///   - today: The day whose net worth is divided.
  /// - Returns: `nil` where nothing was spent in them; no months where one has nothing.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there are more than
  ///   ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(accounts + months).
  public func runway(
    in currency: Currency, averagedOver months: Int = 3, today: Day
  ) throws -> Runway? {
    guard months > 0 else {
      throw DaybookError(
        code: .invalidQuery, message: "Nothing can be averaged over \(months) months.",
        remedy: "Give 1 or more.")
    }
    let count = Int128(months)
    let range = today.monthOf.adding(-months)..<today.monthOf
    let spent = try self.months(range, today: today)
      .reduce(Int128(0)) { $0 + $1.totals(in: currency).expense.units }
    guard spent > 0 else { return nil }
    let worth =
      try netWorth(on: today).first { $0.currency == currency }
      ?? Total(units: 0, currency: currency)
    return InsightRules.runway(worth: worth, spent: spent, months: count)
  }
}
