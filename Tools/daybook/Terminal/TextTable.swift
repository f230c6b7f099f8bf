/// A table of text that fits the width it is given.
///
/// Columns are as wide as their widest cell. Where a line would be too long, the flexible columns
/// give way, the widest first, and what no longer fits ends in `…`; a figure is never cut.
package struct TextTable: Sendable {
  /// Which side of its column a cell keeps to.
  package enum Alignment: Sendable {
    case left
    case right
  }

  /// One column: its heading, its side, and whether it may be made narrower.
  package struct Column: Sendable {
    package var title: String
    package var alignment: Alignment
    package var isFlexible: Bool

    /// A column; text is flexible and figures (on the right) are not, unless said otherwise.
    package init(_ title: String, _ alignment: Alignment = .left, isFlexible: Bool? = nil) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible ?? (alignment == .left)
    }
  }

  /// One cell: a text and how it stands out.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    package var text: String
    package var style: Style
    /// Which parts of a text, as it is shown, stand out from it.
    package var marking: (@Sendable (String) -> [Range<String.Index>])?

    /// A cell; its text is made ``Swift/String/printable``.
    package init(
      _ text: String, _ style: Style = .plain,
      marking: (@Sendable (String) -> [Range<String.Index>])? = nil
    ) {
      self.text = text.printable
      self.style = style
      self.marking = marking
    }
    package init(stringLiteral value: String) { self.init(value) }

    /// The text, cut to what fits, with its styles.
    fileprivate func painted(_ text: String, inColour: Bool) -> String {
      guard inColour, let marking else { return style.apply(to: text, inColour: inColour) }
      var painted = ""
      var start = text.startIndex
      for range in marking(text) {
        painted += style.apply(to: String(text[start..<range.lowerBound]), inColour: true)
        painted += Style.yellow.apply(to: String(text[range]), inColour: true)
        start = range.upperBound
      }
      return painted + style.apply(to: String(text[start...]), inColour: true)
    }
  }

  private enum Row: Sendable {
    case cells([Cell])
    case heading(Cell, trailing: Cell)
    case rule
  }

  private static let gap = 2
  private static let narrowestFlexible = 8

  private let columns: [Column]
  private let showsTitles: Bool
  private var rows: [Row] = []

  /// An empty table.
  package init(_ columns: [Column], showsTitles: Bool = true) {
    self.columns = columns
    self.showsTitles = showsTitles
  }

  /// Whether nothing was added.
  package var isEmpty: Bool { rows.isEmpty }

  /// A row; missing cells stay empty.
  package mutating func add(_ cells: [Cell]) {
    rows.append(.cells(cells))
  }

  /// A line across all columns, as above the rows of a day: text at the left, figures at the right.
  package mutating func addHeading(_ heading: Cell, trailing: Cell = "") {
    rows.append(.heading(heading, trailing: trailing))
  }

  /// A thin line, as above a sum.
  package mutating func addRule() {
    rows.append(.rule)
  }

  /// The lines of the table, without line ends.
  package func lines(for terminal: Terminal) -> [String] {
    let widths = widths(fitting: terminal.columns)
    let total = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
    var lines: [String] = []
    if showsTitles {
      lines.append(line(columns.map { Cell($0.title, .dim) }, widths, terminal))
    }
    for row in rows {
      switch row {
      case .cells(let cells): lines.append(line(cells, widths, terminal))
      case .rule:
        let rule = String(repeating: "─", count: total)
        lines.append(Style.dim.apply(to: rule, inColour: terminal.inColour))
      case .heading(let heading, let trailing):
        lines.append(self.heading(heading, trailing, total, terminal))
      }
    }
    return lines
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> String {
    var line = ""
    var pendingSpaces = 0
    for (index, column) in columns.enumerated() {
      let cell = index < cells.count ? cells[index] : ""
      let text = cell.text.truncated(to: widths[index])
      let missing = widths[index] - DisplayWidth.of(text)
      let before = column.alignment == .right ? missing : 0
      // Spaces are held back until text follows, so that no line ends in them.
      pendingSpaces += before
      if !text.isEmpty {
        line += String(repeating: " ", count: pendingSpaces)
        line += cell.painted(text, inColour: terminal.inColour)
        pendingSpaces = 0
      }
      pendingSpaces += missing - before + Self.gap
    }
    return line
  }

  private func heading(
    _ heading: Cell, _ trailing: Cell, _ total: Int, _ terminal: Terminal
  ) -> String {
    let right = DisplayWidth.of(trailing.text)
    let room = max(total - right - (right > 0 ? Self.gap : 0), 1)
    let limit = terminal.columns == nil ? Int.max : room
    let left = heading.text.truncated(to: limit)
    let painted = heading.style.apply(to: left, inColour: terminal.inColour)
    if trailing.text.isEmpty { return painted }
    let spaces = max(total - DisplayWidth.of(left) - right, Self.gap)
    return painted + String(repeating: " ", count: spaces)
      + trailing.style.apply(to: trailing.text, inColour: terminal.inColour)
  }

  private func widths(fitting limit: Int?) -> [Int] {
    var widths = columns.map { showsTitles ? DisplayWidth.of($0.title) : 0 }
    for case .cells(let cells) in rows {
      for (index, cell) in cells.enumerated() where index < widths.count {
        widths[index] = max(widths[index], DisplayWidth.of(cell.text))
      }
    }
    guard let limit else { return widths }
    let gaps = Self.gap * max(0, widths.count - 1)
    var excess = widths.reduce(0, +) + gaps - limit
    while excess > 0 {
      let candidates = columns.indices.filter {
        columns[$0].isFlexible && widths[$0] > Self.narrowestFlexible
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      // Down to the next widest at a time, so that equal columns share the loss.
      let next = candidates.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max()
      let floor = max(next ?? Self.narrowestFlexible, Self.narrowestFlexible)
      let step = min(excess, max(1, widths[widest] - floor))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }
}
