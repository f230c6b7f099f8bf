/// The figures of a chart as an HTML table.
public struct DataTable: Sendable {
  /// The table's caption.
  public var caption: String
  /// The heading of the column with the points' names.
  public var nameHeader: String
  /// The series, one per column.
  public var series: [ChartSeries]

  /// Creates a table.
  public init(caption: String, nameHeader: String, series: [ChartSeries]) {
    self.caption = caption
    self.nameHeader = nameHeader
    self.series = series
  }

  /// The table as HTML.
  ///
  /// The figure of a point with a ``ChartPoint/link`` is a link.
  public var html: String {
    var text = "<table class=\"figures\"><caption>\(SVG.escaped(caption))</caption>"
    text += "<thead><tr><th scope=\"col\">\(SVG.escaped(nameHeader))</th>"
    for one in series { text += "<th scope=\"col\" class=\"num\">\(SVG.escaped(one.name))</th>" }
    text += "</tr></thead><tbody>"
    for (index, point) in (series.first?.points ?? []).enumerated() {
      text += "<tr><th scope=\"row\">\(SVG.escaped(point.name))</th>"
      for one in series where index < one.points.count {
        let cell = one.points[index]
        let figure = SVG.escaped(cell.text)
        let linked = cell.link.map { "<a href=\"\(SVG.escaped($0))\">\(figure)</a>" } ?? figure
        text += "<td class=\"num\">\(linked)</td>"
      }
      text += "</tr>"
    }
    return text + "</tbody></table>"
  }
}
