import DaybookBookkeeping
import DaybookEntities

/// Parses the statements of a file, field by field.
struct MT940Reader {
  private var scanner: MT940Scanner
  let bytes: [UInt8]
  let options: ReadingOptions
  var contents = FileContents()
  /// The statement being read.
  var statement: Statement?
  /// The row being read, with its texts.
  var row: MT940Row?
  /// Whether the following fields belong to a row, which may be unreadable.
  var isInRow = false
  /// The lines of the field being read.
  private var lines: [Range<Int>] = []
  private var tag: MT940Tag?
  private var tagLine = 1
  private var hasField = false
  /// Whether the previous line was a single colon.
  private var isAfterColon = false
  /// The lines since a hyphen that may be the end of the message, including the hyphen.
  private var afterHyphen: [Range<Int>] = []
  private var nextProgress = 0
  var narrative = MT940Narrative()

  init(_ text: [UInt8], _ options: ReadingOptions) {
    scanner = MT940Scanner(text)
    bytes = text
    self.options = options
  }

  mutating func read() throws(InterchangeError) -> FileContents {
    while let line = scanner.next() { take(line) }
    endMessage()
    guard hasField else {
      throw InterchangeError(
        .format, "The file has no MT940 or MT942 field, such as “:20:” or “:61:”.",
        remedy: "Use an MT940 account statement, or set the file's format.", line: 1)
    }
    options.progress?(1)
    return contents
  }

  private mutating func take(_ line: MT940Line) {
    let followsColon = isAfterColon
    isAfterColon = false
    if let field = scanner.field(in: line, followsColon: followsColon),
      !continuesNarrative(field.tag)
    {
      settleHyphen(before: field.tag)
      endField()
      begin(field.tag, field.value..<line.range.upperBound, line.number)
      return
    }
    switch scanner.mark(of: line) {
    case .end: endMessage()
    case .hyphen: afterHyphen.append(line.range)
    case .header: endMessage()
    case .beginning(let place):
      endMessage()
      let rest = MT940Line(range: place..<line.range.upperBound, number: line.number)
      if let field = scanner.field(in: rest) {
        begin(field.tag, field.value..<rest.range.upperBound, line.number)
      }
    case .continuation where !afterHyphen.isEmpty: afterHyphen.append(line.range)
    case .continuation: if tag != nil { lines.append(line.range) }
    case .colon: isAfterColon = true
    case .blank: break
    }
  }

  /// Returns whether an apparent field is actually a time of day that was wrapped at its first
  /// colon.
  ///
  /// The apparent field must follow a full line of text, after which no message can begin.
  private func continuesNarrative(_ next: MT940Tag) -> Bool {
    guard tag == .narrative, isInRow, let last = lines.last else { return false }
    switch next {
    case .reference, .account, .other, .time: break
    default: return false
    }
    return last.count >= MT940Narrative.lineWidth
  }

  private mutating func begin(_ tag: MT940Tag, _ value: Range<Int>, _ line: Int) {
    hasField = true
    self.tag = tag
    tagLine = line
    lines.append(value)
  }

  private mutating func endField() {
    guard let tag else { return }
    take(tag)
    self.tag = nil
    lines.removeAll(keepingCapacity: true)
  }

  /// Decides whether a hyphen ended the message.
  ///
  /// If more fields of the statement follow, the hyphen is part of the message, and the lines after
  /// it belong to the previous field.
  private mutating func settleHyphen(before next: MT940Tag) {
    guard !afterHyphen.isEmpty else { return }
    switch next {
    case .row, .narrative, .nonSwift, .closing, .available:
      if tag == .narrative { lines += afterHyphen.dropFirst() }
      afterHyphen.removeAll()
    case .reference, .account, .opening, .floorLimit, .time, .other: endMessage()
    }
  }

  private mutating func endMessage() {
    afterHyphen.removeAll()
    endField()
    endStatement()
  }

  private mutating func take(_ tag: MT940Tag) {
    switch tag {
    case .reference:
      endStatement()
      statement = Statement(line: tagLine, account: StatementAccount())
    case .account: takeAccount(lines, tagLine)
    case .opening: takeOpening(lines[0], tagLine)
    case .row: takeRow(lines, tagLine)
    case .closing:
      endRow()
      if let balance = balance(lines[0], tagLine) { current { $0.closing = balance } }
    case .available: endRow()
    case .narrative: takeNarrative(lines, tagLine)
    case .nonSwift: takeNonSwift(lines)
    case .floorLimit:
      endRow()
      if let code = text(lines[0].prefix(3)), let currency = currency(code) {
        current { $0.account.currency = $0.account.currency ?? currency }
      }
    case .time, .other: endRow()
    }
  }

  /// Changes the current statement, and begins a statement if there is none.
  mutating func current(_ change: (inout Statement) -> Void) {
    var now = statement ?? Statement(line: tagLine, account: StatementAccount())
    statement = nil
    change(&now)
    statement = now
  }

  /// Ends the current statement and keeps it unless it is empty.
  mutating func endStatement() {
    endRow()
    guard var done = statement else { return }
    statement = nil
    let isEmpty =
      done.rows.isEmpty && done.opening == nil && done.closing == nil
      && done.account == StatementAccount()
    guard !isEmpty else { return }
    done.moveOpeningToFirstRow()
    contents.statements.append(done)
    guard let progress = options.progress, scanner.offset >= nextProgress else { return }
    nextProgress = scanner.offset + 1 << 20
    progress(min(1, Double(scanner.offset) / Double(max(bytes.count, 1))))
  }

  private mutating func takeOpening(_ value: Range<Int>, _ line: Int) {
    endRow()
    guard let balance = balance(value, line) else { return }
    if let account = statement?.account, statement?.opening != nil {
      // Some banks put several statements for an account into one message.
      endStatement()
      statement = Statement(line: line, account: account)
    }
    current {
      $0.opening = balance
      $0.account.currency = balance.amount.currency
    }
  }

  /// Returns part of the file without surrounding blanks, or `nil` if it is empty.
  func text(_ range: Range<Int>) -> String? {
    let text = CollapsedText.string(range, of: bytes.span)
    return text.isEmpty ? nil : text
  }

  /// Returns the currency with a code, or `nil`.
  func currency(_ code: String) -> Currency? { options.currencies[code] ?? Currency.iso(code) }

  /// Records a row or balance that can't be read.
  mutating func note(
    _ code: BadLine.Code, _ line: Int, _ place: Int, in value: Range<Int>, _ reason: String,
    _ remedy: String = "Correct the file, or ask the bank for it again."
  ) {
    var start = value.lowerBound
    while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
    let column = bytes[start..<max(start, min(place, bytes.count))].count { $0 & 0xC0 != 0x80 } + 1
    contents.note(
      BadLine(line: line, column: column, code: code, reason: reason, remedy: remedy))
  }

  /// Adds a notice, up to a maximum number.
  mutating func notice(_ line: Int, _ message: String) {
    guard contents.notices.count < FileContents.badLineCountMax else { return }
    contents.notices.append(FileNotice(line: line, message))
  }
}
