import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook months`: shows income and expenses by month.
struct MonthsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "months", abstract: "Show income and expenses of the last months, with a chart.",
    discussion: """
      Amounts are converted to the ledger's base currency at each day's rate. Without a base \
      currency, each currency is shown separately. Transactions after today are planned and not \
      counted.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var base: BaseOptions

  @Option(help: "The number of months.")
  var count = 12

  @Option(
    help: ArgumentHelp("The last month (default: the current month).", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @Option(help: "Only this currency, unconverted.")
  var currency: String?

  @Flag(inversion: .prefixedNo, help: "Draw a bar chart below the table.")
  var chart = true

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count must be from 1 to 1200.")
    }
    if currency != nil, base.base != nil {
      throw ValidationError("Use either --currency or --base, not both.")
    }
  }

  private struct Line {
    var month: Month
    var income: Total
    var expense: Total
    var transfers: Total
    var count: Int
    var unconverted: [Unconverted] = []
    var net: Total { Total(units: income.units - expense.units, currency: income.currency) }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let last = through?.month ?? today.monthOf
    let (lines, json) = try lines(
      snapshot, last.adding(1 - count)..<last.adding(1), today: today)
    return report(of: lines, json)
  }

  /// The months as lines of the table and as JSON.
  private func lines(
    _ snapshot: borrowing Snapshot, _ range: Range<Month>, today: Day
  ) throws -> ([Line], JSONAnswer) {
    let months = try snapshot.months(range, today: today)
    let only = try currency.map { try Lookup.currency($0, in: snapshot) }
    if only == nil, let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency {
      let converted = try snapshot.baseMonths(range, base: base, today: today)
      let lines = zip(months, converted).map { month, converted in
        let totals = converted.totals
        let parts = [totals.income, totals.expense, totals.transfers]
        return Line(
          month: month.month, income: totals.income.total, expense: totals.expense.total,
          transfers: totals.transfers.total, count: month.totals.reduce(0) { $0 + $1.count },
          unconverted: parts.flatMap(\.unconverted))
      }
      return (lines, JSONAnswer(["months": converted]))
    }
    let currencies =
      only.map { [$0] } ?? Set(months.flatMap { $0.totals.map(\.currency) }).sorted()
    let lines = months.flatMap { month in
      currencies.map { currency in
        let totals = month.totals(in: currency)
        return Line(
          month: month.month, income: totals.income, expense: totals.expense,
          transfers: totals.transfers, count: totals.count)
      }
    }
    let objects = months.map { month in
      MonthTotals(month: month.month, totals: currencies.map { month.totals(in: $0) })
    }
    return (lines, JSONAnswer(["months": objects]))
  }

  private func report(of lines: [Line], _ json: JSONAnswer) -> Report {
    let currencies = Set(lines.map(\.income.currency)).sorted()
    // If there is a single currency, the heading of the chart below already names it.
    let isSaidBelow = chart && currencies.count == 1
    var report = Report(
      [
        .fixed("month", "Month"), .figure("income", "Income"), .figure("expense", "Expense"),
        .figure("net", "Net"), .figure("transfers", "Transfers", yielding: .goes(2)),
        .fixed("currency", yielding: isSaidBelow ? .goes(3) : .never),
        .figure("count", "Count", yielding: .goes(1)),
      ], ifEmpty: "No transactions in these months.", json: json)
    for line in lines {
      report.add([
        .init("\(line.month)"), .total(line.income), .total(line.expense),
        .total(line.net, .bold),
        .init(data: line.transfers.text, .init(Figures.text(line.transfers), .dim)),
        .currency(line.income.currency), .count(line.count, .dim),
      ])
    }
    report.remarks = remarks(lines)
    report.remarksStandApart = true
    guard chart else { return report }
    for currency in currencies {
      var chart = BarChart()
      for line in lines where line.income.currency == currency {
        chart.add(
          "\(line.month)",
          [
            .init(
              name: "income", figure: Figures.text(line.income), length: line.income.units,
              style: .green),
            .init(
              name: "expense", figure: Figures.text(line.expense), length: line.expense.units,
              style: .yellow),
          ])
      }
      report.below += [.text(""), .text("In \(currency)"), .chart(chart)]
    }
    return report
  }

  /// Lists the amounts that couldn't be converted, by currency.
  private func remarks(_ lines: [Line]) -> [String] {
    var left: [Currency: (units: Int128, count: Int)] = [:]
    for part in lines.flatMap(\.unconverted) {
      left[part.total.currency, default: (0, 0)].units += part.total.units
      left[part.total.currency, default: (0, 0)].count += part.count
    }
    guard let base = lines.first?.income.currency else { return [] }
    let parts = left.sorted { $0.key < $1.key }.map { currency, sum in
      Unconverted(total: Total(units: sum.units, currency: currency), count: sum.count)
    }
    return Conversion.remarks(
      on: Converted(total: Total(units: 0, currency: base), unconverted: parts), what: "transaction"
    )
  }
}
