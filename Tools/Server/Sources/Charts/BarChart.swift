/// Bars side by side over time, such as income and expense by month.
///
/// The text is the same for the same points; see ``LineChart``.
public struct BarChart: Sendable {
  /// What it shows.
  public var title: String
  /// What there is to see, in a sentence.
  public var summary: String
  /// The series; each has a point for every place.
  public var series: [ChartSeries]
  /// The width and height of the coordinates.
  public var size: (width: Double, height: Double)

  /// A chart.
  public init(
    title: String, summary: String, series: [ChartSeries],
    size: (width: Double, height: Double) = (480, 200)
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
    return frame.svg(id: id, title: title, summary: summary, style: "bar-chart", mark: mark) {
      svg in
      let count = series.map(\.points.count).max() ?? 0
      guard count > 0 else { return }
      let step = frame.innerWidth / Double(count)
      let width = step * 0.7 / Double(series.count)
      let zero = frame.place(0)
      for index in 0..<count {
        let left = frame.left + step * (Double(index) + 0.15)
        for (place, one) in series.enumerated() where index < one.points.count {
          let point = one.points[index]
          let y = frame.place(point.value)
          svg.add(
            "rect",
            [
              ("class", "bar \(one.style)"), ("x", SVG.number(left + Double(place) * width)),
              ("y", SVG.number(min(y, zero))), ("width", SVG.number(max(1, width - 1))),
              ("height", SVG.number((y - zero).magnitude)), ("rx", "2"),
            ]
          ) { $0.add("title", [], text: "\(one.name), \(point.name): \(point.text)") }
        }
        frame.label(
          series.first?.points[index].label ?? "", at: frame.left + step * (Double(index) + 0.5),
          &svg)
      }
    }
  }
}
