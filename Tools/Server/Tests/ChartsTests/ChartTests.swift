// Goal: charts say in text what they show, alike every time, and let no markup in. Method: small charts are
// drawn, and their text is looked at.
import Charts
import Testing

@Suite struct ChartTests {
  private func series(_ values: [Double], _ style: String = "worth") -> ChartSeries {
    ChartSeries(
      name: "Worth", style: style,
      points: values.enumerated().map {
        ChartPoint(label: "\($0)", name: "Month \($0)", value: $1, text: "\(Int($1)) EUR")
      })
  }

  @Test func aLineIsTheSameTextEveryTime() {
    let chart = LineChart(
      title: "Net worth", summary: "Up.", series: series([0, 50, 100]), size: (332, 138))
    let text = chart.svg(id: "worth") { "\(Int($0))" }
    #expect(text == chart.svg(id: "worth") { "\(Int($0))" })
    #expect(text.contains("points=\"80.7,114 178,64 275.3,14\""))
    #expect(text.contains("<title id=\"worth-title\">Net worth</title>"))
    #expect(text.contains("<desc id=\"worth-desc\">Up.</desc>"))
    #expect(!text.contains("style="))
  }

  @Test func barsStandOnZeroAndGoBelowIt() {
    let chart = SeriesChart(
      .bars, title: "Months", summary: "", series: [series([100, -100])], size: (228, 138))
    let text = chart.svg(id: "m") { "\(Int($0))" }
    #expect(text.contains("y=\"14\" width=\"62\" height=\"50\""))
    #expect(text.contains("y=\"64\" width=\"62\" height=\"50\""))
  }

  @Test func linesShareAnAxisAndTheFirstLiesAbove() {
    let chart = SeriesChart(
      .lines, title: "Trends", summary: "Food, rent",
      series: [series([100, 50], "trend-1"), series([0, 100], "trend-2")], size: (228, 138))
    let text = chart.svg(id: "t") { "\(Int($0))" }
    let first = "line trend-1\" points=\"79,14 173,64\""
    let second = "line trend-2\" points=\"79,114 173,14\""
    #expect(text.contains(first) && text.split(separator: first)[0].contains(second))
    #expect(text.contains("<title>Worth, Month 1: 50 EUR</title>"))
    #expect(SeriesChart.key(style: "trend-1").contains("line trend-1"))
  }

  @Test func nothingIsMarkup() {
    let hostile = "</title><script>alert(1)</script>"
    let chart = LineChart(title: hostile, summary: hostile, series: series([1, 2]))
    let table = DataTable(caption: hostile, nameHeader: "\"'", series: [series([1])])
    for text in [chart.svg(id: "a") { _ in hostile }, table.html] {
      #expect(!text.contains("<script"))
    }
  }

  @Test func aShareIsCutOffAtItsEnds() {
    #expect(ShareBar(perMille: 1_700).svg.contains("class=\"fill\" width=\"100%\""))
    #expect(ShareBar(perMille: -5).svg.contains("class=\"fill\" width=\"0%\""))
    #expect(ShareBar(perMille: 5, markPerMille: 500).svg.contains("class=\"pace\" x=\"50%\""))
  }

  @Test func nothingToShowIsNoFault() {
    #expect(
      SeriesChart(.bars, title: "", summary: "", series: []).svg(id: "a") { "\($0)" }.contains(
        "svg"))
    #expect(SeriesChart(.lines, title: "", summary: "", series: []).svg(id: "a") { "\($0)" } != "")
    #expect(LineChart(title: "", summary: "", series: series([])).svg(id: "a") { "\($0)" } != "")
  }
}
