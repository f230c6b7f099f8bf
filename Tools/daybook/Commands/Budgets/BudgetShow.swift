import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook budget show`: shows one budget and its periods.
struct BudgetShowCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a budget's progress and its past periods.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The budget's name or id.", completion: LedgerCompletion.budgets)
  var budget: String

  @Option(help: "The number of newest periods to show.")
  var periods = 12

  func validate() throws {
    guard periods >= 1 else { throw ValidationError("--periods must be at least 1.") }
  }

  private struct Content: Encodable, Sendable {
    var budget: Budget
    var status: BudgetStatus?
    var periods: [BudgetStatus]
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let found = try Lookup.budget(budget, in: snapshot)
    let status = try snapshot.budgetStatus(of: found.id, today: today)
    let history = try snapshot.budgetHistory(of: found.id, limit: periods, today: today)
    let names = try Names(snapshot)
    let content = Content(budget: found, status: status, periods: history)
    var report = Report(
      Self.columns(carries: found.carriesOver), ifEmpty: "",
      json: JSONAnswer(content, names))
    let state = found.isArchived ? ", archived" : ""
    report.above = [
      .text(
        "\(found.name.printable): \(names.text(of: found).printable), \(found.period.text)\(state)")
    ]
    report.above += Self.earlier(found, names).map { .text($0.printable) }
    if !found.note.isEmpty { report.above.append(.text(found.note.printable)) }
    report.above +=
      status.map { Self.blocks(of: $0) } ?? [.text("No period on \(today).")]
    if history.isEmpty { report.showsTable = false } else { report.above.append(.text("")) }
    for status in history.reversed() { report.add(Self.cells(status)) }
    if let status { report.remarks = Conversion.remarks(on: status.spent, what: "transaction") }
    return report
  }

  /// What applied to earlier periods, one line per property that has changed.
  private static func earlier(_ budget: Budget, _ names: Names) -> [String] {
    let lists: [(word: String, value: PropertyValue, isEmpty: Bool)] = [
      ("Periods", .earlierPeriods(budget.earlierPeriods), budget.earlierPeriods.isEmpty),
      (
        "Categories", .earlierCategories(budget.earlierCategories), budget.earlierCategories.isEmpty
      ),
      ("Carried over", .earlierRollovers(budget.earlierRollovers), budget.earlierRollovers.isEmpty),
    ]
    return lists.filter { !$0.isEmpty }.map { word, value, _ in
      "\(word) before: \(value.text { names.path(of: CategoryID($0)) })"
    }
  }

  /// The status of a budget, as blocks above the table.
  private static func blocks(of status: BudgetStatus) -> [Report.Block] {
    var table = TextTable(
      [
        .init("", yielding: .never), .init("", .right),
        .init("", isFlexible: false, yielding: .never),
      ], showsTitles: false)
    func add(_ name: String, _ total: Total) {
      table.add([.init(name), Figures.cell(total), .init(total.currency.code, .dim)])
    }
    add("Amount", status.amount)
    if status.budget.carriesOver { add("Carried over", status.carriedOver.total) }
    add("Spent", status.spent.total)
    add("Left", status.remaining)
    if status.planned.total.units != 0 { add("Planned after today", status.planned.total) }
    add("Projected at this pace", status.projected)
    let bar = TextTable.Cell(BudgetBar.drawing(status), BudgetBar.style(status))
    var head = TextTable(
      [
        .init("", isFlexible: false), .init("", isFlexible: false, yielding: .goes(1)),
        .init("", .right),
      ], showsTitles: false)
    head.add([
      .init("\(status.days.lowerBound) to \(status.lastDay)"), bar, .init(status.shareText),
    ])
    var blocks: [Report.Block] = [.text(""), .table(head), .table(table)]
    if let pace = status.pace {
      blocks.append(
        .text(
          "Day \(status.elapsedDayCount) of \(status.dayCount): spending is at "
            + "\(Figures.percent(pace)) of an even pace."))
    }
    return blocks
  }

  private static func columns(carries: Bool) -> [Report.Column] {
    [
      .fixed("from", "From"), .fixed("through", "to", yielding: .goes(2)),
      .figure("amount", "Amount", yielding: .goes(4)),
      carries ? .figure("carriedOver", "Carried", yielding: .goes(3)) : .data("carriedOver"),
      .data("available"), .figure("spent", "Spent"), .figure("remaining", "Left"),
      .data("currency"), .fixed(nil, yielding: .goes(1)),
      .figure("share", "", yielding: .goes(5)),
    ]
  }

  private static func cells(_ status: BudgetStatus) -> [Report.Cell] {
    [
      .day(status.days.lowerBound), .day(status.lastDay),
      .init(data: status.amount.text, .init(Figures.text(status.amount))),
      .total(status.carriedOver.total), .total(status.available), .total(status.spent.total),
      .total(status.remaining), .currency(status.amount.currency),
      .init(data: "", .init(BudgetBar.drawing(status), BudgetBar.style(status))),
      .init(data: Report.Cell.share(status.share).data, .init(status.shareText)),
    ]
  }
}
