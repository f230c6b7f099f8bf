import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// The amounts posted to and from a category on a day in one currency.
struct DayFigures {
  let day: Day
  let key: CategoryTotals.Key
  let sums: Sums
}

/// A budget that includes a category.
struct Watch {
  let budget: UInt32
  let calendar: BudgetCalendar

  /// Adds a day's figures to the budget if the day is in one of its periods.
  func add(_ figures: DayFigures, to tables: inout ProjectionTables) {
    guard let period = calendar.period(containing: figures.day) else { return }
    tables.add(
      Budgets.periods, Budgets.key(budget, period.lowerBound, figures.key.currency), figures.sums)
    tables.add(
      Budgets.days, Budgets.key(budget, figures.key.currency, figures.day), figures.sums)
  }
}

/// The categories of each budget, and the budgets' calendars.
struct WatchPlan {
  /// The calendar and categories of a budget; it has at least one category.
  struct Watched: Equatable {
    var calendar: BudgetCalendar
    var categories: Set<UInt32>
  }

  /// The calendar and categories of each budget, by the budget's recording number.
  var watched: [UInt32: Watched] = [:]

  init(_ watched: [UInt32: Watched]) { self.watched = watched }

  /// Reads the plan that is stored in the projection's table.
  init(stored reading: any SettledReading) throws {
    try Budgets.forEachWatch(in: TableKey(), reading) { category, watch in
      watched[watch.budget, default: Watched(calendar: watch.calendar, categories: [])]
        .categories.insert(category)
    }
  }

  /// Computes the plan from the current budgets, categories and settings.
  init(wanted reading: any SettledReading) throws {
    var budgets: [Budget] = []
    try reading.forEachEntity(.budget) {
      budgets.append(try Budget(record: $0.record, id: $0.id, number: $0.number))
    }
    if budgets.isEmpty { return }
    var firstWeekday = 1
    try reading.forEachEntity(.settings) {
      firstWeekday = try LedgerSettings(record: $0.record, id: $0.id, number: $0.number)
        .firstWeekday
    }
    let expenses = try ExpenseCategories(reading)
    for budget in budgets {
      let categories = expenses.numbers(watchedBy: budget)
      if categories.isEmpty { continue }
      watched[try keyNumber(budget.number, in: Budgets.name)] = Watched(
        calendar: budget.calendar(firstWeekday: firstWeekday), categories: categories)
    }
  }

  /// Returns the watches of each category, for the budgets that satisfy a predicate.
  func watchesByCategory(where isWanted: (UInt32) -> Bool) -> [UInt32: [Watch]] {
    var found: [UInt32: [Watch]] = [:]
    for (budget, watched) in watched where isWanted(budget) {
      for category in watched.categories {
        found[category, default: []].append(Watch(budget: budget, calendar: watched.calendar))
      }
    }
    return found
  }
}

/// The recording numbers of all expense categories, and of each category's subcategories.
private struct ExpenseCategories {
  private var numbers: [CategoryID: UInt32] = [:]
  private var children: [CategoryID: [CategoryID]] = [:]

  init(_ reading: any SettledReading) throws {
    var categories = [Category.builtin(.uncategorizedExpense)].compactMap(\.self)
    try reading.forEachEntity(.category) {
      categories.append(try Category(record: $0.record, id: $0.id, number: $0.number))
    }
    for category in categories.belowLiving() where category.kind == .expense {
      numbers[category.id] = try keyNumber(category.number, in: Budgets.name)
      if let parent = category.parent { children[parent, default: []].append(category.id) }
    }
  }

  func numbers(watchedBy budget: Budget) -> Set<UInt32> {
    if budget.categories.isEmpty { return Set(numbers.values) }
    var found: Set<UInt32> = []
    var next = budget.categories
    while let id = next.popLast() {
      // Deleted categories are skipped, and so are categories that have already been visited.
      guard let number = numbers[id], found.insert(number).inserted else { continue }
      if budget.includesSubcategories { next += children[id] ?? [] }
    }
    return found
  }
}

extension BudgetCalendar {
  /// The calendar in ten bytes: rule, parameter, first day, and the day after the last.
  var packed: [UInt8] {
    let (code, parameter): (UInt8, Int) =
      switch rule {
      case .month(let day): (0, day)
      case .week(let day): (1, day)
      case .year: (2, 0)
      case .once: (3, 0)
      }
    var writer = ByteWriter(reserving: 10)
    writer.u8(code)
    writer.u8(UInt8(clamping: parameter))
    writer.u32be(span.lowerBound.biased)
    writer.u32be(span.upperBound.biased)
    return writer.bytes
  }

  init(packed bytes: RawSpan) throws {
    var reader = ByteReader(bytes)
    let code = try reader.u8()
    let parameter = Int(try reader.u8())
    let (lower, upper) = (Day(biased: try reader.u32be()), Day(biased: try reader.u32be()))
    let rule: Rule? =
      switch code {
      case 0 where (1...31).contains(parameter): .month(resetDay: parameter)
      case 1 where (1...7).contains(parameter): .week(firstWeekday: parameter)
      case 2: .year
      case 3: .once
      default: nil
      }
    guard let rule, lower <= upper else {
      throw ProjectionFault.damagedRow(in: Budgets.name, "what budgets watch")
    }
    self.init(rule: rule, span: lower..<upper)
  }
}
