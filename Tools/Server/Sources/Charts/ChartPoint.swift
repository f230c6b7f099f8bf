/// A point of a chart: a value, what it is of, and how it is written.
public struct ChartPoint: Hashable, Sendable {
  /// What stands below it, such as a month; empty where there is no room for one.
  public var label: String
  /// What it is of, as a table says it.
  public var name: String
  /// The value, for where the point is drawn; what is read is ``text``.
  public var value: Double
  /// The value as the reader's language writes it.
  public var text: String
  /// The page that says what it is made of.
  public var link: String?

  /// A point.
  public init(label: String, name: String, value: Double, text: String, link: String? = nil) {
    self.label = label
    self.name = name
    self.value = value
    self.text = text
    self.link = link
  }
}

/// Several values that belong together, drawn alike.
public struct ChartSeries: Hashable, Sendable {
  /// What it is called.
  public var name: String
  /// Its class in the style sheet, such as `income`.
  public var style: String
  /// Its points, in order.
  public var points: [ChartPoint]

  /// A series.
  public init(name: String, style: String, points: [ChartPoint]) {
    self.name = name
    self.style = style
    self.points = points
  }
}
