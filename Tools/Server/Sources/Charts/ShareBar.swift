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
    func percent(_ perMille: Int) -> String { SVG.number(Double(perMille) / 10) + "%" }
    svg.add(
      "svg",
      [("class", style.isEmpty ? "share-bar" : "share-bar \(style)"), ("aria-hidden", "true")]
    ) { svg in
      svg.add("rect", [("class", "track"), ("width", "100%"), ("height", "100%")])
      let width = min(1_000, max(0, perMille))
      svg.add("rect", [("class", "fill"), ("width", percent(width)), ("height", "100%")])
      if let mark = markPerMille {
        svg.add(
          "rect",
          [
            ("class", "pace"), ("x", percent(min(996, max(0, mark)))), ("width", "2"),
            ("height", "100%"),
          ])
      }
    }
    return svg.text
  }
}
