/// A bar chart made of text: labels, figures, and bars of proportional length.
package struct BarChart: Sendable {
  /// One bar of a group.
  package struct Bar: Sendable {
    package var name: String
    package var figure: String
    /// The bar's length, in a unit that all bars share.
    ///
    /// Zero and negative lengths aren't drawn.
    package var length: Int128
    package var style: Style

    /// Creates a bar.
    package init(name: String, figure: String, length: Int128, style: Style = .plain) {
      self.name = name.printable
      self.figure = figure.printable
      self.length = length
      self.style = style
    }
  }

  private var groups: [(label: String, bars: [Bar])] = []
  private static let narrowestBar = 10
  private static let widestBar = 60
  private static let eighths: [String] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Creates an empty chart.
  package init() {}

  /// Adds bars under one label, such as a month's income and expense.
  package mutating func add(_ label: String, _ bars: [Bar]) {
    groups.append((label.printable, bars))
  }

  /// Returns the lines of the chart, without line ends.
  ///
  /// If a label leaves no room for a bar, it is on a separate line.
  package func lines(for terminal: Terminal) -> [String] {
    let groups = terminal.isASCII ? groups.map { ($0.label.inASCII, $0.bars) } : groups
    let bars = groups.flatMap(\.bars)
    let label = groups.map { DisplayWidth.of($0.label) }.max() ?? 0
    let name = bars.map { DisplayWidth.of($0.name) }.max() ?? 0
    let figure = bars.map { DisplayWidth.of($0.figure) }.max() ?? 0
    let longest = bars.map(\.length).max() ?? 0
    let text = name + (name > 0 ? 2 : 0) + figure + 2
    let columns = terminal.columns ?? 80
    let isApart = label + 2 + text + Self.narrowestBar > columns && terminal.columns != nil
    let margin = isApart ? 2 : label + 2
    let left = columns - margin - text
    // Bars of only a few columns can't be compared, so they are left out.
    let room = left < 4 ? 0 : isApart ? min(left, Self.widestBar) : max(left, Self.narrowestBar)
    var lines: [String] = []
    for group in groups {
      if isApart { lines += group.label.wrapped(to: columns) }
      for (index, bar) in group.bars.enumerated() {
        var line = (index == 0 && !isApart ? group.label : "").padded(to: margin)
        if name > 0 { line += bar.name.padded(to: name) + "  " }
        line += bar.figure.padded(to: figure, right: true)
        let drawn = Self.drawing(
          of: bar.length, longest: longest, columns: min(room, Self.widestBar))
        if !drawn.isEmpty, room > 0 {
          let shown = terminal.isASCII ? drawn.inASCII : drawn
          line += "  " + bar.style.apply(to: shown, inColour: terminal.inColour)
        }
        lines.append(line)
      }
    }
    return lines
  }

  /// Returns a bar made of blocks, in steps of an eighth of a column.
  ///
  /// Positive lengths show at least one eighth.
  package static func drawing(of length: Int128, longest: Int128, columns: Int) -> String {
    guard length > 0, longest > 0 else { return "" }
    // Dividing first avoids overflow and loses less than an eighth of a column in precision.
    let scale = max(longest / 1_000_000_000, 1)
    let steps = (length / scale) * Int128(columns * 8) / (longest / scale)
    let eighthCount = max(1, Int(clamping: steps))
    return String(repeating: "█", count: eighthCount / 8) + eighths[eighthCount % 8]
  }
}
