/// A chart of several series, as grouped bars or as lines.
///
/// Bars suit income and expenses by month; lines suit several categories over time.
///
/// The output is deterministic; see ``LineChart``.
public struct SeriesChart: Sendable {
  /// The style in which the series are drawn.
  public enum Kind: String, Sendable {
    /// Bars, side by side at each point.
    case bars = "bar-chart"
    /// One line per series, each with its own dash pattern, so that they can be distinguished
    /// without colour.
    case lines = "trend-chart"
  }

  /// The style in which the series are drawn.
  public var kind: Kind
  /// The title.
  public var title: String
  /// The description for screen readers, as one sentence.
  public var summary: String
  /// The series, each with the same points.
  public var series: [ChartSeries]
  /// The width and height of the view box.
  public var size: (width: Double, height: Double)

  /// Creates a chart; by default, bar charts are 200 high and line charts 240.
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

  /// Returns the chart as SVG; see ``LineChart/svg(id:mark:)``.
  public func svg(id: String, mark: (Double) -> String) -> String {
    let values = series.flatMap { $0.points.map(\.value) }
    let frame = Frame(
      width: size.width, height: size.height, scale: Scale(values, hasZero: true), mark: mark)
    return frame.svg(id: id, title: title, summary: summary, style: kind.rawValue) {
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

  /// Returns a sample of a line's style for a legend.
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
