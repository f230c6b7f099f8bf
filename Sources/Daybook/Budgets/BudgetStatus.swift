/// The status of a budget in one of its periods, as of a day.
///
/// All figures are in the budget's currency. Spending in another currency is converted day by day:
/// each day's sum at that day's rate or the nearest earlier one, rounded half-even, then added.
/// Amounts without a rate are not in the figures; they are listed separately.
public struct BudgetStatus: Hashable, Sendable {
  /// The budget as it is now; this period's amount is ``amount``.
  public var budget: Budget
  /// The days of the period.
  public var days: Range<Day>
  /// The last day that counts as spent; later days are planned.
  public var today: Day
  /// The period's amount: that of the budget's last step on or before the first day, or the
  /// budget's own.
  public var amount: Total
  /// The surplus, or deficit if negative, of earlier periods, as far as the budget carries it over.
  public var carriedOver: Converted
  /// The amount spent up to today, less refunds.
  public var spent: Converted
  /// The amount recorded for days of the period after today.
  public var planned: Converted

  /// Creates a status.
  public init(
    budget: Budget, days: Range<Day>, today: Day, amount: Total, carriedOver: Converted,
    spent: Converted, planned: Converted
  ) {
    self.budget = budget
    self.days = days
    self.today = today
    self.amount = amount
    self.carriedOver = carriedOver
    self.spent = spent
    self.planned = planned
  }
}

extension BudgetStatus {
  /// The amount available in the period: *amount + carried over*.
  public var available: Total { total(amount.units + carriedOver.total.units) }

  /// The amount remaining, negative if overspent: *available − spent*.
  public var remaining: Total { total(available.units - spent.total.units) }

  /// Whether more was spent than is available.
  public var isOverspent: Bool { remaining.units < 0 }

  /// The share of the available amount that was spent: *spent ÷ available*; `nil` if nothing is
  /// available.
  public var share: Ratio? { Ratio(spent.total.units, of: available.units) }

  /// The number of days in the period.
  public var dayCount: Int { days.lowerBound.distance(to: days.upperBound) }

  /// The number of the period's days up to and including today: 0 for a future period, all for a
  /// past one.
  public var elapsedDayCount: Int {
    let past = days.clamped(to: Day(rawValue: .min)..<today.adding(days: 1))
    return past.lowerBound.distance(to: past.upperBound)
  }

  /// The pace of spending: *(spent × days) ÷ (available × days up to today)*.
  ///
  /// One means even spending, two means twice as fast. `nil` if nothing is available or the period
  /// hasn't begun.
  public var pace: Ratio? {
    Ratio(
      spent.total.units * Int128(dayCount), of: available.units * Int128(elapsedDayCount))
  }

  /// The expected spending at the end of the period at the current pace.
  ///
  /// *spent × days ÷ days up to today*, rounded half away from zero, but at least what has been
  /// spent and is planned.
  public var projected: Total {
    let known = spent.total.units + planned.total.units
    guard elapsedDayCount > 0 else { return total(known) }
    let even = rounded(spent.total.units * Int128(dayCount), by: Int128(elapsedDayCount))
    return total(max(known, even))
  }

  /// The expected overspending: *projected − available*, at least zero.
  public var projectedOverspend: Total { total(max(0, projected.units - available.units)) }

  private func total(_ units: Int128) -> Total { Total(units: units, currency: amount.currency) }
}
