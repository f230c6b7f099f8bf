/// A line chart over time with a filled area, such as net worth by month.
///
/// The output is deterministic: equal points produce equal text. The SVG has a title and a
/// description, and no styles or scripts. ``DataTable`` shows the same figures as text.
public struct LineChart: Sendable {
  /// The title.
  public var title: String
  /// The description for screen readers, as one sentence.
  public var summary: String
  /// The points in chronological order.
  public var series: ChartSeries
  /// The width and height of the view box.
  public var size: (width: Double, height: Double)

  /// Creates a chart.
  public init(
    title: String, summary: String, series: ChartSeries,
    size: (width: Double, height: Double) = (480, 200)
  ) {
    self.title = title
    self.summary = summary
    self.series = series
    self.size = size
  }

  /// Returns the chart as SVG.
  ///
  /// - Parameters:
  ///   - id: The prefix of all ids in the chart, which must be unique on the page.
  ///   - mark: Formats a value for the axis.
  public func svg(id: String, mark: (Double) -> String) -> String {
    let points = series.points
    let frame = Frame(
      width: size.width, height: size.height,
      scale: Scale(points.map(\.value), hasZero: false), mark: mark)
    return frame.svg(id: id, title: title, summary: summary, style: "line-chart") {
      svg in
      guard !points.isEmpty else { return }
      let step = frame.innerWidth / Double(max(points.count, 1))
      func x(_ index: Int) -> Double { frame.left + step * (Double(index) + 0.5) }
      let line = points.indices.map { index in
        "\(SVG.number(x(index))),\(SVG.number(frame.place(points[index].value)))"
      }
      let bottom = SVG.number(frame.bottom)
      svg.add(
        "path",
        [
          ("class", "area \(series.style)"),
          (
            "d",
            "M\(SVG.number(x(0))),\(bottom) L\(line.joined(separator: " L"))"
              + " L\(SVG.number(x(points.count - 1))),\(bottom) Z"
          ),
        ])
      svg.add(
        "polyline", [("class", "line \(series.style)"), ("points", line.joined(separator: " "))])
      for (index, point) in points.enumerated() {
        svg.add(
          "circle",
          [
            ("class", "dot \(series.style)"), ("cx", SVG.number(x(index))),
            ("cy", SVG.number(frame.place(point.value))),
            ("r", index == points.count - 1 ? "4" : "2"),
          ]
        ) { $0.add("title", [], text: "\(point.name): \(point.text)") }
        frame.label(point.label, at: x(index), &svg)
      }
    }
  }
}
