import DaybookBookkeeping

/// Parses the statements of a file.
struct CAMTReader {
  var xml: XMLReader
  let names = XMLNames<CAMTElement>()
  let options: ReadingOptions
  var contents = FileContents()
  /// The statement being read.
  var statement = Statement(line: 1, account: StatementAccount())
  /// The day on which the message or statement was created.
  var createdDay: Day?
  /// The day in the header of the message.
  private var messageDay: Day?
  /// The most recently used currency, which is nearly always also the next one.
  var lastCurrency: Currency?
  private var nextProgress = 0

  init(_ xml: XMLReader, _ options: ReadingOptions) {
    self.xml = xml
    self.options = options
  }

  /// The current element.
  var element: CAMTElement? { names.element(xml) }

  /// Reads all messages, regardless of the enclosing elements.
  mutating func read() throws(InterchangeError) -> FileContents {
    var hasMessage = false
    var isInside = true
    while isInside || xml.depth > 0 {
      isInside = try xml.nextChild()
      guard isInside else { continue }
      switch element {
      case .statementMessage, .statementMessageV1, .reportMessage, .reportMessageV1,
        .notificationMessage, .notificationMessageV1:
        hasMessage = true
        try readMessage()
      default: continue
      }
    }
    guard hasMessage else {
      throw xml.fault(
        "The file has no camt.052, camt.053 or camt.054 message.",
        "Use an account statement; payment lists (pain) can't be imported.", at: 0)
    }
    guard !contents.statements.isEmpty || contents.badLineCount > 0 else {
      throw xml.fault(
        "The message has no statement: no Stmt, Rpt or Ntfctn.",
        "Ask the bank for the file again.", at: 0)
    }
    options.progress?(1)
    return contents
  }

  private mutating func readMessage() throws(InterchangeError) {
    messageDay = nil
    while try xml.nextChild() {
      switch element {
      case .groupHeader:
        while try xml.nextChild() {
          if element == .creationTime {
            try xml.text()
            messageDay = dayOfText()
          } else {
            try xml.skip()
          }
        }
      case .statement, .report, .notification: try readStatement()
      case .entry:
        contents.note(
          bad(
            .account, xml.tagStart,
            "The entry isn't part of a statement, so its account is unknown.",
            "Ask the bank for the file again."))
        try xml.skip()
      default: try xml.skip()
      }
    }
  }

  private mutating func readStatement() throws(InterchangeError) {
    statement = Statement(line: xml.line(at: xml.tagStart), account: StatementAccount())
    createdDay = messageDay
    var balances = CAMTBalances()
    while try xml.nextChild() {
      switch element {
      case .creationTime:
        try xml.text()
        createdDay = dayOfText() ?? createdDay
      case .account: try readAccount()
      case .balance: try readBalance(&balances)
      case .entry:
        try readEntry()
        tellProgress()
      default: try xml.skip()
      }
    }
    statement.opening = balances.opening
    statement.closing = balances.closing
    statement.moveOpeningToFirstRow()
    contents.statements.append(statement)
  }

  private mutating func tellProgress() {
    guard let progress = options.progress, xml.offset >= nextProgress else { return }
    nextProgress = xml.offset + 1 << 20
    progress(Double(xml.offset) / Double(max(xml.bytes.count, 1)))
  }

  /// Adds a notice, up to a maximum number.
  mutating func notice(_ message: String, at place: Int) {
    guard contents.notices.count < FileContents.badLineCountMax else { return }
    contents.notices.append(FileNotice(line: xml.line(at: place), message))
  }
}
