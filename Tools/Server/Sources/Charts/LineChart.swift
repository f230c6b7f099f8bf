/// A line over time with its area, such as net worth by month.
///
/// The text is the same for the same points. It has a title and a description, no styles and no scripts;
/// ``DataTable`` has the same figures for whoever reads rather than looks.
public struct LineChart: Sendable {
  /// What it shows.
  public var title: String
  /// What there is to see, in a sentence.
  public var summary: String
  /// The points, in order of time.
  public var series: ChartSeries
  /// The width and height of the coordinates.
  public var size: (width: Double, height: Double)

  /// A chart.
  public init(
    title: String, summary: String, series: ChartSeries,
    size: (width: Double, height: Double) = (480, 200)
  ) {
    self.title = title
    self.summary = summary
    self.series = series
    self.size = size
  }

  /// The drawing.
  ///
  /// - Parameters:
  ///   - id: What the ids in it begin with; each chart of a page has another.
  ///   - mark: How a value is written at the axis.
  public func svg(id: String, mark: (Double) -> String) -> String {
    let points = series.points
    let frame = Frame(
      width: size.width, height: size.height,
      scale: Scale(points.map(\.value), hasZero: false))
    return frame.svg(id: id, title: title, summary: summary, style: "line-chart", mark: mark) {
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
