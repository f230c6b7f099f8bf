import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The spending of each budget per period and per day, in the original currencies.
///
/// | table | key | value |
/// |---|---|---|
/// | `watches` | category (4 bytes), budget (4) | the budget's calendar: first day (4), day after the last (4), and the rules with their first days; then the days on which the category is included |
/// | `periods` | budget (4), first day of the period (4), currency (2 to 9) | in, out |
/// | `days` | budget (4), currency (2 to 9), day (4) | in, out |
///
/// Keys contain the recording numbers of budgets and categories. *In* is the sum of the money that
/// went into the budget's categories; *out* is the sum of the money that came out of them, which is
/// refunds. Days after today are included; readers subtract them.
///
/// The projection is derived from the totals of ``CategoryTotals``. When a batch changes the daily
/// totals of a budget's categories, the same differences are added to the budget. If a budget
/// itself changes, it is computed from scratch from the daily totals. Transactions are never read.
/// `watches` lists the budgets of each category, so a batch needs one lookup for each category that
/// it changes, and costs almost nothing if there are no budgets.
public struct Budgets: DerivedProjection {
  /// The projection's name.
  public static let name = "budgets"
  /// The version of the projection's tables.
  public static let version: UInt32 = 3
  /// The projection's tables.
  public static let tables = [
    TableDefinition("watches", .rows),
    TableDefinition("periods", .sums(fields: 2)),
    TableDefinition("days", .sums(fields: 2)),
  ]
  /// The projections from which this projection is derived.
  public static let sources: [any Projection.Type] = [CategoryTotals.self]

  static let watches = 0
  static let periods = 1
  static let days = 2

  /// Creates the projection.
  public init() {}

  /// Adds a batch's differences in categories' daily totals to budgets, and computes changed
  /// budgets from scratch.
  public func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws {
    let mayDiffer = [EntityKind.budget, .category, .settings].contains { reading.hasChanged($0) }
    if mayDiffer {
      let old = try WatchPlan(stored: reading)
      let new = try WatchPlan(wanted: reading)
      try Budgets.settle(from: old, to: new, reading, &tables)
    } else {
      try Budgets.follow(reading, &tables)
    }
  }

  // MARK: Batches that change only figures

  private static func follow(
    _ reading: any SettledReading, _ tables: inout ProjectionTables
  ) throws {
    guard try hasWatches(reading) else { return }
    let changes = try changedDays(reading)
    var found: [UInt32: [Watch]] = [:]
    for change in changes where found[change.key.category] == nil {
      found[change.key.category] = try watches(of: change.key.category, reading)
    }
    for change in changes {
      for watch in found[change.key.category] ?? [] { watch.add(change, to: &tables) }
    }
  }

  private static func changedDays(_ reading: any SettledReading) throws -> [DayFigures] {
    var changes: [DayFigures] = []
    try CategoryTotals.forEachChangedDay(settled: reading) { day, key, moneyIn, moneyOut in
      if moneyIn == 0, moneyOut == 0 { return }
      changes.append(DayFigures(day: day, key: key, sums: Sums(moneyIn, moneyOut)))
    }
    return changes
  }

  // MARK: Batches that change budgets

  private static func settle(
    from old: WatchPlan, to new: WatchPlan, _ reading: any SettledReading,
    _ tables: inout ProjectionTables
  ) throws {
    let changes = try changedDays(reading)
    let touched = Set(changes.map(\.key.category))
    var summedAnew: [UInt32: WatchPlan.Watched] = [:]
    for budget in Set(old.watched.keys).union(new.watched.keys) {
      let (before, after) = (old.watched[budget], new.watched[budget])
      if before == after { continue }
      write(budget, before, after, &tables)
      if let before {
        if let after, after.calendar == before.calendar,
          try isIdle(before.changedCategories(to: after), touched, reading)
        {
          continue
        }
        try takeAway(budget, reading, &tables)
      }
      if let after { summedAnew[budget] = after }
    }
    try sum(summedAnew, reading, &tables)
    let kept = new.watchesByCategory { summedAnew[$0] == nil && old.watched[$0] != nil }
    for change in changes {
      for watch in kept[change.key.category] ?? [] { watch.add(change, to: &tables) }
    }
  }

  // Returns whether a budget's figures stay the same if categories are added to it or removed from
  // it.
  private static func isIdle(
    _ categories: Set<UInt32>, _ touched: Set<UInt32>, _ reading: any SettledReading
  ) throws -> Bool {
    guard touched.isDisjoint(with: categories) else { return false }
    for category in categories
    where try CategoryTotals.hasTotals(of: category, in: reading) { return false }
    return true
  }

  private static func write(
    _ budget: UInt32, _ before: WatchPlan.Watched?, _ after: WatchPlan.Watched?,
    _ tables: inout ProjectionTables
  ) {
    for category in (before?.categories ?? [:]).keys where after?.categories[category] == nil {
      tables.remove(watches, key(category, budget))
    }
    guard let after else { return }
    let isSame = before?.calendar == after.calendar
    for (category, days) in after.categories
    where !isSame || before?.categories[category] != days {
      let watch = Watch(budget: budget, calendar: after.calendar, days: days)
      tables.put(watches, key(category, budget), watch.packed)
    }
  }

  // Removes all figures of a budget.
  private static func takeAway(
    _ budget: UInt32, _ reading: any SettledReading, _ tables: inout ProjectionTables
  ) throws {
    var from = TableKey()
    from.append(u32: budget)
    guard let to = from.afterPrefix else { return }
    for table in [periods, days] {
      try reading.forEachSum(in: table, of: Budgets.self, from: from, to: to) { key, sums in
        tables.add(table, TableKey(bytes: key), -sums)
        return true
      }
    }
  }

  // Computes budgets from the daily totals of categories.
  private static func sum(
    _ budgets: [UInt32: WatchPlan.Watched], _ reading: any SettledReading,
    _ tables: inout ProjectionTables
  ) throws {
    let calendars = budgets.values.map(\.calendar).filter { !$0.span.isEmpty }
    guard let first = calendars.map(\.span.lowerBound).min(),
      let end = calendars.map(\.span.upperBound).max()
    else { return }
    let watches = WatchPlan(budgets).watchesByCategory { _ in true }
    try CategoryTotals.forEachDay(in: first..<end, settled: reading) {
      day, key, moneyIn, moneyOut in
      guard let watches = watches[key.category] else { return }
      let figures = DayFigures(day: day, key: key, sums: Sums(moneyIn, moneyOut))
      for watch in watches { watch.add(figures, to: &tables) }
    }
  }
}
