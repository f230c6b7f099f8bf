/// A text table that fits a given width.
///
/// Columns are as wide as their widest cell. If a line is too long, the flexible columns are
/// narrowed, the widest first. Text that no longer fits is truncated with `…` or wrapped in its
/// column. If that isn't enough, some columns are hidden, and others move to lines below their row.
/// If even the remaining columns are too wide, every row is shown as a list of titles and values.
/// Figures are never truncated.
package struct TextTable: Sendable {
  /// The alignment of a column's cells.
  package enum Alignment: Sendable {
    case left
    case right
  }

  /// The treatment of a column when the line is too narrow for all columns.
  package enum Yielding: Sendable, Equatable {
    /// The column stays on the line.
    case never
    /// The column moves to a line below its row.
    ///
    /// Columns with lower ranks yield first; those with equal ranks yield together.
    case below(Int)
    /// The column is hidden.
    ///
    /// Its rank is also compared with the ranks of `below`.
    case goes(Int)
    /// Flexible text columns other than the first move below, starting with the last one.
    ///
    /// Other columns stay.
    case automatic
  }

  /// A column with its title, alignment and yielding behaviour.
  package struct Column: Sendable {
    package var title: String
    package var alignment: Alignment
    package var isFlexible: Bool
    /// Whether long texts are wrapped instead of truncated.
    package var wraps: Bool
    /// Whether words, such as ids, are never broken.
    package var keepsWords: Bool
    package var yielding: Yielding

    /// Creates a column.
    ///
    /// By default, left-aligned columns are flexible and right-aligned columns aren't.
    package init(
      _ title: String, _ alignment: Alignment = .left, isFlexible: Bool? = nil,
      wraps: Bool = false, keepsWords: Bool = false, yielding: Yielding = .automatic
    ) {
      self.keepsWords = keepsWords
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible ?? (alignment == .left)
      self.wraps = wraps
      self.yielding = yielding
    }
  }

  /// A cell with its text and style.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    package var text: String
    package var style: Style
    /// Returns the parts of the displayed text to highlight.
    package var marking: (@Sendable (String) -> [Range<String.Index>])?

    /// Creates a cell and makes its text ``Swift/String/printable``.
    package init(
      _ text: String, _ style: Style = .plain,
      marking: (@Sendable (String) -> [Range<String.Index>])? = nil
    ) {
      self.text = text.printable
      self.style = style
      self.marking = marking
    }
    package init(stringLiteral value: String) { self.init(value) }

    /// The text, already truncated, with its styles applied.
    func painted(_ text: String, inColour: Bool) -> String {
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

  enum Row: Sendable {
    case cells([Cell])
    case heading(Cell, trailing: [Cell])
    case rule
  }

  static let gap = 2

  let columns: [Column]
  let showsTitles: Bool
  private(set) var rows: [Row] = []

  /// Creates an empty table.
  package init(_ columns: [Column], showsTitles: Bool = true) {
    self.columns = columns
    self.showsTitles = showsTitles
  }

  /// Whether the table has no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: [Cell]) {
    rows.append(.cells(cells))
  }

  /// Adds a heading across all columns, with text on the left and figures on the right.
  ///
  /// - Parameter trailing: The figures. A line break is possible between two figures.
  package mutating func addHeading(_ heading: Cell, trailing: [Cell] = []) {
    rows.append(.heading(heading, trailing: trailing))
  }

  /// Adds a thin line, such as above a sum.
  package mutating func addRule() {
    rows.append(.rule)
  }
}
