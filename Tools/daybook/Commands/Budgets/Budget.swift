import ArgumentParser
import Daybook

/// `daybook budget`: how much may be spent, and how much was.
struct BudgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget", abstract: "Keep budgets, and see how they stand.",
    discussion: """
      A budget says how much may be spent on some categories in a month, a week, a year, or from one day \
      to another. Rows dated after today are planned, not spent.
      """,
    subcommands: [
      BudgetListCommand.self, BudgetShowCommand.self, BudgetAddCommand.self, BudgetSetCommand.self,
      BudgetEditCommand.self, BudgetArchiveCommand.self, BudgetUnarchiveCommand.self,
      BudgetDeleteCommand.self, BudgetInvalidateCommand.self,
    ], defaultSubcommand: BudgetListCommand.self)
}

extension Lookup {
  /// The budget of a name (whatever its case) or an id; of several, the one that is not archived.
  static func budget(_ text: String, in snapshot: borrowing Snapshot) throws -> Budget {
    let all = try snapshot.budgets()
    if let found = all.first(where: { "\($0.id)" == text }) { return found }
    let named = all.filter { Folding.key($0.name) == Folding.key(text) }
    let live = named.filter { !$0.isArchived }
    let found = live.isEmpty ? named : live
    return try only(
      of: found, called: text, (one: "budget", several: "budgets"), among: all.map(\.name),
      list: "daybook budget list --all", create: "daybook budget add")
  }
}

extension BudgetPeriod {
  /// How people say it: `every month from day 15`.
  var text: String {
    switch self {
    case .monthly(let day): day == 1 ? "every month" : "every month from day \(day)"
    case .weekly: "every week"
    case .yearly: "every year"
    case .custom(let span): "\(span.lowerBound) to \(span.upperBound.adding(days: -1))"
    }
  }
}

extension Names {
  /// What a budget watches, in words.
  func text(of budget: Budget) -> String {
    budget.categories.isEmpty
      ? "all expenses" : budget.categories.map { path(of: $0) }.joined(separator: ", ")
  }
}

extension BudgetStatus {
  /// The share of what is available that was spent: `64.3 %`.
  var shareText: String {
    guard let share else { return spent.total.units > 0 ? "over" : "–" }
    return Figures.percent(share)
  }

  /// The last day of the period.
  var lastDay: Day { days.upperBound.adding(days: -1) }
}

extension JSON {
  /// A budget, without its figures.
  static func budget(_ budget: Budget, _ names: Names) -> JSON {
    .object(of: members(budget, names))
  }

  private static func members(_ budget: Budget, _ names: Names) -> [(String, JSON)] {
    [
      ("id", .string("\(budget.id)")), ("name", .string(budget.name)),
      ("categories", .array(budget.categories.map { .string(names.path(of: $0)) })),
      ("subcategories", .bool(budget.includesSubcategories)),
      ("period", .string(budget.period.text)), ("amount", .money(budget.amount)),
      ("rollover", .string("\(budget.rollover)")), ("start", .day(budget.start)),
      ("end", .day(budget.end)),
      (
        "steps",
        .array(
          budget.steps.map {
            .object(of: [
              ("day", .day($0.day)),
              ("amount", .string($0.amount.text)),
            ])
          })
      ),
      ("isArchived", .bool(budget.isArchived)), ("note", .string(budget.note)),
      ("order", .count(budget.order)),
    ]
  }

  /// How a budget stands in a period; amounts are in the budget's currency.
  static func period(_ status: BudgetStatus) -> JSON {
    .object(of: [
      ("from", .day(status.days.lowerBound)), ("before", .day(status.days.upperBound)),
      ("amount", .total(status.amount)), ("carriedOver", .converted(status.carriedOver)),
      ("available", .total(status.available)), ("spent", .converted(status.spent)),
      ("remaining", .total(status.remaining)),
      ("sharePerMille", status.share.map { .count($0.perMille) } ?? .null),
      ("pacePerMille", status.pace.map { .count($0.perMille) } ?? .null),
      ("projected", .total(status.projected)),
      ("projectedOverspend", .total(status.projectedOverspend)),
      ("planned", .converted(status.planned)),
    ])
  }

  /// A budget and how it stands; `period` is null where it has none today.
  static func budget(_ budget: Budget, _ status: BudgetStatus?, _ names: Names) -> JSON {
    .object(of: members(budget, names) + [("current", status.map { .period($0) } ?? .null)])
  }
}
