import Charts
import Daybook

/// How the largest categories of a month went over the year before it: lines, and the table of their figures.
enum CategoryTrends {
  /// So many categories have a line.
  static let lineCount = 4
  static let monthCount = 12

  /// - Parameters:
  ///   - categories: The categories, the largest first.
  ///   - last: The month that the lines end with.
  static func html(
    _ kind: CategoryKind, _ categories: [CategoryID], through last: Month, _ base: Currency,
    _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let months = last.adding(1 - monthCount)..<last.adding(1)
    // What a month is called takes longer than what was spent in it, and is the same for all lines.
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
