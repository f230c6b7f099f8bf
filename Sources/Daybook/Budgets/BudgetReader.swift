internal import DaybookEngine
import DaybookProjections

/// Reads the periods of one budget.
struct BudgetReader {
  private let budget: Budget
  private let calendar: BudgetCalendar
  private let today: Day
  private let firstWeekday: Int
  private var converter: Converter
  private var members: [BudgetCategories: Set<CategoryID>] = [:]

  private var currency: Currency { budget.amount.currency }

  init(_ budget: Budget, today: Day, _ firstWeekday: Int) {
    self.budget = budget
    self.today = today
    self.firstWeekday = firstWeekday
    calendar = budget.calendar(firstWeekday: firstWeekday)
    converter = Converter(to: budget.amount.currency)
  }

  /// Returns the status of the period that includes a day.
  mutating func status(on day: Day, in snapshot: borrowing Snapshot) throws -> BudgetStatus? {
    guard let period = calendar.period(containing: day) else { return nil }
    var known = try periods(in: snapshot)
    let carry = try carry(into: period, &known, in: snapshot)
    let figures: BudgetPeriods.Figures
    if let found = known.figures(of: period, today: today) {
      figures = found
    } else {
      let rows = try rows(from: period.lowerBound, before: period.upperBound, in: snapshot)
      figures = try self.figures(of: period, rows[...], in: snapshot)
      known.remember(figures, of: period, today: today)
    }
    snapshot.cache.budgets.keep(known, in: snapshot)
    return try status(period, figures, carry, in: snapshot)
  }

  /// Returns the statuses of the newest periods up to today.
  mutating func history(limit: Int, in snapshot: borrowing Snapshot) throws -> [BudgetStatus] {
    var known = try periods(in: snapshot)
    let end = today.adding(days: 1)
    let start = known.carry(limit, periodsBefore: end)
    var found: [(period: Range<Day>, figures: BudgetPeriods.Figures, carry: BudgetCarry)] = []
    _ = try forEachPeriod(from: start, before: end, &known, in: snapshot) {
      found.append(($0, $1, $2))
      if found.count >= 2 * limit + 64 { found.removeFirst(found.count - limit) }
    }
    snapshot.cache.budgets.keep(known, in: snapshot)
    var answer: [BudgetStatus] = []
    for (period, figures, carry) in found.suffix(limit) {
      answer.append(try status(period, figures, carry, in: snapshot))
    }
    return answer
  }

  // The cached periods of the budget.
  private func periods(in snapshot: borrowing Snapshot) throws -> BudgetPeriods {
    // Register the reads with the observer even if the figures are cached.
    try Budgets.noteReading(in: snapshot.view)
    try CategoryTotals.noteReadingCosts(in: snapshot.view)
    _ = try snapshot.excludedRows()
    for kind in [EntityKind.rate, .category, .currency, .settings] {
      snapshot.view.noteReading(kind)
    }
    let known = snapshot.cache.budgets.periods(
      of: budget, firstWeekday: firstWeekday, in: snapshot)
    if known.readsCategories { try CategoryTotals.noteReading(in: snapshot.view) }
    return known
  }

  // MARK: Periods

  // The amount carried into a period.
  private mutating func carry(
    into period: Range<Day>, _ known: inout BudgetPeriods, in snapshot: borrowing Snapshot
  ) throws -> BudgetCarry {
    if !budget.carriesOver { return BudgetCarry() }
    let start = known.carry(atOrBefore: min(period.lowerBound, today.adding(days: 1)))
    return try forEachPeriod(
      from: start, before: period.lowerBound, &known, in: snapshot
    ) { _, _, _ in }
  }

  // Calls `body` with each period that begins before a day, and with the amount carried into it.
  // Starts with the first period or at a cached carry, and caches the amounts carried out of ended
  // periods. Returns the amount carried out of the last period.
  private mutating func forEachPeriod(
    from start: BudgetPeriods.Place?, before end: Day, _ known: inout BudgetPeriods,
    in snapshot: borrowing Snapshot,
    _ body: (Range<Day>, BudgetPeriods.Figures, BudgetCarry) -> Void
  ) throws -> BudgetCarry {
    var carry = start?.carry ?? BudgetCarry()
    if let start, start.day >= end { return carry }
    var next: Range<Day>?
    if let start {
      next = calendar.period(containing: start.day)
    } else if let first = try firstDay(in: snapshot) {
      next = calendar.period(containing: first)
      if let next { known.remember(carry, into: next.lowerBound, after: nil) }
    } else {
      next = calendar.period(containing: today)
    }
    var rows = try rows(from: next?.lowerBound, before: end, in: snapshot)[...]
    while let period = next, period.lowerBound < end {
      let figures = try figures(of: period, rows.take(period), in: snapshot)
      body(period, figures, carry)
      let rollover = budget.rollover(ofPeriodFrom: period.lowerBound)
      carry.pass(units(of: period), figures.spent, rollover)
      next = calendar.period(after: period)
      if let next, period.upperBound <= today.adding(days: 1) {
        known.remember(
          carry, into: next.lowerBound, after: period.lowerBound,
          readingCategories: figures.readsCategories)
      }
    }
    return carry
  }

  // The first day that counts: the budget's start or, without a start, the first day with spending.
  // `nil` if there is neither.
  private mutating func firstDay(in snapshot: borrowing Snapshot) throws -> Day? {
    if calendar.span.lowerBound > Day.min { return calendar.span.lowerBound }
    var first: Day?
    guard try snapshot.excludedRows() != nil else {
      try Budgets.forEachPeriod(of: budget.number, from: calendar.span, in: snapshot.view) {
        first = $0.period
        return false
      }
      return first
    }
    var rows: [Budgets.Figures] = []
    try Budgets.forEachPeriod(of: budget.number, from: calendar.span, in: snapshot.view) {
      rows.append($0)
      return true
    }
    for row in rows where first == nil {
      if try counted(row, in: snapshot) != nil { first = row.period }
    }
    return first
  }

  private mutating func rows(
    from first: Day?, before end: Day, in snapshot: borrowing Snapshot
  ) throws -> [Budgets.Figures] {
    guard let first, first < end else { return [] }
    var found: [Budgets.Figures] = []
    try Budgets.forEachPeriod(of: budget.number, from: first..<end, in: snapshot.view) {
      found.append($0)
      return true
    }
    if try snapshot.excludedRows() == nil { return found }
    var rest: [Budgets.Figures] = []
    for row in found {
      if let row = try counted(row, in: snapshot) { rest.append(row) }
    }
    return rest
  }

  // Returns a row without what is excluded from totals; `nil` if nothing remains.
  private mutating func counted(
    _ row: Budgets.Figures, in snapshot: borrowing Snapshot
  ) throws -> Budgets.Figures? {
    guard let period = calendar.period(containing: row.period) else { return row }
    var rest = row
    for sums in try excluded(on: period, in: snapshot).values {
      for (key, sums) in sums where key.currency == row.currency {
        rest.moneyIn -= sums[0]
        rest.moneyOut -= sums[1]
      }
    }
    return rest.moneyIn == 0 && rest.moneyOut == 0 ? nil : rest
  }

  // Returns, by day, what is excluded from the budget's spending, in original currencies.
  private mutating func excluded(
    on days: Range<Day>, in snapshot: borrowing Snapshot
  ) throws -> [Day: [CategoryTotals.Key: Sums]] {
    guard let rows = try snapshot.excludedRows() else { return [:] }
    let members = try members(of: days, in: snapshot)
    let tree = try snapshot.chartOfAccounts().tree
    return rows.categoryTotals(
      on: days,
      target: { number in
        tree.category(number).map { members.contains($0.id) } ?? false ? number : nil
      })
  }

  private func units(of period: Range<Day>) -> Int128 {
    Int128(budget.amount(of: period, in: calendar).minorUnits)
  }

  private mutating func status(
    _ period: Range<Day>, _ figures: BudgetPeriods.Figures, _ carry: BudgetCarry,
    in snapshot: borrowing Snapshot
  ) throws -> BudgetStatus {
    let status = BudgetStatus(
      budget: budget, days: period, today: today,
      amount: Total(units: units(of: period), currency: currency),
      carriedOver: carry.converted(to: currency), spent: figures.spent,
      planned: try planned(figures.planned, in: period, in: snapshot))
    // Unconverted amounts are reported with their number of transactions, so the result depends on
    // transactions.
    let parts = [status.carriedOver, status.spent, status.planned]
    if !parts.allSatisfy(\.isComplete) { snapshot.view.noteReading(EntityKind.transaction) }
    return status
  }

  // MARK: Figures

  /// Returns a period's planned amount including payments of recurring transactions that aren't
  /// recorded yet.
  ///
  /// These payments aren't cached with the amount, because they change with the recurring
  /// transactions.
  private mutating func planned(
    _ recorded: Converted, in period: Range<Day>, in snapshot: borrowing Snapshot
  ) throws -> Converted {
    guard today.adding(days: 1) < period.upperBound else { return recorded }
    var planned = recorded
    let last = period.upperBound.adding(days: -1)
    for payment in try snapshot.upcoming(through: last, today: today)
    where payment.transaction == nil {
      let day = payment.expectedDay(today: today)
      guard period.contains(day) else { continue }
      let members = try members(of: period, in: snapshot)
      let template = payment.series.template
      let accounts = [template.account] + template.parts.map(\.account).filter { $0 != nil }
      var counts = false
      for account in accounts where try !snapshot.isExcluded(account) { counts = true }
      if !counts { continue }
      // The categories of a budget are expense categories.
      var sums: [Currency: Int128] = [:]
      for (category, amount) in template.categoryAmounts where members.contains(category) {
        if try snapshot.isExcluded(category) { continue }
        sums[amount.currency, default: 0] += amount.units
      }
      for amount in sums.sortedTotals() {
        if let units = try converter.convert(amount.units, amount.currency, on: day, in: snapshot) {
          planned.total.units += units
        } else {
          planned.leaveOut(Unconverted(total: amount, count: 1))
        }
      }
    }
    return planned
  }

  private mutating func figures(
    of period: Range<Day>, _ rows: ArraySlice<Budgets.Figures>, in snapshot: borrowing Snapshot
  ) throws -> BudgetPeriods.Figures {
    let later = max(period.lowerBound, today.adding(days: 1))
    if rows.contains(where: { $0.currency != currency }) {
      return try convertedFigures(of: period, later: later, in: snapshot)
    }
    let excluded = try self.excluded(on: period, in: snapshot)
    func excludedUnits(on day: Day) -> Int128 {
      (excluded[day] ?? [:]).reduce(0) {
        $1.key.currency == currency ? $0 + $1.value[0] - $1.value[1] : $0
      }
    }
    var (spent, planned) = (ConvertedSum(), ConvertedSum())
    for row in rows {
      var ahead: Int128 = 0
      for day in excluded.keys where day >= later { ahead -= excludedUnits(on: day) }
      if later < period.upperBound {
        try Budgets.forEachDay(
          of: budget.number, currency, in: later..<period.upperBound, in: snapshot.view
        ) { ahead += $1 }
      }
      spent.add(row.spent - ahead)
      planned.add(ahead)
    }
    return BudgetPeriods.Figures(
      spent: spent.converted(to: currency), planned: planned.converted(to: currency))
  }

  // Sums a period with amounts in other currencies. They are converted by day and category, as the
  // figures of categories are.
  private mutating func convertedFigures(
    of period: Range<Day>, later: Day, in snapshot: borrowing Snapshot
  ) throws -> BudgetPeriods.Figures {
    let members = try members(of: period, in: snapshot)
    let tree = try snapshot.chartOfAccounts().tree
    var nets: [Day: [CategoryTotals.Key: Int128]] = [:]
    func add(_ figures: CategoryTotals.Figures, on day: Day) {
      guard let category = tree.category(figures.key.category), members.contains(category.id)
      else { return }
      nets[day, default: [:]][figures.key, default: 0] += figures.moneyIn - figures.moneyOut
    }
    for (day, figures) in try snapshot.subtracted(on: period, settledIn: currency) {
      for figures in figures { add(figures, on: day) }
    }
    let dayCount = period.lowerBound.distance(to: period.upperBound)
    if members.count <= 8, dayCount <= 400 {
      let numbers = tree.list.indices.filter { members.contains(tree.list[$0].id) }
        .map { tree.numbers[$0] }
      try CategoryTotals.forEachDay(
        of: numbers, in: period, today: nil, settledIn: currency, in: snapshot.view
      ) { add($1, on: $0) }
    } else {
      try CategoryTotals.forEachDay(
        in: period, today: nil, settledIn: currency, in: snapshot.view
      ) { add($1, on: $0) }
    }
    var (spent, planned) = (ConvertedSum(), ConvertedSum())
    // From the last day to the first, as the converter's cache needs it.
    for (day, nets) in nets.sorted(by: { $0.key > $1.key }) {
      var sum = ConvertedSum()
      var left: [Currency: Int128] = [:]
      for (key, net) in nets where net != 0 {
        if let converted = try converter.convert(net, key.currency, on: day, in: snapshot) {
          sum.add(converted)
        } else {
          left[key.currency, default: 0] += net
        }
      }
      for (currency, units) in left where units != 0 {
        sum.leaveOut(units, currency, count: try count(currency, on: day, in: snapshot))
      }
      if day < later { spent.add(sum) } else { planned.add(sum) }
    }
    return BudgetPeriods.Figures(
      spent: spent.converted(to: currency), planned: planned.converted(to: currency),
      readsCategories: true)
  }

  // Returns the number of transactions on a day that make up an unconverted amount.
  private mutating func count(
    _ currency: Currency, on day: Day, in snapshot: borrowing Snapshot
  ) throws -> Int {
    let members = try members(of: day..<day.adding(days: 1), in: snapshot)
    let target = self.currency
    return try snapshot.countCountedRows(on: day) { transaction, counts in
      if transaction.settledCurrency == target { return false }
      return transaction.postings.contains { posting in
        guard case .category(let id) = posting.account else { return false }
        return posting.amount.currency == currency && members.contains(id) && counts(id)
      }
    }
  }

  /// Returns the categories, with their subcategories, that the period of some days covers.
  private mutating func members(
    of days: Range<Day>, in snapshot: borrowing Snapshot
  ) throws -> Set<CategoryID> {
    let first = calendar.period(containing: days.lowerBound)?.lowerBound ?? days.lowerBound
    let covered = budget.categories(ofPeriodFrom: first)
    if let known = members[covered] { return known }
    let found = try watched(covered, in: snapshot)
    members[covered] = found
    return found
  }

  private func watched(
    _ covered: BudgetCategories, in snapshot: borrowing Snapshot
  ) throws -> Set<CategoryID> {
    let tree = try snapshot.chartOfAccounts().tree
    if covered.categories.isEmpty {
      return Set(tree.list.filter { $0.kind == .expense }.map(\.id))
    }
    var members: Set<CategoryID> = []
    for category in covered.categories where tree[category] != nil {
      let places = try tree.members(category, withSubcategories: covered.includesSubcategories)
      members.formUnion(places.map { tree.list[$0].id })
    }
    return members
  }
}

extension ArraySlice<Budgets.Figures> {
  /// Removes the rows of a period from the front and returns them.
  fileprivate mutating func take(_ period: Range<Day>) -> ArraySlice<Budgets.Figures> {
    let end = firstIndex { $0.period >= period.upperBound } ?? endIndex
    defer { self = self[end...] }
    return self[..<end]
  }
}
