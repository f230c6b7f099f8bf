import ArgumentParser
import Daybook
import Terminal

/// `daybook budget list`: how all budgets stand today.
struct BudgetListCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show how the budgets stand today.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Flag(help: "Archived budgets too, and those that have no period today.")
  var all = false

  private struct Line {
    var budget: Budget
    var status: BudgetStatus?
  }

  func execute() async throws {
    let today = today.day
    let (lines, names) = try await ledger.read(past) { snapshot in
      var standing: [BudgetID: BudgetStatus] = [:]
      for status in try snapshot.budgetStatuses(today: today, includingArchived: true) {
        standing[status.budget.id] = status
      }
      let budgets = try snapshot.budgets().sorted { ($0.order, $0.number) < ($1.order, $1.number) }
      let lines = budgets.map { Line(budget: $0, status: standing[$0.id]) }
        .filter { all || (!$0.budget.isArchived && $0.status != nil) }
      return (lines, try Names(snapshot))
    }
    if ledger.json {
      return try Output.json(
        .object([
          ("today", .day(today)),
          ("budgets", .array(lines.map { .budget($0.budget, $0.status, names) })),
        ]))
    }
    try show(lines)
  }

  private func show(_ lines: [Line]) throws {
    var table = TextTable([
      .init("Budget"), .init("Until", isFlexible: false), .init("Spent", .right),
      .init("of", .right), .init("Left", .right), .init("", isFlexible: false),
      .init("", isFlexible: false), .init("", .right),
    ])
    for line in lines {
      let name = line.budget.name + (line.budget.isArchived ? " (archived)" : "")
      guard let status = line.status else {
        table.add([.init(name, .dim), .init("no period", .dim)])
        continue
      }
      table.add([
        .init(name), .init("\(status.lastDay)"), Figures.cell(status.spent.total),
        .init(Figures.text(status.available)), Figures.cell(status.remaining),
        .init(status.amount.currency.code, .dim),
        .init(BudgetBar.drawing(status), BudgetBar.style(status)), .init(status.shareText),
      ])
    }
    try Output.table(table, ifEmpty: "No budgets. `daybook budget add` makes one.")
    for line in lines {
      guard let status = line.status else { continue }
      if !status.isOverspent, status.projectedOverspend.units > 0 {
        try Output.line(
          "\(line.budget.name.printable): if it goes on like this, "
            + "\(Figures.withCode(status.projectedOverspend)) too much by \(status.lastDay).")
      }
      if !status.spent.isComplete {
        try Output.line("\(line.budget.name.printable):")
        try Conversion.remark(on: status.spent, what: "row")
      }
    }
  }
}

/// A bar as long as the share that was spent.
enum BudgetBar {
  static let columnCount = 10

  /// Ten columns are all that is available; what goes beyond is not drawn.
  static func drawing(_ status: BudgetStatus) -> String {
    let whole = max(status.available.units, 0)
    let drawn = BarChart.drawing(
      of: status.isOverspent ? 1 : status.spent.total.units,
      longest: status.isOverspent ? 1 : whole, columns: columnCount)
    return drawn.padded(to: columnCount).replacing(" ", with: "·")
  }

  /// Red where too much was spent, yellow where it will be.
  static func style(_ status: BudgetStatus) -> Style {
    status.isOverspent ? .red : status.projectedOverspend.units > 0 ? .yellow : .green
  }
}
