import ArgumentParser
import Daybook

/// `daybook budget`: lists and manages budgets.
struct BudgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget", abstract: "Manage budgets and show their progress.",
    discussion: """
      A budget limits spending in some categories per week, month or year, or between two dates. \
      Transactions after today count as planned, not as spent.
      """,
    subcommands: [
      BudgetListCommand.self, BudgetShowCommand.self, BudgetAddCommand.self, BudgetSetCommand.self,
      BudgetEditCommand.self, BudgetArchiveCommand.self, BudgetUnarchiveCommand.self,
      BudgetDeleteCommand.self, BudgetInvalidateCommand.self,
    ], defaultSubcommand: BudgetListCommand.self)
}

extension Lookup {
  /// Finds a budget by its id or its name, ignoring case.
  ///
  /// Budgets that aren't archived take precedence over archived budgets with the same name.
  ///
  /// - Throws: `CommandFailure` if no budget or several budgets match.
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

extension Names {
  /// The categories that a budget covers, in words.
  func text(of budget: Budget) -> String {
    budget.categories.isEmpty
      ? "all expenses" : budget.categories.map { path(of: $0) }.joined(separator: ", ")
  }
}

extension BudgetStatus {
  /// The spent share of the available amount, such as `64.3 %`.
  var shareText: String {
    guard let share else { return spent.total.units > 0 ? "over" : "–" }
    return Figures.percent(share)
  }

  /// The last day of the period.
  var lastDay: Day { days.upperBound.adding(days: -1) }
}
