import DaybookBookkeeping

extension GnuCashReader {
  private struct Found {
    var line = 0
    var name = ""
    var description = ""
    var periodCount: Int64 = 0
    var recurrence: GnuCashRecurrence?
    /// The amounts of each account, by period.
    var amounts: [(account: UInt128, units: [Int: GnuCashNumber])] = []
  }

  /// Reads a budget.
  ///
  /// The budget is converted to one budget for each expense category that has amounts.
  mutating func readBudget() throws(InterchangeError) {
    settle()
    var found = Found()
    found.line = line()
    while try xml.nextChild() {
      switch element {
      case .name: found.name = try readText()
      case .description: found.description = try readText()
      case .periodCount: found.periodCount = try readNumber()?.numerator ?? 0
      case .recurrence: found.recurrence = try readRecurrence()
      case .slots: found.amounts = try readAmounts()
      default: try xml.skip()
      }
    }
    take(found)
  }

  private mutating func readAmounts() throws(InterchangeError) -> [(
    account: UInt128, units: [Int: GnuCashNumber]
  )] {
    var amounts: [(account: UInt128, units: [Int: GnuCashNumber])] = []
    try forEachSlot { (reader, key) throws(InterchangeError) in
      guard let account = GnuCashReader.id(Array(key.utf8)) else { return try reader.xml.skip() }
      var units: [Int: GnuCashNumber] = [:]
      try reader.forEachSlot { (reader, key) throws(InterchangeError) in
        let number = try reader.readNumber()
        if let period = Int(key), let number { units[period] = number }
      }
      amounts.append((account, units))
    }
    return amounts
  }

  private mutating func take(_ found: Found) {
    let what = "The budget “\(found.name)”"
    guard let recurrence = found.recurrence, let start = recurrence.start, start.isInRange,
      let period = period(recurrence, start)
    else {
      return notice(
        found.line,
        "Skipped the budget “\(found.name)”: its periods aren't weeks, months or years.")
    }
    guard (1...Int64(Limits.budgetStepCountMax)).contains(found.periodCount) else {
      return notice(
        found.line, "Skipped the budget “\(found.name)”: it has \(found.periodCount) periods.")
    }
    var leftOut: [String] = []
    for (id, units) in found.amounts {
      guard let number = accounts.number(id) else { continue }
      let account = accounts.all[number]
      guard case .category(let path, .expense) = account.place, !path.names.isEmpty,
        let currency = account.currency
      else {
        leftOut.append("“\(account.name)”")
        continue
      }
      guard let budget = budget(found, units, period, start, path, currency) else { continue }
      books.budgets.append(budget)
    }
    if !leftOut.isEmpty {
      let names = leftOut.prefix(5).joined(separator: ", ")
      let rest = leftOut.count > 5 ? " and \(leftOut.count - 5) more" : ""
      notice(
        found.line,
        "\(what): skipped amounts for accounts that aren't expense categories: "
          + "\(names)\(rest).")
    }
  }

  private func period(_ recurrence: GnuCashRecurrence, _ start: Day) -> BudgetPeriod? {
    let limit = Int64(Limits.budgetPeriodCountMax)
    guard (1...limit).contains(recurrence.multiplier) else { return nil }
    let count = Int(recurrence.multiplier)
    switch recurrence.period {
    case "week": return .weeks(count, from: start)
    case "month" where count == 1: return .monthly(resetDay: start.day)
    case "month": return .months(count, from: start)
    case "year" where count == 1 && start.month == 1 && start.day == 1: return .yearly
    case "year" where 12 * count <= limit: return .months(12 * count, from: start)
    default: return nil
    }
  }

  private mutating func budget(
    _ found: Found, _ units: [Int: GnuCashNumber], _ period: BudgetPeriod, _ start: Day,
    _ path: CategoryPath, _ currency: Currency
  ) -> BookBudget? {
    var steps: [BudgetStep] = []
    let count = Int(found.periodCount)
    func begin(_ index: Int) -> Day {
      switch period {
      case .weeks(let length, _): start.adding(days: 7 * index * length)
      case .months(let length, _): start.adding(months: index * length)
      case .yearly: start.adding(months: 12 * index)
      default: start.adding(months: index)
      }
    }
    var amount = Money.zero(currency)
    for index in 0..<count {
      let planned: Money
      do throws(GnuCashNumber.Fault) {
        planned = try units[index]?.money(currency) ?? .zero(currency)
      } catch {
        notice(
          found.line,
          "Skipped an amount of the budget “\(found.name)” for “\(path)”: \(currency) can't "
            + "represent it."
        )
        return nil
      }
      if index == 0 {
        amount = planned
      } else if planned != steps.last?.amount ?? amount {
        steps.append(BudgetStep(day: begin(index), amount: planned))
      }
    }
    let name = NoteLines.prefix(
      of: "\(found.name): \(path)", byteCount: Limits.nameByteCountMax)
    var budget = Budget(
      id: .unassigned, name: name, categories: [], amount: amount,
      period: period)
    budget.start = start
    budget.end = begin(count)
    budget.steps = steps
    budget.note = NoteLines.prefix(of: found.description, byteCount: Limits.noteByteCountMax)
    return BookBudget(line: found.line, budget: budget, categories: [path])
  }
}
