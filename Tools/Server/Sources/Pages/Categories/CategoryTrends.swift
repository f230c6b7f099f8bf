import Charts
import Daybook

/// A line chart and a table of a month's largest categories over the last twelve months.
enum CategoryTrends {
  /// The number of categories in the chart.
  static let lineCount = 4
  static let monthCount = 12

  /// - Parameters:
  ///   - categories: The categories, largest first.
  ///   - last: The last month of the lines.
  static func html(
    _ kind: CategoryKind, _ categories: [CategoryID], through last: Month, _ base: Currency,
    _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let months = last.adding(1 - monthCount)..<last.adding(1)
    // Formatting a month takes longer than reading its total, so format each month once for all
    // lines.
    let labels = (0..<monthCount).map { place -> (axis: String, name: String) in
      let month = months.lowerBound.adding(place)
      return (context.shortMonth(month), context.month(month))
    }
    var series: [ChartSeries] = []
    var keys: [HTML] = []
    for (place, id) in categories.prefix(lineCount).enumerated() {
      let style = "trend-\(place + 1)"
      let name = names.name(id, context)
      let trend = try snapshot.baseTrend(of: id, over: months, base: base, today: context.today)
      series.append(
        ChartSeries(
          name: name, style: style,
          points: zip(trend, labels).map { month, label in
            ChartPoint(
              label: label.axis, name: label.name,
              value: month.amount.total.drawn, text: context.amount(month.amount.total),
              link: context.transactions(month.month.days, [("category", "\(id)")]))
          }))
      keys.append(
        """
        <li>\(HTML(unescaped: SeriesChart.key(style: style))) <a href="\(context.link("/categories/\(id)"))">\(name)</a></li>
        """)
    }
    guard !series.isEmpty else { return HTML() }
    let word: Word = kind == .expense ? .expense : .income
    let chart = SeriesChart(
      .lines, title: "\(context[word]): \(context[.last12])",
      summary: series.map(\.name).joined(separator: ", "), series: series)
    return """
      <div><h3>\(context[.last12])</h3>
      \(HTML(unescaped: chart.svg(id: "trend-\(kind == .expense ? "expense" : "income")") { context.rounded($0, base) }))
      <ul class="legend lines">\(keys)</ul>
      <details><summary>\(context[.figuresBelow])</summary><div class="scroll">\
      \(HTML(unescaped: DataTable(caption: chart.title, nameHeader: context[.month], series: series).html))</div></details></div>
      """
  }
}
