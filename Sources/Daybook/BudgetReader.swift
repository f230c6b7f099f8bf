import Budgets

/// Reads the periods of one budget.
struct BudgetReader {
  private let budget: Budget
  private let calendar: BudgetCalendar
  private let today: Day
  private var converter: Converter
  private var members: Set<CategoryID>?

  private var currency: Currency { budget.amount.currency }

  init(_ budget: Budget, today: Day, _ firstWeekday: Int) {
    self.budget = budget
    self.today = today
    calendar = budget.calendar(firstWeekday: firstWeekday)
    converter = Converter(to: budget.amount.currency)
  }

  /// The period that a day is in.
  mutating func status(on day: Day, in snapshot: borrowing Snapshot) throws -> BudgetStatus? {
    guard let period = calendar.period(containing: day) else { return nil }
    var carry = Carry()
    if budget.rollover != .none {
      var next = try firstPeriod(in: snapshot)
      var rows = try rows(from: next?.lowerBound, before: period.lowerBound, in: snapshot)[...]
      while let past = next, past.lowerBound < period.lowerBound {
        let figures = try figures(of: past, rows.take(past), in: snapshot)
        carry.pass(units(of: past), figures.spent, budget.rollover)
        next = calendar.period(after: past)
      }
    }
    let rows = try rows(from: period.lowerBound, before: period.upperBound, in: snapshot)
    return status(period, try figures(of: period, rows[...], in: snapshot), carry)
  }

  /// The newest periods up to today.
  mutating func history(limit: Int, in snapshot: borrowing Snapshot) throws -> [BudgetStatus] {
    var found: [BudgetStatus] = []
    var carry = Carry()
    var next = try firstPeriod(in: snapshot)
    var rows = try rows(from: next?.lowerBound, before: today.adding(days: 1), in: snapshot)[...]
    while let period = next, period.lowerBound <= today {
      let figures = try figures(of: period, rows.take(period), in: snapshot)
      found.append(status(period, figures, carry))
      if found.count >= 2 * limit + 64 { found.removeFirst(found.count - limit) }
      carry.pass(units(of: period), figures.spent, budget.rollover)
      next = calendar.period(after: period)
    }
    return Array(found.suffix(limit))
  }

  // MARK: Periods

  // Where counting begins: with the budget, else with the first that was spent, else today.
  private func firstPeriod(in snapshot: borrowing Snapshot) throws -> Range<Day>? {
    if calendar.span.lowerBound > Day.min {
      return calendar.period(containing: calendar.span.lowerBound)
    }
    var first: Day?
    try Budgets.forEachPeriod(of: budget.number, from: calendar.span, in: snapshot.view) {
      first = $0.period
      return false
    }
    return calendar.period(containing: first ?? today)
  }

  private func rows(
    from first: Day?, before end: Day, in snapshot: borrowing Snapshot
  ) throws -> [Budgets.Figures] {
    guard let first, first < end else { return [] }
    var found: [Budgets.Figures] = []
    try Budgets.forEachPeriod(of: budget.number, from: first..<end, in: snapshot.view) {
      found.append($0)
      return true
    }
    return found
  }

  private func units(of period: Range<Day>) -> Int128 {
    Int128(budget.units(ofPeriodFrom: period.lowerBound))
  }

  private func status(
    _ period: Range<Day>, _ figures: PeriodFigures, _ carry: Carry
  ) -> BudgetStatus {
    BudgetStatus(
      budget: budget, days: period, today: today,
      amount: Total(units: units(of: period), currency: currency),
      carriedOver: carry.converted(to: currency), spent: figures.spent, planned: figures.planned)
  }

  // MARK: Figures

  private struct PeriodFigures {
    var spent: Converted
    var planned: Converted
  }

  private mutating func figures(
    of period: Range<Day>, _ rows: ArraySlice<Budgets.Figures>, in snapshot: borrowing Snapshot
  ) throws -> PeriodFigures {
    var spent = ConvertedSum()
    var planned = ConvertedSum()
    let later = max(period.lowerBound, today.adding(days: 1))
    for row in rows where row.currency == currency {
      var ahead: Int128 = 0
      if later < period.upperBound {
        try Budgets.forEachDay(
          of: budget.number, currency, in: later..<period.upperBound, in: snapshot.view
        ) { ahead += $1 }
      }
      spent.add(row.spent - ahead)
      planned.add(ahead)
    }
    for row in rows where row.currency != currency {
      try Budgets.forEachDay(of: budget.number, row.currency, in: period, in: snapshot.view) {
        day, units in
        if units == 0 { return }
        let converted = try converter.convert(units, row.currency, on: day, in: snapshot)
        let count = converted == nil ? try count(row.currency, on: day, in: snapshot) : 0
        func note(_ sum: inout ConvertedSum) {
          if let converted {
            sum.add(converted)
          } else {
            sum.leaveOut(units, row.currency, count: count)
          }
        }
        if day < later { note(&spent) } else { note(&planned) }
      }
    }
    return PeriodFigures(
      spent: spent.converted(to: currency), planned: planned.converted(to: currency))
  }

  // How many transactions of a day are behind what could not be converted.
  private mutating func count(
    _ currency: Currency, on day: Day, in snapshot: borrowing Snapshot
  ) throws -> Int {
    let members = try self.members ?? watched(in: snapshot)
    self.members = members
    return try snapshot.countRows(on: day) { transaction in
      transaction.postings.contains { posting in
        guard case .category(let id) = posting.target else { return false }
        return posting.amount.currency == currency && members.contains(id)
      }
    }
  }

  private func watched(in snapshot: borrowing Snapshot) throws -> Set<CategoryID> {
    let tree = try snapshot.directory().tree
    if budget.categories.isEmpty {
      return Set(tree.byID.values.filter { $0.kind == .expense }.map(\.id))
    }
    var members: Set<CategoryID> = []
    for category in budget.categories where tree.byID[category] != nil {
      members.formUnion(
        try tree.members(category, withSubcategories: budget.includesSubcategories))
    }
    return members
  }
}

/// What goes from one period into the next.
private struct Carry {
  private var units: Int128 = 0
  private var left: [Currency: Unconverted] = [:]

  /// Goes past a period: *amount + carried − spent*, as far as it is carried.
  mutating func pass(_ amount: Int128, _ spent: Converted, _ rollover: Rollover) {
    if rollover == .none { return }
    let rest = amount + units - spent.total.units
    switch rollover {
    case .none: units = 0
    case .surplus: units = max(0, rest)
    case .deficit: units = min(0, rest)
    case .both: units = rest
    }
    for part in spent.unconverted {
      let nothing = Unconverted(total: Total(units: 0, currency: part.total.currency), count: 0)
      left[part.total.currency, default: nothing].total.units += part.total.units
      left[part.total.currency, default: nothing].count += part.count
    }
  }

  func converted(to currency: Currency) -> Converted {
    Converted(
      total: Total(units: units, currency: currency),
      unconverted: left.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension ArraySlice<Budgets.Figures> {
  /// Takes the rows of a period off the front.
  fileprivate mutating func take(_ period: Range<Day>) -> ArraySlice<Budgets.Figures> {
    let end = firstIndex { $0.period >= period.upperBound } ?? endIndex
    defer { self = self[end...] }
    return self[..<end]
  }
}
