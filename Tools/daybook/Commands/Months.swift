import ArgumentParser
import Daybook
import Terminal

/// `daybook months`: what came in and went out, month by month.
struct MonthsCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "months", abstract: "Show income and expense of the last months, with a chart.",
    discussion: """
      In the base currency where there is one (each day converted at its own rate), otherwise in \
      each currency by itself. Rows after today are planned and count in no figure.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var base: BaseOptions

  @Option(help: "How many months.")
  var count = 12

  @Option(
    help: ArgumentHelp("The last month; that of today if not given.", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @Option(help: "Only this currency, unconverted.")
  var currency: String?

  @Flag(inversion: .prefixedNo, help: "Draw bars below the table.")
  var chart = true

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count has to be from 1 to 1200.")
    }
    if currency != nil, base.base != nil {
      throw ValidationError("Give either --currency or --base.")
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

  func execute() async throws {
    let today = today.day
    let last = through?.month ?? today.monthOf
    let range = last.adding(1 - count)..<last.adding(1)
    let lines = try await ledger.read(past) { snapshot in
      try self.lines(snapshot, range, today: today)
    }
    try ledger.json ? Output.json(json(lines)) : show(lines)
  }

  private func lines(_ snapshot: borrowing Snapshot, _ range: Range<Month>, today: Day) throws
    -> [Line]
  {
    let months = try snapshot.months(range, today: today)
    let only = try currency.map { try Lookup.currency($0, in: snapshot) }
    if only == nil, let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency {
      return zip(months, try snapshot.baseMonths(range, base: base, today: today)).map {
        month, converted in
        let totals = converted.totals
        let parts = [totals.income, totals.expense, totals.transfers]
        return Line(
          month: month.month, income: totals.income.total, expense: totals.expense.total,
          transfers: totals.transfers.total, count: month.totals.reduce(0) { $0 + $1.count },
          unconverted: parts.flatMap(\.unconverted))
      }
    }
    let currencies =
      only.map { [$0] } ?? Set(months.flatMap { $0.totals.map(\.currency) }).sorted()
    return months.flatMap { month in
      currencies.map { currency in
        let totals = month.totals(in: currency)
        return Line(
          month: month.month, income: totals.income, expense: totals.expense,
          transfers: totals.transfers, count: totals.count)
      }
    }
  }

  private func show(_ lines: [Line]) throws {
    var table = TextTable([
      .init("Month", isFlexible: false), .init("Income", .right), .init("Expense", .right),
      .init("Net", .right), .init("Moved", .right), .init("", isFlexible: false),
      .init("Rows", .right),
    ])
    for line in lines {
      table.add([
        .init("\(line.month)"), Figures.cell(line.income), Figures.cell(line.expense),
        Figures.cell(line.net, .bold), .init(Figures.text(line.transfers), .dim),
        .init(line.income.currency.code), .init(Figures.count(line.count), .dim),
      ])
    }
    try Output.table(table, ifEmpty: "Nothing was recorded in these months.")
    try remarkOnUnconverted(lines)
    let currencies = Set(lines.map(\.income.currency)).sorted()
    guard chart else { return }
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
      try Output.line("")
      try Output.line("In \(currency)")
      try Output.lines(chart.lines(for: .output))
    }
  }

  private func remarkOnUnconverted(_ lines: [Line]) throws {
    var left: [Currency: (units: Int128, count: Int)] = [:]
    for part in lines.flatMap(\.unconverted) {
      left[part.total.currency, default: (0, 0)].units += part.total.units
      left[part.total.currency, default: (0, 0)].count += part.count
    }
    guard let base = lines.first?.income.currency, !left.isEmpty else { return }
    let parts = left.sorted { $0.key < $1.key }.map { currency, sum in
      Unconverted(total: Total(units: sum.units, currency: currency), count: sum.count)
    }
    try Output.line("")
    try Conversion.remark(
      on: Converted(total: Total(units: 0, currency: base), unconverted: parts), what: "row")
  }

  private func json(_ lines: [Line]) -> JSON {
    .object([
      (
        "months",
        .array(
          lines.map { line in
            .object([
              ("month", .string("\(line.month)")),
              ("currency", .string(line.income.currency.code)),
              ("income", .string(line.income.text)), ("expense", .string(line.expense.text)),
              ("net", .string(line.net.text)), ("transfers", .string(line.transfers.text)),
              ("count", .count(line.count)),
              (
                "unconverted",
                .array(
                  line.unconverted.map { part in
                    .object([
                      ("amount", .string(part.total.text)),
                      ("currency", .string(part.total.currency.code)),
                      ("count", .count(part.count)),
                    ])
                  })
              ),
            ])
          })
      )
    ])
  }
}
