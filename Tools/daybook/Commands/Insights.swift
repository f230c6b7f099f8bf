import ArgumentParser
import Daybook
import Terminal

/// `daybook insights`: what a month says beside others.
struct InsightsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract:
      "Show what a month says: against the month before, by category, and how long it lasts.",
    discussion: "From totals alone, in one currency: the ledger's base currency, or --currency.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("Which month; this one if not given.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: "In which currency.")
  var currency: String?

  private struct Answer {
    var currency: Currency
    var change: MonthChange
    var average: Total
    var top: [CategoryShare]
    var spikes: [Spike]
    var streak: Int
    var savings: Ratio?
    var best: MonthTotals?
    var worst: MonthTotals?
    var runway: Runway?
    var names: Names
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let answer = try answer(snapshot, month?.month ?? today.monthOf, today)
    var report = Report(
      [
        .data("figure"), .data("name"), .data("amount"), .data("currency"), .data("usual"),
        .data("value"),
      ], ifEmpty: ""
    ) { json(answer) }
    report.showsTable = false
    report.above = lines(answer).map { .text($0) }
    addRows(answer, to: &report)
    return report
  }

  /// A row for each figure; what is no amount stands in the last column.
  private func addRows(_ answer: Answer, to report: inout Report) {
    func add(
      _ figure: String, _ name: String = "", _ total: Total? = nil, usual: Total? = nil,
      value: Report.Cell = ""
    ) {
      report.add([
        .init(figure), .init(name), .total(total), .currency(total?.currency), .total(usual), value,
      ])
    }
    let (change, month) = (answer.change, "\(answer.change.month)")
    add("income", month, change.totals.income)
    add("incomeChange", month, change.income)
    add("expense", month, change.totals.expense)
    add("expenseChange", month, change.expense)
    add("averagePerDay", month, answer.average)
    if let savings = answer.savings { add("savings", month, value: .share(savings)) }
    for share in answer.top {
      add(
        "topCategory", answer.names.path(of: share.category.id), share.total,
        value: .share(share.share))
    }
    for spike in answer.spikes {
      add("spike", answer.names.path(of: spike.category.id), spike.total, usual: spike.usual)
    }
    add("growthStreak", month, value: .count(answer.streak))
    if let best = answer.best { add("bestMonth", "\(best.month)") }
    if let worst = answer.worst { add("worstMonth", "\(worst.month)") }
    if let runway = answer.runway {
      let tenths = runway.tenthsOfMonths
      add(
        "runwayMonths", "", runway.worth, usual: runway.expense,
        value: "\(tenths / 10).\(tenths % 10)")
    }
  }

  private func answer(
    _ snapshot: borrowing Snapshot, _ month: Month, _ today: Day
  ) throws -> Answer {
    let asked = try currency.map { try Lookup.currency($0, in: snapshot) }
    guard let currency = try asked ?? snapshot.settings().baseCurrency else {
      throw CommandFailure.notFound(
        "This ledger has no base currency.", remedy: "Give one: --currency EUR.")
    }
    let year = month.adding(-11)..<month.adding(1)
    let extremes = try snapshot.bestAndWorstMonth(in: year, currency: currency, today: today)
    return Answer(
      currency: currency,
      change: try snapshot.monthOverMonth(month, in: currency, today: today),
      average: try snapshot.averagePerDay(in: month.days, currency: currency, today: today),
      top: try snapshot.topCategories(in: month.days, currency: currency, limit: 5, today: today),
      spikes: try snapshot.spikes(in: month, currency: currency, today: today),
      streak: try snapshot.growthStreak(through: month, currency: currency, today: today),
      savings: try snapshot.savingsRate(in: month.days, currency: currency, today: today),
      best: extremes?.best, worst: extremes?.worst,
      runway: try snapshot.runway(in: currency, today: today), names: try Names(snapshot))
  }

  private func lines(_ answer: Answer) -> [String] {
    let totals = answer.change.totals
    func text(_ total: Total) -> String { Figures.withCode(total) }
    func more(_ total: Total) -> String {
      total.units == 0
        ? "as much as the month before"
        : "\(text(Total(units: abs(total.units), currency: total.currency))) "
          + "\(total.units > 0 ? "more" : "less") than the month before"
    }
    var lines = [
      "\(answer.change.month): earned \(text(totals.income)) (\(more(answer.change.income))), spent "
        + "\(text(totals.expense)) (\(more(answer.change.expense))).",
      "Spent on a day: \(text(answer.average)).",
    ]
    if let savings = answer.savings {
      lines.append("Saved: \(Figures.percent(savings)) of what was earned.")
    }
    for share in answer.top {
      let part = share.share.map { ", \(Figures.percent($0))" } ?? ""
      lines.append("  \(answer.names.path(of: share.category.id)): \(text(share.total))\(part)")
    }
    for spike in answer.spikes {
      lines.append(
        "Unusual: \(answer.names.path(of: spike.category.id)), \(text(spike.total)) where "
          + "\(text(spike.usual)) is usual.")
    }
    if answer.streak > 1 {
      lines.append("Spending has grown for \(answer.streak) months in a row.")
    }
    if let best = answer.best, let worst = answer.worst {
      lines.append("Best of twelve months: \(best.month); worst: \(worst.month).")
    }
    if let runway = answer.runway {
      let tenths = runway.tenthsOfMonths
      lines.append(
        "What there is, \(text(runway.worth)), lasts \(tenths / 10).\(tenths % 10) months at "
          + "\(text(runway.expense)) a month.")
    }
    return lines.map { $0.printable }
  }

  private func json(_ answer: Answer) -> JSON {
    .object([
      ("month", .string("\(answer.change.month)")), ("currency", .string(answer.currency.code)),
      ("income", .total(answer.change.totals.income)),
      ("incomeChange", .total(answer.change.income)),
      ("expense", .total(answer.change.totals.expense)),
      ("expenseChange", .total(answer.change.expense)),
      ("averagePerDay", .total(answer.average)),
      ("savingsPerMille", answer.savings.map { .count($0.perMille) } ?? .null),
      (
        "topCategories",
        .array(
          answer.top.map {
            .object([
              ("category", .string(answer.names.path(of: $0.category.id))),
              ("total", .total($0.total)),
              ("sharePerMille", $0.share.map { .count($0.perMille) } ?? .null),
            ])
          })
      ),
      (
        "spikes",
        .array(
          answer.spikes.map {
            .object([
              ("category", .string(answer.names.path(of: $0.category.id))),
              ("total", .total($0.total)), ("usual", .total($0.usual)),
            ])
          })
      ),
      ("growthStreak", .count(answer.streak)),
      ("bestMonth", .optional(answer.best.map { "\($0.month)" })),
      ("worstMonth", .optional(answer.worst.map { "\($0.month)" })),
      (
        "runwayTenthsOfMonths", answer.runway.map { .count($0.tenthsOfMonths) } ?? .null
      ),
    ])
  }
}
