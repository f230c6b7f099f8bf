/// Goal: compare budgets and their periods. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func budgets(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect("budgets", { try snapshot.budgets() }, { oracle.budgets })
    for budget in oracle.budgets where asks() || random.chance(40) {
      let today = today()
      let day = random.chance(60) ? today : day()
      if let known = oracle.status(of: budget, on: day, today: today) {
        expect(
          "budget \(budget.name) on \(day), today \(today)",
          { try snapshot.budgetStatus(of: budget.id, on: day, today: today) }, { known })
        expect(
          "figures of budget \(budget.name) on \(day), today \(today)",
          { try snapshot.budgetStatus(of: budget.id, on: day, today: today)?.summary },
          { known.map { oracle.figures(of: $0) } })
      }
      guard let first = oracle.firstDay(of: budget, today: today) else { continue }
      let limit = random.number(0...5)
      let periods = oracle.periods(of: budget, from: first, through: today)
      let known = Array(oracle.statuses(of: budget, periods, today: today).suffix(limit))
      expect(
        "last \(limit) periods of budget \(budget.name), today \(today)",
        { try snapshot.budgetHistory(of: budget.id, limit: limit, today: today) }, { known })
      expect(
        "figures of the last \(limit) periods of budget \(budget.name), today \(today)",
        { try snapshot.budgetHistory(of: budget.id, limit: limit, today: today).map(\.summary) },
        { known.map { oracle.figures(of: $0) } })
    }
    guard asks() else { return }
    let today = today()
    let isWhole = random.chance(50)
    let listed = oracle.budgets.filter { isWhole || !$0.isArchived }
      .sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    let known = listed.map { oracle.status(of: $0, on: today, today: today) }
    if known.contains(where: { $0 == nil }) { return }
    expect(
      "all budgets, today \(today)",
      { try snapshot.budgetStatuses(today: today, includingArchived: isWhole) },
      { known.compactMap { $0 ?? nil } })
  }
}
