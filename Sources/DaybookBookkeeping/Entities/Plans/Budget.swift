public import DaybookEntities

/// The length of a budget's periods.
public enum BudgetPeriod: Hashable, Sendable {
  /// Months that begin on a day of the month (1 to 31, clamped to the end of the month).
  case monthly(resetDay: Int)
  /// Weeks that begin on the ledger's first weekday.
  case weekly
  /// Calendar years.
  case yearly
  /// A single range of days.
  case custom(Range<Day>)
  /// Periods of a number of weeks, counted from a day in both directions.
  case weeks(Int, from: Day)
  /// The days from the 1st to the 15th of a month, and from the 16th to the end of the month.
  case halfMonthly
  /// Periods of a number of months, counted from a day in both directions.
  ///
  /// Each begins on that day of the month, or on the last day of a shorter month. For example,
  /// `.months(12, from: 2026-04-06)` are British tax years.
  case months(Int, from: Day)

  /// Calendar quarters.
  public static let quarterly = BudgetPeriod.months(3, from: Day(rawValue: 0))
}

/// The amount that a budget carries over to its next period.
public enum Rollover: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing.
  case none = 0
  /// An unspent amount.
  case surplus = 1
  /// An overspent amount.
  case deficit = 2
  /// Unspent and overspent amounts.
  case both = 3
}

/// A budget amount that applies from a given day on.
public struct BudgetStep: Hashable, Sendable {
  /// The first day.
  public var day: Day
  /// The amount, in the budget's currency.
  public var amount: Money

  /// Creates an amount, in the budget's currency, that applies from a given day on.
  public init(day: Day, amount: Money) {
    self.day = day
    self.amount = amount
  }
}

/// A planned amount for a set of categories and a period.
public struct Budget: LedgerEntity {
  /// The budget's id.
  public var id: BudgetID
  /// The recording number.
  public var number: UInt64
  /// The name; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// The expense categories that the budget covers; empty for all.
  public var categories: [CategoryID]
  /// Whether the budget also covers the subcategories of ``categories``.
  public var includesSubcategories = true
  /// The amount per period.
  public var amount: Money
  /// The length and start of the periods.
  public var period: BudgetPeriod
  /// The amount carried over to the next period.
  public var rollover = Rollover.none
  /// The first day of the budget, from which carried-over amounts are computed.
  public var start: Day?
  /// The first day after the budget's end.
  public var end: Day?
  /// Changes of the amount, by ascending day.
  ///
  /// Each step applies to the periods that begin on or after its day, so past periods keep their
  /// amount.
  public var steps: [BudgetStep] = []
  /// The periods that applied before ``period``, by ascending day.
  ///
  /// The day is exact: a period ends before it, and the next one begins on it.
  public var earlierPeriods: [EarlierValue<BudgetPeriod>] = []
  /// The rollovers that applied before ``rollover``, by ascending day.
  ///
  /// Each applies to the periods that begin before its day.
  public var earlierRollovers: [EarlierValue<Rollover>] = []
  /// The categories that the budget covered before ``categories``, by ascending day.
  ///
  /// Each applies to the periods that begin before its day.
  public var earlierCategories: [EarlierValue<BudgetCategories>] = []
  /// Whether a period that is shortened by a change of ``period`` has its share of the amount by
  /// days, instead of the full amount.
  public var proratesShortPeriods = true
  /// Whether the budget is archived.
  public var isArchived = false
  /// A note.
  public var note = ""
  /// The position in lists.
  public var order: Int64 = 0

  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
  /// The kind of budgets in the journal: 6.
  public static var kind: EntityKind { .budget }
}

extension Budget {
  /// Creates a budget; set the other properties afterwards.
  public init(
    id: BudgetID = .random(), number: UInt64 = 0, name: String, categories: [CategoryID],
    amount: Money,
    period: BudgetPeriod
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.categories = categories
    self.amount = amount
    self.period = period
  }

  /// A budget of zero, without categories.
  public static let blank = Budget(
    id: BudgetID(EntityID(high: 0, low: 0)), name: "", categories: [], amount: MoneyCoding.blank,
    period: BudgetPeriodCoding.blank)

  /// Defines the properties; see ``LedgerEntity/visit(_:)``.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Budget {
    let name = try p(1, "name", name, .text, .name)
    let categories = try p(2, "categories", categories, .list(), .plain.register(2))
    let includes = try p(
      3, "includesSubcategories", includesSubcategories, .flagUnless, .plain.register(2))
    let amount = try p(4, "amount", amount, .money, .plain.register(4))
    let period = try p(5, "period", period, .budgetPeriod, .plain.register(5))
    let rollover = try p(6, "rollover", rollover, .choice(), .plain.register(6))
    let start = try p(7, "start", start, .optional(.day), .plain)
    let end = try p(8, "end", end, .optional(.day), .plain)
    let dated = steps.map { DatedAmount(day: $0.day, amount: $0.amount) }
    var steps: [BudgetStep] = []
    for step in try p(9, "steps", dated, .list(), .plain.register(4)) {
      if step.amount.currency != CurrencyCoding.blank, step.amount.currency != amount.currency {
        try p.refuse("an amount from a day on isn't in the budget's currency")
      }
      // The record stores the currency only once, in the amount.
      steps.append(
        BudgetStep(day: step.day, amount: Money(step.amount.minorUnits, amount.currency)))
    }
    let isArchived = try p(10, "isArchived", isArchived, .flag, .json("archived"))
    let note = try p(11, "note", note, .text, .personal)
    let order = try p(12, "order", order, .number, .plain)
    return Budget.init(
      id:number:name:categories:includesSubcategories:amount:period:rollover:start:end:steps:
      earlierPeriods:earlierRollovers:earlierCategories:proratesShortPeriods:isArchived:note:order:
    )(
      BudgetID(p.id), p.number, name, categories, includes, amount, period, rollover, start, end,
      steps,
      try p(13, "earlierPeriods", earlierPeriods, .list(), .plain.register(5)),
      try p(14, "earlierRollovers", earlierRollovers, .list(), .plain.register(6)),
      try p(15, "earlierCategories", earlierCategories, .list(), .plain.register(2)),
      try p(16, "proratesShortPeriods", proratesShortPeriods, .flagUnless, .plain),
      isArchived, note, order)
  }
}
