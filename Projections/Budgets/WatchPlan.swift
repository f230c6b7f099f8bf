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
  /// The days on which the budget includes the category.
  let days: [Range<Day>]

  /// Adds a day's figures to the budget if the day is in one of its periods.
  func add(_ figures: DayFigures, to tables: inout ProjectionTables) {
    guard days.contains(where: { $0.contains(figures.day) }),
      let period = calendar.period(containing: figures.day)
    else { return }
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
    /// The days on which each category is included.
    var categories: [UInt32: [Range<Day>]]

    /// The categories that are included on other days.
    func changedCategories(to other: Watched) -> Set<UInt32> {
      Set(categories.keys).union(other.categories.keys)
        .filter { categories[$0] != other.categories[$0] }
    }
  }

  /// The calendar and categories of each budget, by the budget's recording number.
  var watched: [UInt32: Watched] = [:]

  init(_ watched: [UInt32: Watched]) { self.watched = watched }

  /// Reads the plan that is stored in the projection's table.
  init(stored reading: any SettledReading) throws {
    try Budgets.forEachWatch(in: TableKey(), reading) { category, watch in
      watched[watch.budget, default: Watched(calendar: watch.calendar, categories: [:])]
        .categories[category] = watch.days
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
      let calendar = budget.calendar(firstWeekday: firstWeekday)
      let categories = expenses.days(watchedBy: budget, calendar)
      if categories.isEmpty { continue }
      watched[try keyNumber(budget.number, in: Budgets.name)] = Watched(
        calendar: calendar, categories: categories)
    }
  }

  /// Returns the watches of each category, for the budgets that satisfy a predicate.
  func watchesByCategory(where isWanted: (UInt32) -> Bool) -> [UInt32: [Watch]] {
    var found: [UInt32: [Watch]] = [:]
    for (budget, watched) in watched where isWanted(budget) {
      for (category, days) in watched.categories {
        found[category, default: []].append(
          Watch(budget: budget, calendar: watched.calendar, days: days))
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

  /// Returns the days on which a budget includes each category.
  ///
  /// A change of the budget's categories applies from the next period on.
  func days(watchedBy budget: Budget, _ calendar: BudgetCalendar) -> [UInt32: [Range<Day>]] {
    var found: [UInt32: [Range<Day>]] = [:]
    func add(_ covered: BudgetCategories, _ days: Range<Day>) {
      if days.isEmpty { return }
      for number in numbers(of: covered) {
        var known = found[number] ?? []
        if let last = known.last, last.upperBound == days.lowerBound {
          known[known.count - 1] = last.lowerBound..<days.upperBound
        } else {
          known.append(days)
        }
        found[number] = known
      }
    }
    var first = Day.min
    for earlier in budget.earlierCategories {
      let next = max(first, calendar.start(onOrAfter: earlier.until))
      add(earlier.value, first..<next)
      first = next
    }
    add(budget.covered, first..<max(first, Day.max.adding(days: 1)))
    return found
  }

  private func numbers(of covered: BudgetCategories) -> Set<UInt32> {
    if covered.categories.isEmpty { return Set(numbers.values) }
    var found: Set<UInt32> = []
    var next = covered.categories
    while let id = next.popLast() {
      // Deleted categories are skipped, and so are categories that have already been visited.
      guard let number = numbers[id], found.insert(number).inserted else { continue }
      if covered.includesSubcategories { next += children[id] ?? [] }
    }
    return found
  }
}

extension Watch {
  /// The calendar and the days on which the category is included.
  var packed: [UInt8] {
    var writer = ByteWriter(reserving: 24)
    writer.u32be(calendar.span.lowerBound.biased)
    writer.u32be(calendar.span.upperBound.biased)
    writer.varint(UInt64(calendar.parts.count))
    for part in calendar.parts {
      writer.u32be(part.first.biased)
      part.rule.write(to: &writer)
    }
    writer.varint(UInt64(days.count))
    for days in days {
      writer.u32be(days.lowerBound.biased)
      writer.u32be(days.upperBound.biased)
    }
    return writer.bytes
  }

  init(budget: UInt32, packed bytes: RawSpan) throws {
    var reader = ByteReader(bytes)
    self.budget = budget
    let span = try reader.days()
    var parts: [BudgetCalendar.Part] = []
    for _ in 0..<(try reader.count()) {
      let first = Day(biased: try reader.u32be())
      parts.append(BudgetCalendar.Part(first: first, rule: try .init(from: &reader)))
    }
    guard !parts.isEmpty else { throw BudgetCalendar.Rule.damaged }
    calendar = BudgetCalendar(parts: parts, span: span)
    var days: [Range<Day>] = []
    for _ in 0..<(try reader.count()) { days.append(try reader.days()) }
    self.days = days
  }
}

extension ByteReader {
  fileprivate mutating func days() throws -> Range<Day> {
    let (lower, upper) = (Day(biased: try u32be()), Day(biased: try u32be()))
    guard lower <= upper else { throw BudgetCalendar.Rule.damaged }
    return lower..<upper
  }

  fileprivate mutating func periodCount() throws -> Int {
    guard let count = Int(exactly: try varint()), count > 0 else {
      throw BudgetCalendar.Rule.damaged
    }
    return count
  }
}

extension BudgetCalendar.Rule {
  fileprivate static var damaged: ProjectionFault {
    .damagedRow(in: Budgets.name, "what budgets watch")
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .month(let day):
      writer.u8(0)
      writer.u8(UInt8(clamping: day))
    case .week(let day):
      writer.u8(1)
      writer.u8(UInt8(clamping: day))
    case .year: writer.u8(2)
    case .once: writer.u8(3)
    case .weeks(let count, let day):
      writer.u8(4)
      writer.varint(UInt64(clamping: count))
      writer.u32be(day.biased)
    case .halfMonth: writer.u8(5)
    case .months(let count, let day):
      writer.u8(6)
      writer.varint(UInt64(clamping: count))
      writer.u32be(day.biased)
    }
  }

  @_lifetime(reader: copy reader)
  fileprivate init(from reader: inout ByteReader) throws {
    switch try reader.u8() {
    case 0:
      let day = Int(try reader.u8())
      guard (1...31).contains(day) else { throw Self.damaged }
      self = .month(resetDay: day)
    case 1:
      let day = Int(try reader.u8())
      guard (1...7).contains(day) else { throw Self.damaged }
      self = .week(firstWeekday: day)
    case 2: self = .year
    case 3: self = .once
    case 4: self = .weeks(try reader.periodCount(), from: Day(biased: try reader.u32be()))
    case 5: self = .halfMonth
    case 6: self = .months(try reader.periodCount(), from: Day(biased: try reader.u32be()))
    default: throw Self.damaged
    }
  }
}
