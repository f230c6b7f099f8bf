public import Entities

/// What a budget's periods are.
public enum BudgetPeriod: Hashable, Sendable {
  /// Months that begin on a day of the month (1 to 31, clamped to the month's end).
  case monthly(resetDay: Int)
  /// Weeks that begin on the ledger's first weekday.
  case weekly
  /// Calendar years.
  case yearly
  /// One span of days.
  case custom(Range<Day>)
}

/// What a budget carries into its next period.
public enum Rollover: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing.
  case none = 0
  /// What was left.
  case surplus = 1
  /// What was overspent.
  case deficit = 2
  /// Either.
  case both = 3
}

/// An amount that a budget has from a day on.
public struct BudgetStep: Hashable, Sendable {
  /// The first day.
  public var day: Day
  /// The amount, in the budget's currency.
  public var amount: Money

  /// From a day on, an amount in the budget's currency.
  public init(day: Day, amount: Money) {
    self.day = day
    self.amount = amount
  }
}

/// How much may be spent on categories in a period.
public struct Budget: LedgerEntity {
  /// The budget's id.
  public var id: BudgetID
  /// The recording number.
  public var number: UInt64
  /// What people call it; at most ``Limits/nameByteCountMax`` bytes of UTF-8.
  public var name: String
  /// The expense categories it watches; none means all.
  public var categories: [CategoryID]
  /// Whether what is below those categories counts too.
  public var includesSubcategories = true
  /// The amount for a period.
  public var amount: Money
  /// How long a period is, and on which day one begins.
  public var period: BudgetPeriod
  /// What is carried over.
  public var rollover = Rollover.none
  /// The first day that counts; what is carried over is counted from it.
  public var start: Day?
  /// The day from which it no longer counts.
  public var end: Day?
  /// Other amounts, days ascending: each is that of the periods that begin on its day or later, so that
  /// past periods keep theirs.
  public var steps: [BudgetStep] = []
  /// Whether it is put aside.
  public var isArchived = false
  /// Free text.
  public var note = ""
  /// The place in a list.
  public var order: Int64 = 0

  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
  /// What budgets are in the journal: kind 6.
  public static var kind: EntityKind { .budget }
}

extension Budget {
  /// A budget; set the rarer properties afterwards.
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

  /// A budget of nothing.
  public static let blank = Budget(
    id: BudgetID(EntityID(high: 0, low: 0)), name: "", categories: [], amount: MoneyCoding.blank,
    period: BudgetPeriodCoding.blank)

  /// The table of properties.
  @inline(__always)
  @_lifetime(p: copy p)
  public func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> Budget {
    let name = try p(1, "name", name, .text, .name)
    let categories = try p(2, "categories", categories, .list(), .plain)
    let includes = try p(3, "includesSubcategories", includesSubcategories, .flagUnless, .plain)
    let amount = try p(4, "amount", amount, .money, .plain.register(4))
    let period = try p(5, "period", period, .budgetPeriod, .plain)
    let rollover = try p(6, "rollover", rollover, .choice(), .plain)
    let start = try p(7, "start", start, .optional(.day), .plain)
    let end = try p(8, "end", end, .optional(.day), .plain)
    let dated = steps.map { DatedAmount(day: $0.day, amount: $0.amount) }
    var steps: [BudgetStep] = []
    for step in try p(9, "steps", dated, .list(), .plain.register(4)) {
      if step.amount.currency != CurrencyCoding.blank, step.amount.currency != amount.currency {
        try p.refuse("an amount from a day on is in another currency than the budget")
      }
      // A record says the currency once, in the amount.
      steps.append(
        BudgetStep(day: step.day, amount: Money(step.amount.minorUnits, amount.currency)))
    }
    return Budget.init(
      id:number:name:categories:includesSubcategories:amount:period:rollover:start:end:steps:
      isArchived:note:order:
    )(
      BudgetID(p.id), p.number, name, categories, includes, amount, period, rollover, start, end,
      steps,
      try p(10, "isArchived", isArchived, .flag, .json("archived")),
      try p(11, "note", note, .text, .personal),
      try p(12, "order", order, .number, .plain))
  }
}
