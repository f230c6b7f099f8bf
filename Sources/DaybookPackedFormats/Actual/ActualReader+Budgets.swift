import DaybookBookkeeping
import DaybookFormats

extension ActualReader {
  private struct Cell {
    var month: Month
    var units: Int64
    var carries: Bool
  }

  /// Converts each category's monthly budget amounts to one budget.
  ///
  /// Each change of the amount becomes a step of the budget.
  mutating func takeBudgets(
    _ tables: ActualTables, _ currency: Currency
  ) throws(InterchangeError) {
    let type = tables.preferences["budgetType"] ?? ""
    let isTracking = type == "tracking" || type == "report"
    var cells: [String: [Cell]] = [:]
    let table = isTracking ? "reflect_budgets" : "zero_budgets"
    try database.read(table, ["month", "category", "amount", "carryover"]) { row in
      guard let number = row.number(0), (1_01...9999_12).contains(number),
        (1...12).contains(number % 100), let units = row.number(2) ?? (row.isNull(2) ? 0 : nil)
      else { return }
      cells[row.text(1), default: []].append(
        Cell(
          month: Month(year: Int(number / 100), month: Int(number % 100)), units: units,
          carries: row.flag(3)))
    }
    var leftOut = 0
    for (index, id) in tables.categoryOrder.enumerated() {
      guard let found = cells[id], found.contains(where: { $0.units != 0 }),
        let category = tables.categories[id], !category.path.names.isEmpty
      else { continue }
      guard category.kind == .expense,
        let budget = budget(category.path, found, currency, isTracking)
      else {
        leftOut += 1
        continue
      }
      books.budgets.append(
        BookBudget(line: index + 1, budget: budget, categories: [category.path]))
    }
    if leftOut > 0 {
      notice(
        1,
        "The budgets of \(leftOut) categories were not imported: they are income categories, or "
          + "their amounts aren't valid in \(currency).")
    }
  }

  private func budget(
    _ path: CategoryPath, _ cells: [Cell], _ currency: Currency, _ isTracking: Bool
  ) -> Budget? {
    var units: [Month: Cell] = [:]
    for cell in cells { units[cell.month] = cell }
    let months = units.keys.sorted { $0.rawValue < $1.rawValue }
    guard let first = months.first, let last = months.last,
      Int(last.rawValue) - Int(first.rawValue) <= Limits.budgetStepCountMax
    else { return nil }
    var steps: [BudgetStep] = []
    var amount: Money?
    for distance in 0...Int(last.rawValue - first.rawValue) {
      let month = first.adding(distance)
      guard let money = ActualReader.money(units[month]?.units ?? 0, currency) else { return nil }
      if amount == nil {
        amount = money
      } else if money != steps.last?.amount ?? amount {
        steps.append(BudgetStep(day: month.first, amount: money))
      }
    }
    guard let amount, amount.minorUnits >= 0, steps.allSatisfy({ $0.amount.minorUnits >= 0 })
    else { return nil }
    var budget = Budget(
      id: .unassigned,
      name: NoteLines.prefix(of: path.description, byteCount: Limits.nameByteCountMax),
      categories: [], amount: amount, period: .monthly(resetDay: 1))
    budget.start = first.first
    budget.end = last.adding(1).first
    budget.steps = steps
    let carries = units[last]?.carries == true
    budget.rollover = carries ? .both : isTracking ? .none : .surplus
    return budget
  }
}
