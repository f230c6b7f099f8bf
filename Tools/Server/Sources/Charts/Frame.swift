/// The common parts of charts with axes.
///
/// A frame has a title and a description for screen readers, grid lines at round values, and
/// labels.
struct Frame {
  let width: Double
  let height: Double
  let scale: Scale
  /// The width reserved for the labels of the grid lines.
  let left: Double
  let right = 8.0
  let top = 14.0
  let below = 24.0

  /// The grid lines with their labels.
  private let marks: [(value: Double, label: String)]
  /// The width of a character on a phone, where labels are larger in relation to the chart.
  private static let characterWidth = 8.0

  init(width: Double, height: Double, scale: Scale, mark: (Double) -> String) {
    self.width = width
    self.height = height
    self.scale = scale
    marks = scale.marks.map { ($0, mark($0)) }
    let longest = marks.map(\.label.count).max() ?? 0
    left = min(max(32, 8 + Double(longest) * Self.characterWidth), width / 2)
  }

  var bottom: Double { height - below }
  var innerWidth: Double { width - left - right }

  func place(_ value: Double) -> Double { scale.place(value, bottom: bottom, top: top) }

  /// Returns the chart with the elements that `body` adds.
  func svg(
    id: String, title: String, summary: String, style: String,
    _ body: (inout SVG) -> Void
  ) -> String {
    var svg = SVG()
    svg.add(
      "svg",
      [
        ("class", "chart \(style)"), ("role", "img"),
        ("viewBox", "0 0 \(SVG.number(width)) \(SVG.number(height))"),
        ("aria-labelledby", "\(id)-title \(id)-desc"),
      ]
    ) { svg in
      svg.add("title", [("id", "\(id)-title")], text: title)
      svg.add("desc", [("id", "\(id)-desc")], text: summary)
      for (value, label) in marks {
        let y = SVG.number(place(value))
        svg.add(
          "line",
          [
            ("class", value == 0 ? "axis" : "mark"), ("x1", SVG.number(left)), ("y1", y),
            ("x2", SVG.number(width - right)), ("y2", y),
          ])
        svg.add(
          "text",
          [
            ("class", "mark-label"), ("x", SVG.number(left - 6)),
            ("y", SVG.number(place(value) + 4)), ("text-anchor", "end"),
          ],
          text: label)
      }
      body(&svg)
    }
    return svg.text
  }

  /// Adds a label below the axis.
  func label(_ text: String, at x: Double, _ svg: inout SVG) {
    guard !text.isEmpty else { return }
    svg.add(
      "text",
      [
        ("class", "label"), ("x", SVG.number(x)), ("y", SVG.number(height - 6)),
        ("text-anchor", "middle"),
      ], text: text)
  }
}
