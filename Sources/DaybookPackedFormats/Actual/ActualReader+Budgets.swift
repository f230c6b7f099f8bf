import DaybookBookkeeping
import DaybookFormats

extension ActualReader {
  private struct Cell {
    var month: Month
    var units: Int64
    var carries: Bool
  }

  /// Converts the monthly amounts of an envelope budget to assignments, and those of a tracking
  /// budget to one budget for each category.
  ///
  /// Each change of the amount of a tracking budget becomes a step of the budget.
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
    if !isTracking { return try takeAssignments(cells, tables, currency) }
    var leftOut = 0
    for (index, id) in tables.categoryOrder.enumerated() {
      guard let found = cells[id], found.contains(where: { $0.units != 0 }),
        let category = tables.categories[id], !category.path.names.isEmpty
      else { continue }
      guard category.kind == .expense,
        let budget = budget(category.path, found, currency)
      else {
        leftOut += 1
        continue
      }
      books.budgets.append(
        BookBudget(line: index + 1, budget: budget, categories: [category.path]))
    }
    noteLeftOut(leftOut, currency)
  }

  private mutating func noteLeftOut(_ count: Int, _ currency: Currency) {
    guard count > 0 else { return }
    notice(
      1,
      "The budgets of \(count) categories were not imported: they are income categories, or "
        + "their amounts aren't valid in \(currency).")
  }

  /// Assigns the amounts of an envelope budget.
  ///
  /// Actual decides month by month whether overspending is carried over. Daybook decides for all
  /// months, so the newest month counts.
  private mutating func takeAssignments(
    _ cells: [String: [Cell]], _ tables: ActualTables, _ currency: Currency
  ) throws(InterchangeError) {
    var (leftOut, changing) = (0, 0)
    for (index, id) in tables.categoryOrder.enumerated() {
      guard let found = cells[id], let category = tables.categories[id],
        !category.path.names.isEmpty
      else { continue }
      var newest: [Month: Cell] = [:]
      for cell in found { newest[cell.month] = cell }
      let months = newest.values.sorted { $0.month < $1.month }
      let amounts = months.filter { $0.units != 0 }.map {
        ($0.month, Self.money($0.units, currency))
      }
      guard category.kind == .expense, amounts.allSatisfy({ $0.1 != nil }) else {
        if !amounts.isEmpty { leftOut += 1 }
        continue
      }
      if months.last?.carries == true {
        for place in books.categories.indices where books.categories[place].identity == id {
          books.categories[place].carriesOverspending = true
        }
      }
      if Set(months.map(\.carries)).count > 1 { changing += 1 }
      for case (let month, let amount?) in amounts {
        books.assignments.append(
          BookAssignment(line: index + 1, category: category.path, month: month, amount: amount))
      }
    }
    noteLeftOut(leftOut, currency)
    if changing > 0 {
      notice(
        1,
        "\(changing) categories carry overspending over in some months only; they do so in all "
          + "months if they did in the newest one.")
    }
    var held = 0
    try database.read("zero_budget_months", ["id", "buffered"]) { row in
      if let units = row.number(1), units != 0 { held += 1 }
    }
    if held > 0 {
      notice(1, "The money held for the next month in \(held) months is ready to assign at once.")
    }
  }

  private func budget(
    _ path: CategoryPath, _ cells: [Cell], _ currency: Currency
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
    budget.rollover = units[last]?.carries == true ? .both : .none
    return budget
  }
}
