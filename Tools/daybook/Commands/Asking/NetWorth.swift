import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook networth`: shows the net worth by month.
struct NetWorthCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "networth",
    abstract: "Show net worth at the end of the last months, with a chart.",
    discussion: """
      Balances are converted to the ledger's base currency at the rates of each month's last day. \
      Without a base currency, each currency is shown separately. The current month is shown as of \
      today; later months include planned transactions.
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

  @Flag(inversion: .prefixedNo, help: "Draw a bar chart below the table.")
  var chart = true

  @Flag(help: "Only assets, without liabilities.")
  var assetsOnly = false

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count must be from 1 to 1200.")
    }
  }

  private struct Point {
    var month: Month
    var day: Day
    /// One figure in the base currency, or one figure for each currency.
    var worth: [Converted]
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let today = today.day
    let last = through?.month ?? today.monthOf
    let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency
    var points: [Point] = []
    for month in last.adding(1 - count)..<last.adding(1) {
      let day = month == today.monthOf ? today : month.last
      let worth =
        if let base {
          [
            try snapshot.baseNetWorth(
              on: day, base: base, includesLiabilities: !assetsOnly)
          ]
        } else {
          try snapshot.netWorth(on: day, includesLiabilities: !assetsOnly).map {
            Converted(total: $0)
          }
        }
      points.append(Point(month: month, day: day, worth: worth))
    }
    return report(of: points, json(points, isConverted: base != nil))
  }

  private func report(of points: [Point], _ json: JSONAnswer) -> Report {
    var report = Report(
      [
        .fixed("month", "Month"), .fixed("day", "Day", yielding: .goes(1)),
        .figure("worth", "Net worth"), .figure("change", "Change"), .fixed("currency"),
      ], ifEmpty: "No accounts. Create one with `daybook accounts create`.", json: json)
    var before: [Currency: Int128] = [:]
    for point in points {
      for worth in point.worth {
        let total = worth.total
        let change = before.updateValue(total.units, forKey: total.currency).map {
          Total(units: total.units - $0, currency: total.currency)
        }
        report.add([
          .init("\(point.month)"), .day(point.day, .dim), .total(total, .bold),
          .init(data: change?.text ?? "", .init(change.map(Figures.text) ?? "", .dim)),
          .currency(total.currency),
        ])
      }
      guard point.worth.contains(where: { !$0.unconverted.isEmpty }) else { continue }
      report.remarks.append("\(point.month):")
      report.remarks += point.worth.flatMap { Conversion.remarks(on: $0, what: "account") }
    }
    guard chart else { return report }
    for currency in before.keys.sorted() {
      var chart = BarChart()
      for point in points {
        guard let worth = point.worth.first(where: { $0.total.currency == currency }) else {
          continue
        }
        let figure = Figures.text(worth.total)
        chart.add(
          "\(point.month)",
          [.init(name: "", figure: figure, length: worth.total.units, style: .cyan)])
      }
      report.below += [.text(""), .text("In \(currency)"), .chart(chart)]
    }
    return report
  }

  private func json(_ points: [Point], isConverted: Bool) -> JSONAnswer {
    guard isConverted else {
      return JSONAnswer([
        "days": points.map { DatedTotals(day: $0.day, totals: $0.worth.map(\.total)) }
      ])
    }
    return JSONAnswer([
      "days": points.flatMap { point in
        point.worth.map { DatedConverted(day: point.day, amount: $0) }
      }
    ])
  }
}
