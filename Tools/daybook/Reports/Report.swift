import Daybook
import DaybookInterchange
import DaybookTerminal

/// The output of a command: a table for people, or CSV, TSV or JSON for programs.
///
/// Columns have a stable name for programs and a title for people. A column can be for programs
/// only or for people only. A cell contains its value in both forms. Headings, sums, charts and
/// sentences are for people only.
struct Report: Sendable {
  /// A column with its name for programs and its layout for people.
  struct Column: Sendable {
    /// The column's name for programs, or `nil` if the column is for people only.
    var name: String?
    /// The column's layout for people, or `nil` if the column is for programs only.
    var table: TextTable.Column?

    /// A text column.
    ///
    /// On a narrow terminal, its text is truncated, or wrapped if `wraps` is `true`.
    static func text(
      _ name: String?, _ title: String, wraps: Bool = false,
      yielding: TextTable.Yielding = .automatic
    ) -> Column {
      Column(name: name, table: .init(title, wraps: wraps, yielding: yielding))
    }

    /// A left-aligned column that is never truncated, such as a day or a currency.
    static func fixed(
      _ name: String?, _ title: String = "", yielding: TextTable.Yielding = .never
    ) -> Column {
      Column(name: name, table: .init(title, isFlexible: false, yielding: yielding))
    }

    /// A right-aligned column of figures, which are never truncated.
    static func figure(
      _ name: String?, _ title: String, yielding: TextTable.Yielding = .never
    ) -> Column {
      Column(name: name, table: .init(title, .right, yielding: yielding))
    }

    /// A column for programs only.
    static func data(_ name: String) -> Column { Column(name: name, table: nil) }
  }

  /// A value in its forms for programs and for people.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    var data: String
    var shown: TextTable.Cell

    init(data: String, _ shown: TextTable.Cell) {
      self.data = data
      self.shown = shown
    }
    init(_ text: String, _ style: Style = .plain) {
      self.init(data: text, .init(text, style))
    }
    init(stringLiteral value: String) { self.init(value) }
  }

  private enum Line: Sendable {
    case row([Cell])
    /// A line for people below or between rows, such as a sum.
    case sum([Cell])
    case heading(TextTable.Cell, trailing: [TextTable.Cell])
    case rule
  }

  /// A part above or below the table, for people only.
  enum Block: Sendable {
    case text(String)
    case chart(BarChart)
    case table(TextTable)
  }

  let columns: [Column]
  private var lines: [Line] = []
  /// The sentence that people see instead of an empty table.
  var ifEmpty: String
  var showsTitles = true
  /// Whether people see the rows as a table.
  ///
  /// If `false`, the blocks contain all output.
  var showsTable = true
  var above: [Block] = []
  var below: [Block] = []
  /// Remarks about the figures, such as amounts that they don't include.
  ///
  /// In the table format, remarks follow the table. With CSV and TSV, they go to standard error.
  var remarks: [String] = []
  /// Whether an empty line separates the remarks from the table.
  var remarksStandApart = false
  /// The report as JSON.
  let json: JSONAnswer
  /// The exit status of the command, or `nil` for success.
  var exitStatus: ExitStatus?

  /// Creates an empty report.
  init(_ columns: [Column], ifEmpty: String, json: JSONAnswer) {
    self.columns = columns
    self.ifEmpty = ifEmpty
    self.json = json
  }

  /// Adds a row with a cell for each column.
  mutating func add(_ cells: [Cell]) { lines.append(.row(cells)) }

  /// Adds a row for people only, such as a sum.
  mutating func addSum(_ cells: [Cell]) { lines.append(.sum(cells)) }

  /// Adds a heading across all columns, for people only.
  mutating func addHeading(_ heading: TextTable.Cell, trailing: [TextTable.Cell] = []) {
    lines.append(.heading(heading, trailing: trailing))
  }

  /// Adds a thin line for people only, such as above a sum.
  mutating func addRule() { lines.append(.rule) }
}

extension Report {
  /// The column names and the rows with their values for programs.
  var records: [[String]] {
    var records = [columns.compactMap(\.name)]
    for case .row(let cells) in lines {
      records.append(zip(columns, cells).filter { $0.0.name != nil }.map(\.1.data))
    }
    return records
  }

  /// The rows as a human-readable table.
  var table: TextTable {
    var table = TextTable(columns.compactMap(\.table), showsTitles: showsTitles)
    func shown(_ cells: [Cell]) -> [TextTable.Cell] {
      zip(columns, cells).filter { $0.0.table != nil }.map(\.1.shown)
    }
    for line in lines {
      switch line {
      case .row(let cells), .sum(let cells): table.add(shown(cells))
      case .heading(let heading, let trailing): table.addHeading(heading, trailing: trailing)
      case .rule: table.addRule()
      }
    }
    return table
  }

  /// The lines of the report for people.
  func lines(for terminal: Terminal) -> [String] {
    var lines = above.flatMap { $0.lines(for: terminal) }
    if showsTable {
      let table = table
      lines += table.isEmpty ? terminal.prose(ifEmpty) : table.lines(for: terminal)
    }
    if remarksStandApart, !remarks.isEmpty { lines.append("") }
    lines += remarks.flatMap { terminal.prose($0) }
    return lines + below.flatMap { $0.lines(for: terminal) }
  }
}

extension Report.Block {
  fileprivate func lines(for terminal: Terminal) -> [String] {
    switch self {
    case .text(let text): terminal.prose(text)
    case .chart(let chart): chart.lines(for: terminal)
    case .table(let table): table.lines(for: terminal)
    }
  }
}

extension Report.Cell {
  /// A total, red if negative.
  static func total(_ total: Total, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(data: total.text, Figures.cell(total, style))
  }

  /// A total, or an empty cell for `nil`.
  static func total(_ total: Total?, _ style: Style = .plain) -> Report.Cell {
    total.map { .total($0, style) } ?? ""
  }

  /// The code of a currency, or an empty cell for `nil`.
  static func currency(_ currency: Currency?, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(currency?.code ?? "", style)
  }

  /// A count.
  static func count(_ number: some BinaryInteger, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(data: "\(number)", .init(Figures.count(number), style))
  }

  /// A day, or an empty cell for `nil`.
  static func day(_ day: Day?, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(day.map { "\($0)" } ?? "", style)
  }

  /// A share, such as `0.643` for programs and `64.3 %` for people.
  static func share(_ ratio: Ratio?, _ style: Style = .plain) -> Report.Cell {
    guard let ratio else { return "" }
    let size = ratio.perMille.magnitude
    let rest = String(size % 1000)
    let decimals = String(repeating: "0", count: 3 - rest.count) + rest
    return Report.Cell(
      data: "\(ratio.perMille < 0 ? "-" : "")\(size / 1000).\(decimals)",
      .init(Figures.percent(ratio), style))
  }

  /// Tags separated by commas.
  ///
  /// Commas within a tag are escaped with a backslash.
  static func tags(_ tags: [String]) -> Report.Cell { .init(EscapedList.join(tags, by: ",")) }

  /// A Boolean value: `true` or `false`.
  static func flag(_ value: Bool) -> Report.Cell { value ? "true" : "false" }
}
