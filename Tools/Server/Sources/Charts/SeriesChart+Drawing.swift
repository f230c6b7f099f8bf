extension SeriesChart {
  func drawBars(_ frame: Frame, _ step: Double, _ svg: inout SVG) {
    let width = step * 0.7 / Double(series.count)
    let zero = frame.place(0)
    for index in 0..<(series.map(\.points.count).max() ?? 0) {
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
    }
  }

  /// Draws the first series last, so that it is on top.
  func drawLines(_ frame: Frame, _ middle: (Int) -> Double, _ svg: inout SVG) {
    for one in series.reversed() {
      let line = one.points.enumerated().map { index, point in
        "\(SVG.number(middle(index))),\(SVG.number(frame.place(point.value)))"
      }
      svg.add(
        "polyline", [("class", "line \(one.style)"), ("points", line.joined(separator: " "))])
      for (index, point) in one.points.enumerated() {
        svg.add(
          "circle",
          [
            ("class", "dot \(one.style)"), ("cx", SVG.number(middle(index))),
            ("cy", SVG.number(frame.place(point.value))), ("r", "2.5"),
          ]
        ) { $0.add("title", [], text: "\(one.name), \(point.name): \(point.text)") }
      }
    }
  }
}
