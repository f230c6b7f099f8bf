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
      today; later months include planned transactions. With --changes, shows why the net worth \
      changed: by income and expenses, by other sources (opening balances, equity accounts, and \
      money on the way), by what is excluded from totals, and by exchange rates.
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

  @Flag(help: "Include accrued interest that isn't posted or paid yet.")
  var accrued = false

  @Flag(help: "Show the causes of each month's change, with the gain or loss by exchange rates.")
  var changes = false

  func validate() throws {
    if changes, assetsOnly || accrued {
      throw ValidationError(
        "--changes can't be used with \(assetsOnly ? "--assets-only" : "--accrued").")
    }
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
    if changes {
      return report(
        of: try (last.adding(1 - count)..<last.adding(1)).map { month in
          // Only the last month is cut short, so that every month begins where the one before ends.
          let end = month == last && month == today.monthOf ? today : month.last
          return try snapshot.worthChange(in: month.first..<end.adding(days: 1), base: base)
        })
    }
    var points: [Point] = []
    for month in last.adding(1 - count)..<last.adding(1) {
      let day = month == today.monthOf ? today : month.last
      let worth =
        if let base {
          [
            try snapshot.baseNetWorth(
              on: day, base: base, includesLiabilities: !assetsOnly,
              includesAccruedInterest: accrued)
          ]
        } else {
          try snapshot.netWorth(
            on: day, includesLiabilities: !assetsOnly, includesAccruedInterest: accrued
          ).map {
            Converted(total: $0)
          }
        }
      points.append(Point(month: month, day: day, worth: worth))
    }
    guard let base, let last = points.last?.day else {
      return report(of: points, json(points, nil))
    }
    let paths = try snapshot.netWorthRates(
      on: last, base: base, includesLiabilities: !assetsOnly)
    var answer = report(of: points, json(points, paths.flatMap(\.rates)))
    answer.remarks += OldRates.remarks(paths.flatMap { $0.oldRates(on: last) }, on: last)
    return answer
  }

  /// The net worth in a base currency, and the rates of the last day.
  private struct Content: Encodable, Sendable {
    var days: [DatedConverted]
    var rates: [ExchangeRate]
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

  private func json(_ points: [Point], _ rates: [ExchangeRate]?) -> JSONAnswer {
    guard let rates else {
      return JSONAnswer([
        "days": points.map { DatedTotals(day: $0.day, totals: $0.worth.map(\.total)) }
      ])
    }
    return JSONAnswer(
      Content(
        days: points.flatMap { point in
          point.worth.map { DatedConverted(day: point.day, amount: $0) }
        }, rates: rates))
  }
}

extension NetWorthCommand {
  private func report(of changes: [WorthChange]) -> Report {
    let hasExcluded = changes.contains { $0.excluded.total.units != 0 }
    var report = Report(
      [
        .fixed("month", "Month"), .data("first"), .data("last"),
        .figure("start", "Start", yielding: .goes(1)), .figure("income", "Income"),
        .figure("expense", "Expenses"), .figure("other", "Other"),
        hasExcluded ? .figure("excluded", "Excluded") : .data("excluded"),
        .figure("gain", "By rates"),
        .figure("end", "End"), .fixed("currency"),
      ], ifEmpty: "No months.", json: JSONAnswer(["changes": changes]))
    for change in changes {
      report.add([
        .init("\(change.first.monthOf)"), .day(change.first), .day(change.last),
        .total(change.start.total), .total(change.income.total), .total(change.expense.total),
        .total(change.other.total), .total(change.excluded.total),
        .total(change.gain, .bold), .total(change.end.total),
        .currency(change.gain.currency),
      ])
      if change.isComplete { continue }
      report.remarks.append("\(change.first.monthOf):")
      for (figure, name, what) in [
        (change.start, "Start", "account"), (change.income, "Income", "transaction"),
        (change.expense, "Expenses", "transaction"), (change.other, "Other", "transaction"),
        (change.excluded, "Excluded", "transaction"),
        (change.end, "End", "account"),
      ] {
        report.remarks += Conversion.remarks(on: figure, what: what).map { "\(name): \($0)" }
      }
    }
    return report
  }
}
