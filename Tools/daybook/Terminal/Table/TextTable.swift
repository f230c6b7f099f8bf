/// A table of text that fits the width it is given.
///
/// Columns are as wide as their widest cell. Where a line would be too long, the flexible columns
/// give way first, the widest before the others, and what no longer fits ends in `…`, or goes on below
/// in its column. Where that is not enough, columns leave the line: some go, others stand on a line
/// of their own below their row. Where even what must stay is too wide, every row is told as a list of
/// titles and values. A figure is never cut.
package struct TextTable: Sendable {
  /// Which side of its column a cell keeps to.
  package enum Alignment: Sendable {
    case left
    case right
  }

  /// What becomes of a column when the line is too narrow for all of them.
  package enum Yielding: Sendable, Equatable {
    /// It keeps its place.
    case never
    /// It stands on a line below its row; low ranks yield before high ones, equal ones together.
    case below(Int)
    /// It is not shown; ranks are shared with `below`.
    case goes(Int)
    /// A flexible text that is not the first column goes below, the last one first; others stay.
    case automatic
  }

  /// One column: its heading, its side, and how it gives way.
  package struct Column: Sendable {
    package var title: String
    package var alignment: Alignment
    package var isFlexible: Bool
    /// Whether a text that is too long goes on below instead of being cut.
    package var wraps: Bool
    /// Whether no word of it may be broken, such as an id.
    package var keepsWords: Bool
    package var yielding: Yielding

    /// A column; text is flexible and figures (on the right) are not, unless said otherwise.
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
  ///
  /// - Parameter trailing: The figures; a line may end between two of them.
  package mutating func addHeading(_ heading: Cell, trailing: [Cell] = []) {
    rows.append(.heading(heading, trailing: trailing))
  }

  /// A thin line, as above a sum.
  package mutating func addRule() {
    rows.append(.rule)
  }
}
