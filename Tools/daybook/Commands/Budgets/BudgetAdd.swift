import ArgumentParser
import Daybook

/// The options that divide a budget's days into periods.
struct BudgetPeriodOptions: ParsableArguments {
  /// The length of a period.
  enum Length: String, ExpressibleByArgument, CaseIterable {
    case month, week, year, once
  }

  @Option(help: "The period: month, week, year, or once (with --from and --through).")
  var every: Length?

  @Option(
    help: ArgumentHelp(
      "The day of the month on which a period begins, 1 to 31; the last day in shorter months.",
      valueName: "day"))
  var resetDay: Int?

  @Option(
    help: ArgumentHelp(
      "The first day of a one-time budget; when editing another budget, a day of the first period "
        + "to change (default: today).", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last day of a one-time budget.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  func validate() throws {
    if let resetDay {
      guard (1...31).contains(resetDay) else {
        throw ValidationError("--reset-day must be from 1 to 31.")
      }
      guard every ?? .month == .month else {
        throw ValidationError("--reset-day requires --every month.")
      }
    }
    guard every != .once || (from != nil && through != nil) else {
      throw ValidationError("--every once requires --from and --through.")
    }
    guard every == .once || through == nil else {
      throw ValidationError("--through requires --every once.")
    }
  }

  /// The requested period, or `nil` if none was given.
  func period(today: Day) throws -> BudgetPeriod? {
    switch every {
    case .week: return .weekly
    case .year: return .yearly
    case .once:
      guard let first = from?.day(today: today), let last = through?.day(today: today) else {
        return nil
      }
      guard first <= last else {
        throw ValidationError("--through is before --from. Swap the two days.")
      }
      return .custom(first..<last.adding(days: 1))
    case .month: return .monthly(resetDay: resetDay ?? 1)
    case nil: return resetDay.map { .monthly(resetDay: $0) }
    }
  }
}

/// The remainder that a budget carries over to the next period.
enum RolloverArgument: String, ExpressibleByArgument, CaseIterable {
  case none, surplus, deficit, both

  var rollover: Rollover {
    switch self {
    case .none: .none
    case .surplus: .surplus
    case .deficit: .deficit
    case .both: .both
    }
  }
}

/// `daybook budget add`: creates a budget.
struct BudgetAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a budget.",
    discussion: """
        daybook budget add Food 500 --category Food --category Restaurants
        daybook budget add Household 2000 --reset-day 25
        daybook budget add Lunch 50 --every week --category Food:Lunch --rollover both
        daybook budget add Holidays 1500 --every once --from 2026-07-01 --through 2026-07-21

      Without --category, the budget covers all expenses. Carrying over starts on --start, or with \
      the current period.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The budget's name.")
  var name: String

  @Argument(help: "The amount per period, such as 500 or \"500 USD\".")
  var amount: String

  @Option(help: "A category to cover; repeatable.", completion: LedgerCompletion.categories)
  var category: [String] = []

  @Flag(inversion: .prefixedNo, help: "Include the subcategories of these categories.")
  var subcategories = true

  @OptionGroup var period: BudgetPeriodOptions

  @Option(help: "What to carry over to the next period: none, surplus, deficit or both.")
  var rollover: RolloverArgument = .none

  @Option(help: ArgumentHelp("The budget's first day.", valueName: "yyyy-mm-dd"))
  var start: DayArgument?

  @Option(help: ArgumentHelp("The first day after the budget ends.", valueName: "yyyy-mm-dd"))
  var end: DayArgument?

  @Option(help: "A note.")
  var note = ""

  func validate() throws {
    guard period.every == .once || period.from == nil else {
      throw ValidationError(
        "--from requires --every once; for the budget's first day, use --start.")
    }
  }

  func execute() async throws {
    let now = today.day
    let kind = try period.period(today: now) ?? .monthly(resetDay: 1)
    let new = NewCategories()
    let recorded = try await ledger.record(creating: new) { snapshot in
      let settings = try snapshot.settings()
      var budget = Budget(
        id: .unassigned, name: name,
        categories: try category.map {
          try new.id(of: $0, kind: .expense, in: snapshot)
        }, amount: try Amounts.money(amount, in: settings.baseCurrency, snapshot), period: kind)
      budget.includesSubcategories = subcategories
      budget.rollover = rollover.rollover
      budget.start = start?.day(today: now)
      budget.end = end?.day(today: now)
      budget.note = note
      budget.order = (try snapshot.budgets().map(\.order).max() ?? -1) + 1
      if budget.rollover != .none { budget.carry(from: now, settings.firstWeekday) }
      return [.putBudget(budget)]
    }
    try ledger.answer(recorded, "Added budget \(name), \(kind.text).")
  }
}

extension Budget {
  /// Starts carrying over in the period that contains a day, unless the budget already has a start.
  mutating func carry(from day: Day, _ firstWeekday: Int) {
    if start != nil { return }
    start = calendar(firstWeekday: firstWeekday).period(containing: day)?.lowerBound
  }
}
