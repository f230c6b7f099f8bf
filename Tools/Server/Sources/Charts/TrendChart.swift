/// Lines side by side over time, such as what several categories had month by month.
///
/// The lines differ by their style and by the shape of their dashes, so that they can be told apart without
/// colours. The text is the same for the same points; see ``LineChart``.
public struct TrendChart: Sendable {
  /// What it shows.
  public var title: String
  /// What there is to see, in a sentence.
  public var summary: String
  /// The lines; each has a point for every place.
  public var series: [ChartSeries]
  /// The width and height of the coordinates.
  public var size: (width: Double, height: Double)

  /// A chart.
  public init(
    title: String, summary: String, series: [ChartSeries],
    size: (width: Double, height: Double) = (480, 240)
  ) {
    self.title = title
    self.summary = summary
    self.series = series
    self.size = size
  }

  /// The drawing; see ``LineChart/svg(id:mark:)``.
  public func svg(id: String, mark: (Double) -> String) -> String {
    let values = series.flatMap { $0.points.map(\.value) }
    let frame = Frame(
      width: size.width, height: size.height, scale: Scale(values, hasZero: true))
    return frame.svg(id: id, title: title, summary: summary, style: "trend-chart", mark: mark) {
      svg in
      let count = series.map(\.points.count).max() ?? 0
      guard count > 0 else { return }
      let step = frame.innerWidth / Double(count)
      func x(_ index: Int) -> Double { frame.left + step * (Double(index) + 0.5) }
      // The first is drawn last, so that it lies above the others.
      for one in series.reversed() {
        let line = one.points.enumerated().map { index, point in
          "\(SVG.number(x(index))),\(SVG.number(frame.place(point.value)))"
        }
        svg.add(
          "polyline", [("class", "line \(one.style)"), ("points", line.joined(separator: " "))])
        for (index, point) in one.points.enumerated() {
          svg.add(
            "circle",
            [
              ("class", "dot \(one.style)"), ("cx", SVG.number(x(index))),
              ("cy", SVG.number(frame.place(point.value))), ("r", "2.5"),
            ]
          ) { $0.add("title", [], text: "\(one.name), \(point.name): \(point.text)") }
        }
      }
      let longest = series.first { $0.points.count == count }
      for (index, point) in (longest?.points ?? []).enumerated() {
        frame.label(point.label, at: x(index), &svg)
      }
    }
  }

  /// A line as a legend shows it.
  public static func key(style: String) -> String {
    var svg = SVG()
    svg.add(
      "svg", [("class", "line-key"), ("viewBox", "0 0 28 8"), ("aria-hidden", "true")]
    ) { svg in
      svg.add("polyline", [("class", "line \(style)"), ("points", "0,4 28,4")])
    }
    return svg.text
  }
}
