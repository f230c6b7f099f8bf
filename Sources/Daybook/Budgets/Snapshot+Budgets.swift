import Budgets

extension Snapshot {
  /// A budget by its id.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(log n).
  public func budget(_ id: BudgetID) throws -> Budget? { try entity(Budget.self, id.rawValue) }

  /// The budget of this name, whatever its case: the first that is not archived, else the first.
  ///
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(budgets).
  public func budget(named name: String) throws -> Budget? {
    let wanted = Folding.key(name)
    let found = try budgets().filter { Folding.key($0.name) == wanted }
    return found.first { !$0.isArchived } ?? found.first
  }

  /// How a budget stands in the period that a day is in.
  ///
  /// With rollover the periods since the first are added up: the first is that of the budget's start, or
  /// where it has none the first in which anything was spent. What was added up, and converted from
  /// other currencies, is remembered until something changes in those days.
  ///
  /// - Parameters:
  ///   - budget: The budget.
  ///   - day: A day of the period; `today` where `nil`.
  ///   - today: The last day that counts as spent.
  /// - Returns: `nil` where the budget has no period on that day: it is before its start, after its
  ///   end, or outside of its span.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there is no such budget.
  /// - Complexity: O(log rows) for what was asked before; else O(periods since the first day that has
  ///   changed) with rollover, and O(days with rows in other currencies than the budget's) where there
  ///   are any.
  public func budgetStatus(of budget: BudgetID, on day: Day? = nil, today: Day) throws
    -> BudgetStatus?
  {
    let known = try known(budget)
    var reader = BudgetReader(known, today: today, try weekday(for: known))
    return try reader.status(on: day ?? today, in: self)
  }

  /// How budgets stand in the periods that `today` is in, in their order, then that of their recording.
  ///
  /// Budgets that have no period today are left out.
  ///
  /// - Parameters:
  ///   - today: The last day that counts as spent.
  ///   - includingArchived: Whether budgets that were put aside are listed.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
  /// - Complexity: O(budgets), each as with ``budgetStatus(of:on:today:)``.
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

  /// How a budget stood in its periods, oldest first, up to the one that `today` is in, or its last.
  ///
  /// The first period is that of the budget's start, or where it has none the first in which anything
  /// was spent. Past periods have the amounts that they had.
  ///
  /// - Parameters:
  ///   - budget: The budget.
  ///   - limit: How many periods, at most: the newest.
  ///   - today: The last day that counts as spent.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where there is no such budget, or the
  ///   limit is negative or above ``LedgerLimits/seriesPointCountMax``.
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

  // Only weekly budgets ask for the settings.
  private func weekday(for budget: Budget) throws -> Int {
    budget.period == .weekly ? try settings().firstWeekday : 1
  }
}
