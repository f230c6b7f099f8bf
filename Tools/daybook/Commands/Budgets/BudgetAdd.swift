import ArgumentParser
import Daybook

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
        daybook budget add Groceries 300 --every "2 weeks" --from 2026-01-09
        daybook budget add Tax 4000 --every year --reset-day 04-06
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
    guard period.every == .once || period.countsFromFrom || period.from == nil else {
      throw ValidationError(
        "--from requires --every once or several weeks or months without --reset-day. For the "
          + "budget's first day, use --start.")
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
