import DaybookBookkeeping

/// Parses the OFX tree, tag by tag.
///
/// An element without text is either an aggregate or an empty value. A known name determines which
/// of the two it is. An unknown name is an aggregate if the file contains an end tag for it. An end
/// tag also closes all elements that are open inside it.
struct OFXReader {
  var scanner: OFXScanner
  let options: ReadingOptions
  var contents = FileContents()
  /// The position of the last row or statement.
  ///
  /// Positions are computed in file order.
  var place = TextPlace()
  var decoder = OFXTextDecoder()

  /// The open elements, from the root.
  private var open: [(tag: OFXTag, key: UInt128)] = []
  private var endedNames: Set<UInt128>?
  private var untaken = OFXUntaken()
  /// The marks in all amounts of the file; computed when first needed.
  private var knownMarks: AmountMarks?
  private let root: Int

  var statement: OFXStatementDraft?
  var row = OFXRowDraft()
  private(set) var isInRow = false
  var account: OFXAccountDraft?
  var status = OFXStatus()
  var refusals: [(line: Int, text: String)] = []
  /// The names of securities by id, and the rows that need them.
  var securities: [String: String] = [:]
  var security = (id: OFXText(), name: OFXText(), ticker: OFXText())
  var unnamed: [(statement: Int, row: Int, id: String)] = []

  var bytes: [UInt8] { scanner.bytes }
  /// The innermost open element.
  var context: OFXTag { open.last?.tag ?? .unknown }

  init(_ header: OFXHeader, _ options: ReadingOptions) {
    scanner = OFXScanner(header.text, from: header.root)
    root = header.root
    self.options = options
    contents.notices = header.notices
  }

  mutating func read() throws(InterchangeError) -> FileContents {
    var count = 0
    while let event = scanner.next() {
      count += 1
      if count % 65_536 == 0 { tellProgress(event.start) }
      if event.isEnd {
        try end(event)
      } else if event.tag.isAggregate {
        if !event.isWhole { try begin(event) }
      } else if event.tag == .unknown {
        try beginUnknown(event)
      } else {
        try take(event)
      }
    }
    if isInRow || statement != nil { throw cutOff() }
    nameSecurities()
    try finish()
    return contents
  }

  private func tellProgress(_ offset: Int) {
    options.progress?(Double(offset) / Double(max(bytes.count, 1)))
  }

  // MARK: - Open elements

  private static let depthMax = 64

  private mutating func begin(_ event: OFXEvent) throws(InterchangeError) {
    if isRow(event.tag) {
      // Rows can't be nested, so an open row ends here.
      if isInRow { try end(rowFrom: event.tag) }
    }
    try push(event)
    switch event.tag {
    case .row, .pendingRow, .buy, .sell, .income, .expense, .interest, .capital, .noCash:
      row.begin(event.tag, at: event.start)
      isInRow = true
    case .statement, .cardStatement, .investmentStatement:
      place = place.advanced(to: event.start, in: bytes)
      if statement != nil { try finishStatement() }
      statement = OFXStatementDraft(event.tag, line: place.line)
    case .account, .cardAccount, .investmentAccount, .accountInfo:
      if account == nil { account = OFXAccountDraft(start: event.start) }
      if event.tag == .cardAccount { account?.kind = .liability }
    case .status: status = OFXStatus(start: event.start, isSignOn: isOpen(.signOn))
    case .securityInfo: security = (OFXText(), OFXText(), OFXText())
    case .ledgerBalance: statement?.closing = nil
    case .holdings: noteUntaken(event)
    default: break
    }
  }

  private func isRow(_ tag: OFXTag) -> Bool {
    tag == .row || tag == .pendingRow || tag.isTrade || tag == .noCash
  }

  private mutating func end(rowFrom tag: OFXTag) throws(InterchangeError) {
    while let last = open.last, isInRow {
      open.removeLast()
      try close(last.tag)
    }
  }

  private mutating func push(_ event: OFXEvent) throws(InterchangeError) {
    guard open.count < Self.depthMax else {
      throw failure("Tags are nested more than \(Self.depthMax) levels deep here.", event.start)
    }
    open.append((event.tag, event.key))
  }

  private func isOpen(_ tag: OFXTag) -> Bool { open.contains { $0.tag == tag } }

  private mutating func beginUnknown(_ event: OFXEvent) throws(InterchangeError) {
    if tellsOfUnknown { noteUntaken(event) }
    guard event.text.isEmpty, !event.isWhole else { return }
    if endedNames == nil { endedNames = scanner.endedNames() }
    if endedNames?.contains(event.key) == true { try push(event) }
  }

  /// Whether ignoring an unknown element at this position could lose data.
  ///
  /// This is the case around and inside the rows.
  private var tellsOfUnknown: Bool {
    switch context {
    case .ofx, .messages, .response, .rows, .pendingRows: true
    case .statement, .cardStatement, .investmentStatement: true
    case .unknown, .passedOver, .holdings, .status, .security: false
    default: isInRow
    }
  }

  private mutating func end(_ event: OFXEvent) throws(InterchangeError) {
    guard event.tag.isAggregate || event.tag == .unknown else { return }
    guard let level = open.lastIndex(where: { $0.key == event.key }) else { return }
    while open.count > level {
      let last = open.removeLast()
      try close(last.tag)
    }
  }

  private mutating func close(_ tag: OFXTag) throws(InterchangeError) {
    switch tag {
    case .row, .pendingRow, .buy, .sell, .income, .expense, .interest, .capital, .noCash:
      if isInRow, row.tag == tag {
        isInRow = false
        try finishRow()
      }
    case .statement, .cardStatement, .investmentStatement: try finishStatement()
    case .account, .cardAccount, .investmentAccount: finishAccount()
    case .accountInfo: finishAccountInfo()
    case .status: finishStatus()
    case .securityInfo: finishSecurity()
    default: break
    }
  }

  // MARK: - Values

  private mutating func take(_ event: OFXEvent) throws(InterchangeError) {
    let context = context
    if event.tag == .ignored || context == .unknown || context == .passedOver
      || context == .holdings
    {
      return
    }
    if isInRow, context != .status {
      if let slot = OFXSlot.of(event.tag, in: context), row.put(event.text, slot) { return }
      if !event.text.isEmpty { noteUntaken(event) }
      return
    }
    let text = event.text
    switch (context, event.tag) {
    case (.status, .code): status.code = text
    case (.status, .severity): status.severity = text
    case (.status, .message): status.message = text
    case (.account, _), (.cardAccount, _), (.investmentAccount, _): account?.take(event.tag, text)
    case (.accountInfo, .description): account?.name = text
    case (_, .curdef) where statement != nil: try takeCurrency(event)
    case (.ledgerBalance, .balance): statement?.closing = (text, event.start)
    case (.ledgerBalance, .asOf): statement?.closingDay = text
    case (.cash, .availableCash): statement?.closing = (text, event.start)
    case (.investmentStatement, .asOf): statement?.asOf = text
    case (.security, .uniqueID): security.id = text
    case (.securityInfo, .securityName): security.name = text
    case (.securityInfo, .ticker): security.ticker = text
    default: break
    }
  }

  private mutating func noteUntaken(_ event: OFXEvent) {
    if untaken.countAgain(event.key) { return }
    let name = tagText(event.start)
    untaken.add(event.key, name, event.start)
  }

  /// Records that a row isn't imported, once for each element name.
  mutating func noteUntaken(_ what: String) {
    let name = tagText(row.start)
    var key: UInt128 = 1
    for byte in name.utf8 { key = OFXTag.packed(byte, after: key) }
    if !untaken.countAgain(key) { untaken.add(key, "\(name), \(what)", row.start) }
  }

  /// Returns a tag as written in the file: `<NAME>`.
  private func tagText(_ start: Int) -> String {
    let name = bytes[start...].dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
    return "<\(String(decoding: name.prefix(32), as: UTF8.self))>"
  }

  /// Returns how the amounts of the file use the point and the comma.
  mutating func marks() -> AmountMarks {
    if let knownMarks { return knownMarks }
    var marks = AmountMarks()
    var scanner = OFXScanner(bytes, from: root)
    while let event = scanner.next() {
      switch event.tag {
      case .amount, .balance, .availableCash, .total, .commission, .fees, .load:
        marks.add(event.text.range, in: bytes)
      default: continue
      }
    }
    knownMarks = marks
    return marks
  }

  // MARK: - Finishing

  private mutating func finish() throws(InterchangeError) {
    contents.notices += untaken.notices(in: bytes)
    if contents.statements.isEmpty, let first = refusals.first {
      throw InterchangeError(
        .format, first.text,
        remedy: "Ask the bank for the file again.", line: first.line)
    }
    for refusal in refusals {
      contents.notices.append(FileNotice(line: refusal.line, refusal.text))
    }
    if contents.statements.isEmpty, contents.badLineCount == 0 {
      contents.notices.append(FileNotice(line: 1, "The file has no accounts."))
    }
    contents.notices.sort { $0.line < $1.line }
  }

  /// Returns an error that makes the rest of the file meaningless.
  func failure(_ message: String, _ offset: Int, remedy: String? = nil) -> InterchangeError {
    let here = TextPlace().advanced(to: offset, in: bytes)
    var error = InterchangeError(
      .format, message, remedy: remedy ?? "Ask the bank for the file again.", line: here.line)
    error.column = here.column
    return error
  }

  private func cutOff() -> InterchangeError {
    failure(
      "The file is incomplete: it ends in the middle of a statement.", bytes.count,
      remedy: "Ask the bank for the file again; transactions may be missing.")
  }
}

/// Collects the unknown names in a file, each with its count.
struct OFXUntaken {
  private var names: [UInt128: (name: String, start: Int, count: Int)] = [:]
  private static let nameCountMax = 100

  /// Counts a name that is already known.
  ///
  /// - Returns: `false` if the name is new and should be added. Once the maximum number of names is
  ///   reached, new names are ignored.
  mutating func countAgain(_ key: UInt128) -> Bool {
    guard names[key] != nil else { return names.count >= Self.nameCountMax }
    names[key]?.count += 1
    return true
  }

  mutating func add(_ key: UInt128, _ name: String, _ start: Int) {
    names[key] = (name, start, 1)
  }

  func notices(in bytes: [UInt8]) -> [FileNotice] {
    var place = TextPlace()
    return names.values.sorted { $0.start < $1.start }.map { entry in
      place = place.advanced(to: entry.start, in: bytes)
      let times = entry.count == 1 ? "" : " (\(entry.count) times in the file)"
      return FileNotice(line: place.line, "Skipped \(entry.name)\(times).")
    }
  }
}
