import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook insights`: compares a month with the previous months.
struct InsightsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract:
      "Show a month's income and spending, trends, and how long savings last.",
    discussion: """
      Amounts are converted to the base currency, or to --base, at each day's rate. Amounts \
      without a rate are left out and listed. With --currency, only amounts in that currency \
      count, unconverted.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("The month (default: the current month).", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @OptionGroup var base: BaseOptions

  @Option(help: "Only this currency, unconverted.")
  var currency: String?

  func validate() throws {
    if currency != nil, base.base != nil {
      throw ValidationError("Use either --currency or --base, not both.")
    }
  }

  private struct Answer {
    var month: Month
    var income: Total
    var incomeBefore: Total
    var expense: Total
    var expenseBefore: Total
    var average: Total
    var top: [CategoryShare]
    var spikes: [Spike]
    var streak: Int
    var savings: Ratio?
    var best: Month?
    var worst: Month?
    var runway: Runway?
    var unconverted: [Unconverted] = []
    var unconvertedBefore: [Unconverted] = []
    var unconvertedWorth: [Unconverted] = []
    var oldRates: [String] = []
    var names: Names
    /// The same figures for scripts.
    var json: JSONAnswer

    var currency: Currency { income.currency }
  }

  /// The figures of `ConvertedInsights`, for a single currency without conversion.
  private struct Content: Encodable, Sendable {
    var month: Month
    var totals: CurrencyTotals
    var before: CurrencyTotals
    var averagePerDay: Total
    var topCategories: [CategoryShare]
    var spikes: [Spike]
    var growthStreak: Int
    var savingsRate: Ratio?
    var best: Month?
    var worst: Month?
    var runway: Runway?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let answer = try answer(snapshot)
    var report = Report(
      [
        .data("figure"), .data("name"), .data("amount"), .data("currency"), .data("usual"),
        .data("value"),
      ], ifEmpty: "", json: answer.json)
    report.showsTable = false
    report.above = lines(answer).map { .text($0) }
    report.remarks = remarks(answer)
    addRows(answer, to: &report)
    return report
  }

  private func answer(_ snapshot: borrowing Snapshot) throws -> Answer {
    let today = today.day
    let month = month?.month ?? today.monthOf
    if let currency {
      return try answer(snapshot, month, Lookup.currency(currency, in: snapshot), today)
    }
    guard let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency else {
      throw CommandFailure.notFound(
        "Couldn't show insights: this ledger has no base currency.",
        remedy: "Add a currency to convert to, such as --base EUR, or one to show alone, such as "
          + "--currency EUR.")
    }
    return try converted(snapshot, month, base, today)
  }

  /// Adds a row for each figure.
  ///
  /// Values that aren't amounts are in the last column.
  private func addRows(_ answer: Answer, to report: inout Report) {
    func add(
      _ figure: String, _ name: String = "", _ total: Total? = nil, usual: Total? = nil,
      value: Report.Cell = ""
    ) {
      report.add([
        .init(figure), .init(name), .total(total), .currency(total?.currency), .total(usual), value,
      ])
    }
    let month = "\(answer.month)"
    add("income", month, answer.income)
    add("incomeChange", month, change(answer.income, answer.incomeBefore))
    add("expense", month, answer.expense)
    add("expenseChange", month, change(answer.expense, answer.expenseBefore))
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
    if let best = answer.best { add("bestMonth", "\(best)") }
    if let worst = answer.worst { add("worstMonth", "\(worst)") }
    if let runway = answer.runway {
      let tenths = runway.tenthsOfMonths
      add(
        "runwayMonths", "", runway.worth, usual: runway.expense,
        value: "\(tenths / 10).\(tenths % 10)")
    }
  }

  private func converted(
    _ snapshot: borrowing Snapshot, _ month: Month, _ base: Currency, _ today: Day
  ) throws -> Answer {
    let found = try snapshot.baseInsights(month, base: base, today: today)
    let names = try Names(snapshot)
    return Answer(
      month: month, income: found.totals.income.total, incomeBefore: found.before.income.total,
      expense: found.totals.expense.total, expenseBefore: found.before.expense.total,
      average: found.averagePerDay, top: found.topCategories, spikes: found.spikes,
      streak: found.growthStreak, savings: found.savingsRate, best: found.best,
      worst: found.worst, runway: found.runway, unconverted: found.unconverted,
      unconvertedBefore: found.unconvertedBefore, unconvertedWorth: found.unconvertedWorth,
      oldRates: OldRates.remarks(found.oldRates, on: today),
      names: names, json: JSONAnswer(found, names))
  }

  private func answer(
    _ snapshot: borrowing Snapshot, _ month: Month, _ currency: Currency, _ today: Day
  ) throws -> Answer {
    let year = month.adding(-11)..<month.adding(1)
    let extremes = try snapshot.bestAndWorstMonth(in: year, currency: currency, today: today)
    let change = try snapshot.monthOverMonth(month, in: currency, today: today)
    let found = Content(
      month: month, totals: change.totals, before: change.before,
      averagePerDay: try snapshot.averagePerDay(in: month.days, currency: currency, today: today),
      topCategories: try snapshot.topCategories(
        in: month.days, currency: currency, limit: 5, today: today),
      spikes: try snapshot.spikes(in: month, currency: currency, today: today),
      growthStreak: try snapshot.growthStreak(through: month, currency: currency, today: today),
      savingsRate: try snapshot.savingsRate(in: month.days, currency: currency, today: today),
      best: extremes?.best.month, worst: extremes?.worst.month,
      runway: try snapshot.runway(in: currency, today: today))
    let names = try Names(snapshot)
    return Answer(
      month: month, income: found.totals.income, incomeBefore: found.before.income,
      expense: found.totals.expense, expenseBefore: found.before.expense,
      average: found.averagePerDay, top: found.topCategories, spikes: found.spikes,
      streak: found.growthStreak, savings: found.savingsRate, best: found.best,
      worst: found.worst, runway: found.runway, names: names, json: JSONAnswer(found, names))
  }

  private func lines(_ answer: Answer) -> [String] {
    func text(_ total: Total) -> String { Figures.withCode(total) }
    func more(_ now: Total, than before: Total) -> String {
      let change = now.units - before.units
      return change == 0
        ? "the same as the month before"
        : "\(text(Total(units: abs(change), currency: now.currency))) "
          + "\(change > 0 ? "more" : "less") than the month before"
    }
    var lines = [
      "\(answer.month): earned \(text(answer.income)) "
        + "(\(more(answer.income, than: answer.incomeBefore))), spent \(text(answer.expense)) "
        + "(\(more(answer.expense, than: answer.expenseBefore))).",
      "Average spending per day: \(text(answer.average)).",
    ]
    if let savings = answer.savings {
      lines.append("Saved: \(Figures.percent(savings)) of income.")
    }
    for share in answer.top {
      let part = share.share.map { ", \(Figures.percent($0))" } ?? ""
      lines.append("  \(answer.names.path(of: share.category.id)): \(text(share.total))\(part)")
    }
    for spike in answer.spikes {
      lines.append(
        "Unusual: \(answer.names.path(of: spike.category.id)), \(text(spike.total)) instead of the "
          + "usual \(text(spike.usual)).")
    }
    if answer.streak > 1 {
      lines.append("Spending has grown for \(answer.streak) months in a row.")
    }
    if let best = answer.best, let worst = answer.worst {
      lines.append("Best month of the last twelve: \(best); worst: \(worst).")
    }
    if let runway = answer.runway {
      let tenths = runway.tenthsOfMonths
      lines.append(
        "Net worth of \(text(runway.worth)) covers \(tenths / 10).\(tenths % 10) months of "
          + "spending at \(text(runway.expense)) a month.")
    }
    return lines.map { $0.printable }
  }

  /// Lists the amounts that the figures don't include because there is no exchange rate.
  private func remarks(_ answer: Answer) -> [String] {
    func parts(_ left: [Unconverted], _ what: String) -> String {
      left.map { "\(Figures.withCode($0.total)) (\(Figures.counted($0.count, what)))" }
        .joined(separator: ", ")
    }
    var left: [String] = []
    if !answer.unconverted.isEmpty {
      left.append("\(answer.month) leaves out \(parts(answer.unconverted, "transaction"))")
    }
    if !answer.unconvertedBefore.isEmpty {
      left.append(
        "the eleven months before leave out \(parts(answer.unconvertedBefore, "transaction"))")
    }
    if answer.runway != nil, !answer.unconvertedWorth.isEmpty {
      left.append("net worth leaves out \(parts(answer.unconvertedWorth, "account"))")
    }
    if left.isEmpty { return answer.oldRates }
    return answer.oldRates + [
      "Missing rates to \(answer.currency): \(left.joined(separator: "; ")). Add one with `daybook "
        + "rate add`."
    ]
  }

  private func change(_ now: Total, _ before: Total) -> Total {
    Total(units: now.units - before.units, currency: now.currency)
  }
}
