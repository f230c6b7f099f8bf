import ArgumentParser
import Daybook
import Terminal

/// `daybook networth`: shows the net worth by month.
struct NetWorthCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "networth",
    abstract: "Show what all accounts were worth at the end of the last months, with a chart.",
    discussion: """
      In the base currency where there is one (each month converted at the rates of its last day), \
      otherwise in each currency by itself. This month's figure is that of today; later months count \
      what is planned.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var base: BaseOptions

  @Option(help: "How many months.")
  var count = 12

  @Option(
    help: ArgumentHelp("The last month; that of today if not given.", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @Flag(inversion: .prefixedNo, help: "Draw bars below the table.")
  var chart = true

  @Flag(help: "Only what assets hold, without what is owed.")
  var assetsOnly = false

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count has to be from 1 to 1200.")
    }
  }

  private struct Point {
    var month: Month
    var day: Day
    /// One figure in the base currency, or one for each currency.
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
        .fixed("month", "Month"), .fixed("day", "At the end of", yielding: .goes(1)),
        .figure("worth", "Worth"), .figure("change", "Change"), .fixed("currency"),
      ], ifEmpty: "No accounts yet: `daybook accounts create` makes one.", json: json)
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
