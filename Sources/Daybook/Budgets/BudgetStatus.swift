/// How a budget stands in one of its periods, as of a day.
///
/// All figures are in the budget's currency. What was spent in another one is converted day by day:
/// each day's sum at that day's rate or the nearest earlier one, rounded half-even, then summed. What
/// has no rate is not in the figures; it is listed beside them.
public struct BudgetStatus: Hashable, Sendable {
  /// The budget as it is now; ``amount`` is what this period has.
  public var budget: Budget
  /// The days of the period.
  public var days: Range<Day>
  /// The last day that counts as spent; later days are planned.
  public var today: Day
  /// What the period has: the budget's amount, or that of its last step up to the period's first day.
  public var amount: Total
  /// What the periods before left over, or overspent (negative), as far as the budget carries it.
  public var carriedOver: Converted
  /// What was spent up to today, less refunds.
  public var spent: Converted
  /// What is recorded for days of the period after today.
  public var planned: Converted

  /// How a budget stands.
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
  /// What may be spent in the period: *amount + carried over*.
  public var available: Total { total(amount.units + carriedOver.total.units) }

  /// What is left, below zero where too much was spent: *available − spent*.
  public var remaining: Total { total(available.units - spent.total.units) }

  /// Whether more was spent than is available.
  public var isOverspent: Bool { remaining.units < 0 }

  /// How much of what is available was spent: *spent ÷ available*; `nil` where nothing is available.
  public var share: Ratio? { Ratio(spent.total.units, of: available.units) }

  /// The number of days in the period.
  public var dayCount: Int { days.lowerBound.distance(to: days.upperBound) }

  /// The number of its days up to and with today: none in a period to come, all in a past one.
  public var elapsedDayCount: Int {
    let past = days.clamped(to: Day(rawValue: .min)..<today.adding(days: 1))
    return past.lowerBound.distance(to: past.upperBound)
  }

  /// How fast it is being spent: *(spent × days) ÷ (available × days up to today)*.
  ///
  /// One is exactly even spending, two is twice as fast. `nil` where nothing is available, or the
  /// period has not begun.
  public var pace: Ratio? {
    Ratio(
      spent.total.units * Int128(dayCount), of: available.units * Int128(elapsedDayCount))
  }

  /// What will have been spent at the end of the period if it goes on like this: *spent × days ÷ days up
  /// to today*, rounded half away from zero, but no less than what was spent and is planned.
  public var projected: Total {
    let known = spent.total.units + planned.total.units
    guard elapsedDayCount > 0 else { return total(known) }
    let even = rounded(spent.total.units * Int128(dayCount), by: Int128(elapsedDayCount))
    return total(max(known, even))
  }

  /// By how much that would be too much: *projected − available*, or zero.
  public var projectedOverspend: Total { total(max(0, projected.units - available.units)) }

  private func total(_ units: Int128) -> Total { Total(units: units, currency: amount.currency) }
}
