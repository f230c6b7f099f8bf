/// A partly filled bar for a share.
///
/// It shows a category's share, or the spent share of a budget with a mark for the elapsed part of
/// the period.
///
/// Screen readers skip it, because the page shows the figures as text next to it.
public struct ShareBar: Sendable {
  /// The filled part in thousandths; more than 1,000 is drawn as full.
  public var perMille: Int
  /// The position of the mark in thousandths, such as the elapsed part of a period.
  public var markPerMille: Int?
  /// The CSS class, such as `over`.
  public var style: String

  /// Creates a bar.
  public init(perMille: Int, markPerMille: Int? = nil, style: String = "") {
    self.perMille = perMille
    self.markPerMille = markPerMille
    self.style = style
  }

  /// The bar as SVG.
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
