/// The status of a budget in one of its periods, as of a day.
///
/// All figures are in the budget's currency. Spending in another currency is converted day by day:
/// each category's sum of a day is converted at that day's rate or the nearest earlier one, rounded
/// half to even, and then added. Amounts without a rate are not included; they are listed separately.
public struct BudgetStatus: Hashable, Sendable {
  /// The current budget; its amount in this period is ``amount``.
  public var budget: Budget
  /// The days of the period.
  public var days: Range<Day>
  /// The last day whose transactions count as spent; transactions on later days are planned.
  public var today: Day
  /// The amount of the period.
  ///
  /// It is set by the budget's last step on or before the first day or, without such a step, by the
  /// budget itself. A period that a change has shortened can have a share of it; see
  /// ``Budget/amount(of:in:)``.
  public var amount: Total
  /// The amount carried over from earlier periods according to the budget's rollover: a surplus, or
  /// a deficit if negative.
  public var carriedOver: Converted
  /// The amount spent up to today, less refunds.
  public var spent: Converted
  /// The amount expected on days of the period after today: recorded transactions, and payments of
  /// recurring transactions that aren't recorded yet, as in forecasts.
  ///
  /// An overdue payment is expected on the day after today.
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

  /// The remaining amount, which is negative if the budget is overspent: *available − spent*.
  public var remaining: Total { total(available.units - spent.total.units) }

  /// Whether more was spent than is available.
  public var isOverspent: Bool { remaining.units < 0 }

  /// The spent share of the available amount: *spent ÷ available*; `nil` if nothing is available.
  public var share: Ratio? { Ratio(spent.total.units, of: available.units) }

  /// The number of days in the period.
  public var dayCount: Int { days.lowerBound.distance(to: days.upperBound) }

  /// The number of days in the period up to and including today.
  ///
  /// It is 0 for a future period, and ``dayCount`` for a past period.
  public var elapsedDayCount: Int {
    let past = days.clamped(to: Day(rawValue: .min)..<today.adding(days: 1))
    return past.lowerBound.distance(to: past.upperBound)
  }

  /// The pace of spending: *(spent × days) ÷ (available × days up to today)*.
  ///
  /// At a pace of 1, the available amount lasts exactly until the end of the period; 2 is twice as
  /// fast. `nil` if nothing is available or the period hasn't begun.
  public var pace: Ratio? {
    Ratio(
      spent.total.units * Int128(dayCount), of: available.units * Int128(elapsedDayCount))
  }

  /// The expected spending by the end of the period, at the current pace.
  ///
  /// The formula is *spent × days ÷ days up to today*, rounded half away from zero. The result is
  /// at least the sum of the spent and planned amounts, and exactly that sum until a quarter of the
  /// period has passed: rent paid on the first day doesn't show a pace.
  public var projected: Total {
    let known = spent.total.units + planned.total.units
    guard elapsedDayCount > 0, 4 * elapsedDayCount >= dayCount else { return total(known) }
    let even = rounded(spent.total.units * Int128(dayCount), by: Int128(elapsedDayCount))
    return total(max(known, even))
  }

  /// The expected overspending: *projected − available*, or zero if that is negative.
  public var projectedOverspend: Total { total(max(0, projected.units - available.units)) }

  private func total(_ units: Int128) -> Total { Total(units: units, currency: amount.currency) }
}
