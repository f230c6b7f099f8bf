import ArgumentParser
import Daybook
import Terminal

/// `daybook networth`: what all accounts were worth, month by month.
struct NetWorthCommand: LedgerCommand {
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
  @OptionGroup var base: BaseOptions

  @Option(help: "How many months.")
  var count = 12

  @Option(
    help: ArgumentHelp("The last month; that of today if not given.", valueName: "yyyy-mm"))
  var through: MonthArgument?

  @Flag(inversion: .prefixedNo, help: "Draw bars below the table.")
  var chart = true

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count has to be from 1 to 1200.")
    }
  }

  private struct Point {
    var month: Month
    var day: Day
    /// One in the base currency, or one in each currency.
    var worth: [Converted]
  }

  func execute() async throws {
    let today = today.day
    let last = through?.month ?? today.monthOf
    let points = try await ledger.read(past) { snapshot in
      let base = try base.currency(in: snapshot) ?? snapshot.settings().baseCurrency
      return try (last.adding(1 - count)..<last.adding(1)).map { month in
        let day = month == today.monthOf ? today : month.last
        if let base {
          let worth = try snapshot.baseNetWorth(on: day, base: base)
          return Point(month: month, day: day, worth: [worth])
        }
        let worth = try snapshot.netWorth(on: day).map { Converted(total: $0) }
        return Point(month: month, day: day, worth: worth)
      }
    }
    try ledger.json ? Output.json(json(points)) : show(points)
  }

  private func show(_ points: [Point]) throws {
    var table = TextTable([
      .init("Month", isFlexible: false), .init("At the end of", isFlexible: false),
      .init("Worth", .right), .init("Change", .right), .init("", isFlexible: false),
    ])
    var before: [Currency: Int128] = [:]
    for point in points {
      for worth in point.worth {
        let total = worth.total
        let change = before.updateValue(total.units, forKey: total.currency).map {
          Figures.text(Total(units: total.units - $0, currency: total.currency))
        }
        table.add([
          .init("\(point.month)"), .init("\(point.day)", .dim), Figures.cell(total, .bold),
          .init(change ?? "", .dim), .init(total.currency.code),
        ])
      }
    }
    try Output.table(table, ifEmpty: "No accounts yet: `daybook accounts create` makes one.")
    for point in points where point.worth.contains(where: { !$0.unconverted.isEmpty }) {
      try Output.line("\(point.month):")
      for worth in point.worth { try Conversion.remark(on: worth, what: "account") }
    }
    guard chart else { return }
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
      try Output.line("")
      try Output.line("In \(currency)")
      try Output.lines(chart.lines(for: .output))
    }
  }

  private func json(_ points: [Point]) -> JSON {
    .object([
      (
        "months",
        .array(
          points.map { point in
            .object([
              ("month", .string("\(point.month)")), ("day", .day(point.day)),
              ("worth", .array(point.worth.map { .converted($0) })),
            ])
          })
      )
    ])
  }
}
