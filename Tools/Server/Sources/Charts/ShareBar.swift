/// A bar that is filled in part: a category's share, or how much of a budget is spent and how much of its time
/// has passed.
///
/// It says nothing to who cannot see it: the figures stand beside it.
public struct ShareBar: Sendable {
  /// How much is filled, in thousandths; more than 1,000 is drawn as full.
  public var perMille: Int
  /// Where a mark stands, in thousandths, such as the part of a period that has passed.
  public var markPerMille: Int?
  /// Its class in the style sheet, such as `over`.
  public var style: String

  /// A bar.
  public init(perMille: Int, markPerMille: Int? = nil, style: String = "") {
    self.perMille = perMille
    self.markPerMille = markPerMille
    self.style = style
  }

  /// The drawing.
  public var svg: String {
    var svg = SVG()
    svg.add(
      "svg",
      [
        ("class", style.isEmpty ? "share-bar" : "share-bar \(style)"), ("viewBox", "0 0 1000 10"),
        ("preserveAspectRatio", "none"), ("aria-hidden", "true"),
      ]
    ) { svg in
      svg.add("rect", [("class", "track"), ("width", "1000"), ("height", "10")])
      let width = min(1_000, max(0, perMille))
      svg.add("rect", [("class", "fill"), ("width", "\(width)"), ("height", "10")])
      if let mark = markPerMille {
        svg.add(
          "rect",
          [
            ("class", "pace"), ("x", "\(min(996, max(0, mark)))"), ("width", "4"),
            ("height", "10"),
          ])
      }
    }
    return svg.text
  }
}
