/// A point of a chart: its value, its name, and the texts shown for it.
public struct ChartPoint: Hashable, Sendable {
  /// The label below the axis, such as a month; empty if there is no room for one.
  public var label: String
  /// The name of the point in a table.
  public var name: String
  /// The value, which determines the point's position.
  ///
  /// The page shows ``text`` instead.
  public var value: Double
  /// The value, formatted in the reader's language.
  public var text: String
  /// The address of the page with details of this value, if any.
  public var link: String?

  /// Creates a point.
  public init(label: String, name: String, value: Double, text: String, link: String? = nil) {
    self.label = label
    self.name = name
    self.value = value
    self.text = text
    self.link = link
  }
}

/// A series of related values that are drawn in one style.
public struct ChartSeries: Hashable, Sendable {
  /// The name of the series.
  public var name: String
  /// The CSS class, such as `income`.
  public var style: String
  /// The points in order.
  public var points: [ChartPoint]

  /// Creates a series.
  public init(name: String, style: String, points: [ChartPoint]) {
    self.name = name
    self.style = style
    self.points = points
  }
}
