import ArgumentParser
import Daybook
import Terminal

/// `daybook budget show`: one budget, and its periods.
struct BudgetShowCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one budget, how it stands, and its past periods.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "Its name or id.")
  var budget: String

  @Option(help: "How many periods, at most: the newest.")
  var periods = 12

  func validate() throws {
    guard periods >= 1 else { throw ValidationError("--periods has to be at least 1.") }
  }

  func execute() async throws {
    let today = today.day
    let (found, status, history, names) = try await ledger.read(past) { snapshot in
      let found = try Lookup.budget(budget, in: snapshot)
      return (
        found, try snapshot.budgetStatus(of: found.id, today: today),
        try snapshot.budgetHistory(of: found.id, limit: periods, today: today),
        try Names(snapshot)
      )
    }
    if ledger.json {
      return try Output.json(
        .object([
          ("today", .day(today)), ("budget", .budget(found, status, names)),
          ("periods", .array(history.map { .period($0) })),
        ]))
    }
    let state = found.isArchived ? ", archived" : ""
    try Output.line(
      "\(found.name.printable): \(names.text(of: found).printable), \(found.period.text)\(state)")
    if !found.note.isEmpty { try Output.line(found.note.printable) }
    if let status { try show(status) } else { try Output.line("It has no period on \(today).") }
    try show(history, of: found)
  }

  private func show(_ status: BudgetStatus) throws {
    var table = TextTable(
      [.init(""), .init("", .right), .init("", isFlexible: false)], showsTitles: false)
    func add(_ name: String, _ total: Total) {
      table.add([.init(name), Figures.cell(total), .init(total.currency.code, .dim)])
    }
    add("Amount", status.amount)
    if status.budget.rollover != .none { add("Carried over", status.carriedOver.total) }
    add("Spent", status.spent.total)
    add("Left", status.remaining)
    if status.planned.total.units != 0 { add("Planned after today", status.planned.total) }
    add("At the end, at this pace", status.projected)
    try Output.line("")
    let style = BudgetBar.style(status)
    let bar = style.apply(to: BudgetBar.drawing(status), inColour: Terminal.output.inColour)
    try Output.line("\(status.days.lowerBound) to \(status.lastDay)  \(bar)  \(status.shareText)")
    try Output.table(table, ifEmpty: "")
    if let pace = status.pace {
      try Output.line(
        "Day \(status.elapsedDayCount) of \(status.dayCount): spent at \(Figures.percent(pace)) of an "
          + "even pace.")
    }
    try Conversion.remark(on: status.spent, what: "row")
  }

  private func show(_ history: [BudgetStatus], of budget: Budget) throws {
    let carries = budget.rollover != .none
    var columns: [TextTable.Column] = [
      .init("From", isFlexible: false), .init("to", isFlexible: false), .init("Amount", .right),
    ]
    if carries { columns.append(.init("Carried", .right)) }
    columns += [
      .init("Spent", .right), .init("Left", .right), .init("", isFlexible: false),
      .init("", .right),
    ]
    var table = TextTable(columns)
    for status in history.reversed() {
      var cells: [TextTable.Cell] = [
        .init("\(status.days.lowerBound)"), .init("\(status.lastDay)"),
        .init(Figures.text(status.amount)),
      ]
      if carries { cells.append(Figures.cell(status.carriedOver.total)) }
      cells += [
        Figures.cell(status.spent.total), Figures.cell(status.remaining),
        .init(BudgetBar.drawing(status), BudgetBar.style(status)), .init(status.shareText),
      ]
      table.add(cells)
    }
    guard !table.isEmpty else { return }
    try Output.line("")
    try Output.table(table, ifEmpty: "")
  }
}
