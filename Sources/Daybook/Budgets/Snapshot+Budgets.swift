import DaybookProjections

extension Snapshot {
  /// Returns the budget with the given id.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func budget(_ id: BudgetID) throws -> Budget? { try entity(Budget.self, id.rawValue) }

  /// Returns the budget with the given name, ignoring case.
  ///
  /// If several budgets have this name, the first one that isn't archived is returned, or the first
  /// one if all are archived.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(budgets).
  public func budget(named name: String) throws -> Budget? {
    let wanted = Folding.key(name)
    let found = try budgets().filter { Folding.key($0.name) == wanted }
    return found.first { !$0.isArchived } ?? found.first
  }

  /// Returns the status of a budget in the period that includes a day.
  ///
  /// With rollover, all periods since the first are summed. The first period contains the budget's
  /// start or, without a start, the first spending. Sums and conversions are cached until something
  /// changes on their days.
  ///
  /// - Parameters:
  ///   - budget: The budget.
  ///   - day: A day of the period; `today` if `nil`.
  ///   - today: The last day whose transactions count as spent.
  /// - Returns: `nil` if the budget has no period on that day, because the day is before its start,
  ///   after its end, or outside its span.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such budget.
  /// - Complexity: O(log rows) for cached figures; otherwise O(periods since the first changed day)
  ///   with rollover, plus O(days with rows in currencies other than the budget's).
  public func budgetStatus(of budget: BudgetID, on day: Day? = nil, today: Day) throws
    -> BudgetStatus?
  {
    let known = try known(budget)
    var reader = BudgetReader(known, today: today, try weekday(for: known))
    return try reader.status(on: day ?? today, in: self)
  }

  /// Returns the statuses of all budgets in their current periods.
  ///
  /// They are sorted by the budgets' `order`, and then by the order in which the budgets were
  /// recorded. Budgets without a period today are left out.
  ///
  /// - Parameters:
  ///   - today: The last day whose transactions count as spent.
  ///   - includingArchived: Whether to include archived budgets.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(budgets), each as for ``budgetStatus(of:on:today:)``.
  public func budgetStatuses(today: Day, includingArchived: Bool = false) throws
    -> [BudgetStatus]
  {
    let firstWeekday = try settings().firstWeekday
    return try budgets().filter { includingArchived || !$0.isArchived }
      .sorted { ($0.order, $0.number) < ($1.order, $1.number) }
      .compactMap {
        var reader = BudgetReader($0, today: today, firstWeekday)
        return try reader.status(on: today, in: self)
      }
  }

  /// Returns the statuses of a budget in its periods, oldest first, up to the current or last
  /// period.
  ///
  /// The first period contains the budget's start or, without a start, the first spending. Past
  /// periods keep the amounts, days, categories and rollovers that they had.
  ///
  /// - Parameters:
  ///   - budget: The budget.
  ///   - limit: The maximum number of periods; the newest are returned.
  ///   - today: The last day whose transactions count as spent.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such budget, or if the limit is negative or above
  ///   ``LedgerLimits/seriesPointCountMax``.
  /// - Complexity: O(periods).
  public func budgetHistory(of budget: BudgetID, limit: Int = 24, today: Day) throws
    -> [BudgetStatus]
  {
    try Snapshot.check(limit, LedgerLimits.seriesPointCountMax, "The number of periods")
    let known = try known(budget)
    var reader = BudgetReader(known, today: today, try weekday(for: known))
    return try reader.history(limit: limit, in: self)
  }

  private func known(_ id: BudgetID) throws -> Budget {
    if let found = try budget(id) { return found }
    throw DaybookError(
      code: .invalidQuery, message: "There is no budget \(id).", remedy: "List the budgets.")
  }

  // Only weekly budgets depend on the settings.
  private func weekday(for budget: Budget) throws -> Int {
    let isWeekly =
      budget.period == .weekly || budget.earlierPeriods.contains { $0.value == .weekly }
    return isWeekly ? try settings().firstWeekday : 1
  }
}
