import Daybook
import Interchange
import Terminal

/// What a command answers, said once: shown to people as a table, written for programs as CSV, TSV or
/// JSON.
///
/// Columns have a stable name for programs and a title for people; a column may be for one of them alone.
/// Rows hold each value as both want it. Headings, sums, charts and sentences are for people only.
struct Report: Sendable {
  /// One column: its name for programs, and how people see it.
  struct Column: Sendable {
    /// Nothing where programs don't get it.
    var name: String?
    /// Nothing where people don't see it.
    var table: TextTable.Column?

    /// A text, which is cut where the terminal is narrow, or goes on below if it wraps.
    static func text(
      _ name: String?, _ title: String, wraps: Bool = false,
      yielding: TextTable.Yielding = .automatic
    ) -> Column {
      Column(name: name, table: .init(title, wraps: wraps, yielding: yielding))
    }

    /// Something short on the left that is never cut, such as a day or a currency.
    static func fixed(
      _ name: String?, _ title: String = "", yielding: TextTable.Yielding = .never
    ) -> Column {
      Column(name: name, table: .init(title, isFlexible: false, yielding: yielding))
    }

    /// A figure on the right, never cut.
    static func figure(
      _ name: String?, _ title: String, yielding: TextTable.Yielding = .never
    ) -> Column {
      Column(name: name, table: .init(title, .right, yielding: yielding))
    }

    /// One that only programs get.
    static func data(_ name: String) -> Column { Column(name: name, table: nil) }
  }

  /// One value: as programs get it, and as people see it.
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
    /// What people see below or between rows, such as a sum.
    case sum([Cell])
    case heading(TextTable.Cell, trailing: [TextTable.Cell])
    case rule
  }

  /// What stands above or below the table, for people only.
  enum Block: Sendable {
    case text(String)
    case chart(BarChart)
    case table(TextTable)
  }

  let columns: [Column]
  private var lines: [Line] = []
  /// Said to people where there are no rows.
  var ifEmpty: String
  var showsTitles = true
  /// Whether people see the rows as a table; if not, the blocks say it all.
  var showsTable = true
  var above: [Block] = []
  var below: [Block] = []
  /// What whoever reads the figures has to know, such as what is not in them.
  ///
  /// People read it below the table; beside CSV and TSV it goes to standard error.
  var remarks: [String] = []
  /// Whether an empty line parts the remarks from the table.
  var remarksStandApart = false
  /// The answer as JSON.
  let json: JSONAnswer
  /// What the command ends with when all is said; nothing where all is well.
  var exitStatus: ExitStatus?

  /// An empty report.
  init(_ columns: [Column], ifEmpty: String, json: JSONAnswer) {
    self.columns = columns
    self.ifEmpty = ifEmpty
    self.json = json
  }

  /// A row: a cell for each column.
  mutating func add(_ cells: [Cell]) { lines.append(.row(cells)) }

  /// A row for people only, such as a sum.
  mutating func addSum(_ cells: [Cell]) { lines.append(.sum(cells)) }

  /// A line across all columns, for people.
  mutating func addHeading(_ heading: TextTable.Cell, trailing: [TextTable.Cell] = []) {
    lines.append(.heading(heading, trailing: trailing))
  }

  /// A thin line, as above a sum, for people.
  mutating func addRule() { lines.append(.rule) }
}

extension Report {
  /// The rows, each with the values that programs get, after the names of the columns.
  var records: [[String]] {
    var records = [columns.compactMap(\.name)]
    for case .row(let cells) in lines {
      records.append(zip(columns, cells).filter { $0.0.name != nil }.map(\.1.data))
    }
    return records
  }

  /// The rows as people see them.
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

  /// The report as people read it, in lines.
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
  /// A figure, red below zero.
  static func total(_ total: Total, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(data: total.text, Figures.cell(total, style))
  }

  /// An amount, or nothing.
  static func total(_ total: Total?, _ style: Style = .plain) -> Report.Cell {
    total.map { .total($0, style) } ?? ""
  }

  /// The code of a currency.
  static func currency(_ currency: Currency?, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(currency?.code ?? "", style)
  }

  /// A count.
  static func count(_ number: some BinaryInteger, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(data: "\(number)", .init(Figures.count(number), style))
  }

  /// A day, or nothing.
  static func day(_ day: Day?, _ style: Style = .plain) -> Report.Cell {
    Report.Cell(day.map { "\($0)" } ?? "", style)
  }

  /// A share: `0.643`, and for people `64.3 %`.
  static func share(_ ratio: Ratio?, _ style: Style = .plain) -> Report.Cell {
    guard let ratio else { return "" }
    let size = ratio.perMille.magnitude
    let rest = String(size % 1000)
    let decimals = String(repeating: "0", count: 3 - rest.count) + rest
    return Report.Cell(
      data: "\(ratio.perMille < 0 ? "-" : "")\(size / 1000).\(decimals)",
      .init(Figures.percent(ratio), style))
  }

  /// Tags in one value; a comma within one has a backslash before it.
  static func tags(_ tags: [String]) -> Report.Cell { .init(EscapedList.join(tags, by: ",")) }

  /// Whether something holds.
  static func flag(_ value: Bool) -> Report.Cell { value ? "true" : "false" }
}
