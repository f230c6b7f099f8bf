import Charts
import Daybook

/// Charts of future balances, based on planned and recurring transactions.
enum BalanceForecast {
  static let accountCount = 4

  static func html(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> HTML {
    var ids: [AccountID] = []
    for one in try snapshot.series() {
      for id in one.template.accounts where !ids.contains(id) { ids.append(id) }
    }
    var charts = HTML()
    for id in ids.prefix(accountCount) {
      guard let account = try snapshot.account(id), !account.isClosed, !account.isDeleted else {
        continue
      }
      charts += try chart(account, context, snapshot)
    }
    guard !charts.isEmpty else { return HTML() }
    return """
      <section><h2>\(context[.forecast])</h2><div class="cards fill">\(charts)</div></section>
      """
  }

  private static func chart(
    _ account: Account, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let forecast = try snapshot.forecast(
      of: account.id, through: context.today.adding(days: 91), today: context.today, every: .week)
    let points = forecast.balances.enumerated().map { index, dated in
      ChartPoint(
        label: index % 4 == 0 ? context.shortDay(dated.day) : "", name: context.day(dated.day),
        value: dated.total.drawn, text: context.amount(dated.total),
        link: context.link(
          "/transactions", [("account", "\(account.id)"), ("through", "\(dated.day)")]))
    }
    let series = ChartSeries(name: context[.balance], style: "worth", points: points)
    let last = points.last?.text ?? ""
    let chart = LineChart(
      title: "\(account.name): \(context[.forecast])", summary: last, series: series)
    let svg = chart.svg(id: "forecast-\(account.number)") { context.rounded($0, account.currency) }
    return """
      <section class="card"><h3>\(account.name)</h3>\(HTML(unescaped: svg))
      <details><summary>\(context[.figuresBelow])</summary>\
      \(HTML(unescaped: DataTable(caption: chart.title, nameHeader: context[.day], series: [series]).html))</details></section>
      """
  }
}
