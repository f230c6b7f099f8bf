/// Several series over the same places: bars side by side, such as income and expense by month, or lines, such as what
/// several categories had.
///
/// The text is the same for the same points; see ``LineChart``.
public struct SeriesChart: Sendable {
  /// How the series are drawn.
  public enum Kind: String, Sendable {
    /// Bars beside one another at each place.
    case bars = "bar-chart"
    /// A line each; they differ by the shape of their dashes too, so that they can be told apart without colours.
    case lines = "trend-chart"
  }

  /// How they are drawn.
  public var kind: Kind
  /// What it shows.
  public var title: String
  /// What there is to see, in a sentence.
  public var summary: String
  /// The series; each has a point for every place.
  public var series: [ChartSeries]
  /// The width and height of the coordinates.
  public var size: (width: Double, height: Double)

  /// A chart, by itself less high where there are bars.
  public init(
    _ kind: Kind, title: String, summary: String, series: [ChartSeries],
    size: (width: Double, height: Double)? = nil
  ) {
    self.kind = kind
    self.title = title
    self.summary = summary
    self.series = series
    self.size = size ?? (480, kind == .bars ? 200 : 240)
  }

  /// The drawing; see ``LineChart/svg(id:mark:)``.
  public func svg(id: String, mark: (Double) -> String) -> String {
    let values = series.flatMap { $0.points.map(\.value) }
    let frame = Frame(
      width: size.width, height: size.height, scale: Scale(values, hasZero: true))
    return frame.svg(id: id, title: title, summary: summary, style: kind.rawValue, mark: mark) {
      svg in
      guard let longest = series.max(by: { $0.points.count < $1.points.count }),
        !longest.points.isEmpty
      else { return }
      let step = frame.innerWidth / Double(longest.points.count)
      func middle(_ index: Int) -> Double { frame.left + step * (Double(index) + 0.5) }
      switch kind {
      case .bars: drawBars(frame, step, &svg)
      case .lines: drawLines(frame, middle, &svg)
      }
      for (index, point) in longest.points.enumerated() {
        frame.label(point.label, at: middle(index), &svg)
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
