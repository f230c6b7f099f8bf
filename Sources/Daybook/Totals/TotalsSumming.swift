import DaybookProjections

/// Sums daily figures in a base currency, converting each day at its own rates.
///
/// Income and expenses are converted category by category, so that they are the sums of the
/// categories' converted figures.
struct TotalsSumming {
  private let base: Currency
  private let days: Range<Day>
  private var converter: Converter
  private var counter = RowCounter()
  private var tree: CategoryTree?
  private var costs: [Day: [CategoryTotals.Key: CategoryTotals.Settled]]?
  private var day: Day?
  private var ofDay: [MonthlyTotals.Figures] = []
  private var income = ConvertedSum()
  private var expense = ConvertedSum()
  private var transfers = ConvertedSum()

  /// Creates empty sums.
  ///
  /// - Parameter days: A range that contains all days to be added.
  init(base: Currency, days: Range<Day>) {
    self.base = base
    self.days = days
    converter = Converter(to: base)
  }

  /// Adds the figures of a day in one currency; days must be added in order.
  mutating func add(
    _ figures: MonthlyTotals.Figures, on day: Day, in snapshot: borrowing Snapshot
  ) throws {
    if day != self.day {
      try endDay(in: snapshot)
      self.day = day
    }
    ofDay.append(figures)
  }

  /// Returns the sums since the last call, and starts from zero.
  mutating func finish(in snapshot: borrowing Snapshot) throws -> ConvertedTotals {
    try endDay(in: snapshot)
    defer { (income, expense, transfers) = (ConvertedSum(), ConvertedSum(), ConvertedSum()) }
    return ConvertedTotals(
      base: base, income: income.converted(to: base), expense: expense.converted(to: base),
      transfers: transfers.converted(to: base))
  }

  private mutating func endDay(in snapshot: borrowing Snapshot) throws {
    guard let day else { return }
    var isForeign = false
    for figures in ofDay {
      if figures.currency == base {
        income.add(figures.income)
        expense.add(figures.expense)
        transfers.add(figures.transfers)
        continue
      }
      isForeign = true
      let units = figures.transfers
      if units == 0 { continue }
      if let converted = try converter.convert(units, figures.currency, on: day, in: snapshot) {
        transfers.add(converted)
      } else {
        let count = try counter.count(.transfers, figures.currency, on: day, in: snapshot)
        transfers.leaveOut(units, figures.currency, count: count)
      }
    }
    if isForeign { try addCategories(on: day, in: snapshot) }
    ofDay.removeAll(keepingCapacity: true)
    self.day = nil
  }

  // Adds the categories in other currencies, and the stated costs in the base currency.
  private mutating func addCategories(on day: Day, in snapshot: borrowing Snapshot) throws {
    let tree = try self.tree ?? snapshot.chartOfAccounts().tree
    let costs = try self.costs ?? CategoryTotals.costs(in: base, on: days, in: snapshot.view)
    (self.tree, self.costs) = (tree, costs)
    let excluded =
      try snapshot.excludedRows()?
      .settled(in: base, on: day..<day.adding(days: 1))[day] ?? []
    for cost in (costs[day]?.values.map(\.self) ?? []) + excluded where cost.key.currency != base {
      guard let kind = tree.category(cost.key.category)?.kind else { continue }
      if kind == .income { income.add(-cost.cost) } else { expense.add(cost.cost) }
    }
    var left: [Currency: (income: Int128, expense: Int128)] = [:]
    for figures in try snapshot.categoryFigures(on: day, replacing: costs[day], by: base) {
      let (currency, net) = (figures.key.currency, figures.moneyIn - figures.moneyOut)
      guard currency != base, net != 0, let kind = tree.category(figures.key.category)?.kind
      else { continue }
      let units = kind == .income ? -net : net
      guard let converted = try converter.convert(units, currency, on: day, in: snapshot) else {
        if kind == .income {
          left[currency, default: (0, 0)].income += units
        } else {
          left[currency, default: (0, 0)].expense += units
        }
        continue
      }
      if kind == .income { income.add(converted) } else { expense.add(converted) }
    }
    for (currency, units) in left {
      if units.income != 0 {
        let count = try counter.count(
          .income, currency, unlessSettledIn: base, on: day, in: snapshot)
        income.leaveOut(units.income, currency, count: count)
      }
      if units.expense != 0 {
        let count = try counter.count(
          .expense, currency, unlessSettledIn: base, on: day, in: snapshot)
        expense.leaveOut(units.expense, currency, count: count)
      }
    }
  }
}
