import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook budget list`: lists budgets with their status today.
struct BudgetListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List budgets with their progress today.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Flag(help: "Include archived budgets and those without a current period.")
  var all = false

  /// A budget and its status, or the budget alone if it has no period today.
  private struct Line: Encodable, Sendable {
    var budget: Budget
    var status: BudgetStatus?

    func encode(to encoder: any Encoder) throws {
      if let status {
        try status.encode(to: encoder)
      } else {
        try ["budget": budget].encode(to: encoder)
      }
    }
  }

  private struct Content: Encodable, Sendable {
    var today: Day
    var budgets: [Line]
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    var standing: [BudgetID: BudgetStatus] = [:]
    for status in try snapshot.budgetStatuses(today: today, includingArchived: true) {
      standing[status.budget.id] = status
    }
    let lines = try snapshot.budgets().sorted { ($0.order, $0.number) < ($1.order, $1.number) }
      .map { Line(budget: $0, status: standing[$0.id]) }
      .filter { all || (!$0.budget.isArchived && $0.status != nil) }
    let names = try Names(snapshot)
    var report = Report(
      Self.columns, ifEmpty: "No budgets. Add one with `daybook budget add`.",
      json: JSONAnswer(Content(today: today, budgets: lines), names))
    for line in lines {
      report.add(cells(line))
      report.remarks += remarks(on: line)
    }
    return report
  }

  private static var columns: [Report.Column] {
    [
      .text("budget", "Budget", wraps: true, yielding: .never), .data("archived"), .data("from"),
      .fixed("through", "Until", yielding: .goes(2)), .figure("spent", "Spent"),
      .figure("available", "of", yielding: .goes(3)), .figure("remaining", "Left"),
      .fixed("currency"), .fixed(nil, yielding: .goes(1)),
      .figure("share", "", yielding: .goes(4)),
    ]
  }

  private func cells(_ line: Line) -> [Report.Cell] {
    let budget = line.budget
    let name = budget.name + (budget.isArchived ? " (archived)" : "")
    let isArchived: Report.Cell = .flag(budget.isArchived)
    guard let status = line.status else {
      return [
        .init(data: budget.name, .init(name, .dim)), isArchived, "",
        .init(
          data: "",
          .init(
            "no current period", .dim)), "", "", "", .currency(budget.amount.currency),
        "", "",
      ]
    }
    return [
      .init(data: budget.name, .init(name)), isArchived, .day(status.days.lowerBound),
      .day(status.lastDay), .total(status.spent.total),
      .init(data: status.available.text, .init(Figures.text(status.available))),
      .total(status.remaining), .currency(status.amount.currency, .dim),
      .init(data: "", .init(BudgetBar.drawing(status), BudgetBar.style(status))),
      .init(data: Report.Cell.share(status.share).data, .init(status.shareText)),
    ]
  }

  private func remarks(on line: Line) -> [String] {
    guard let status = line.status else { return [] }
    var remarks: [String] = []
    if !status.isOverspent, status.projectedOverspend.units > 0 {
      remarks.append(
        "\(line.budget.name.printable): on course to be "
          + "\(Figures.withCode(status.projectedOverspend)) over budget by \(status.lastDay).")
    }
    if !status.spent.isComplete {
      remarks.append("\(line.budget.name.printable):")
      remarks += Conversion.remarks(on: status.spent, what: "transaction")
    }
    return remarks
  }
}

/// A bar that shows the spent share of a budget.
enum BudgetBar {
  static let columnCount = 10

  /// The bar of a status.
  ///
  /// Its full width is the available amount; overspending isn't drawn.
  static func drawing(_ status: BudgetStatus) -> String {
    let whole = max(status.available.units, 0)
    let drawn = BarChart.drawing(
      of: status.isOverspent ? 1 : status.spent.total.units,
      longest: status.isOverspent ? 1 : whole, columns: columnCount)
    return drawn.padded(to: columnCount).replacing(" ", with: "·")
  }

  /// Returns red if the budget is overspent, yellow if it is projected to be overspent, and green
  /// otherwise.
  static func style(_ status: BudgetStatus) -> Style {
    status.isOverspent ? .red : status.projectedOverspend.units > 0 ? .yellow : .green
  }
}
