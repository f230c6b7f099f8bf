import DaybookBookkeeping

/// Parses the records of a QIF file, account by account.
struct QIFReader {
  let bytes: [UInt8]
  let options: ReadingOptions
  let dates: QIFDateOrder
  private let marks: AmountMarks
  private let styles: [UInt8: NumberStyle?] = [
    AmountMarks.point: NumberStyle(decimal: "."), AmountMarks.comma: NumberStyle(decimal: ","),
  ]
  var contents = FileContents()
  var cleaner = TextCleaner()
  var notices = QIFNotices()

  private var header: QIFHeader?
  /// The lines of the current record.
  var record: [QIFLine] = []
  /// Indices of statements by account name.
  ///
  /// The empty name is used for rows before the first account.
  private var statementsByName: [String: Int] = [:]
  /// The index of the statement for the following rows.
  private var current: Int?
  /// A cache of parsed categories, because their texts recur.
  var categories: [String: QIFCategory] = [:]

  init(_ bytes: [UInt8], _ options: ReadingOptions, dates: QIFDateOrder, marks: AmountMarks) {
    self.bytes = bytes
    self.options = options
    self.dates = dates
    self.marks = marks
  }

  mutating func read() throws(InterchangeError) -> FileContents {
    var lines = QIFLines(bytes)
    while let line = lines.next() {
      if line.number % 65_536 == 0 {
        options.progress?(Double(line.start) / Double(max(bytes.count, 1)))
      }
      switch line.code {
      case 0: continue
      case UInt8(ascii: "!"): try take(header: line)
      case UInt8(ascii: "^"): try finishRecord()
      // Comments are allowed only between records.
      case UInt8(ascii: "#") where record.isEmpty: continue
      default:
        guard header != nil else { throw noHeader(line) }
        record.append(line)
      }
    }
    try finishRecord()
    guard header != nil else { throw noHeader(nil) }
    QIFTransfers.settle(&contents)
    contents.notices += notices.all
    contents.notices.sort { $0.line < $1.line }
    return contents
  }

  private func noHeader(_ line: QIFLine?) -> InterchangeError {
    InterchangeError(
      .format,
      line == nil
        ? "The file has no header, such as !Type:Bank, and no transactions."
        : "A header, such as !Type:Bank, is missing before this line.",
      remedy: "Check that it is a QIF file.", line: line?.number ?? 1)
  }

  private mutating func take(header line: QIFLine) throws(InterchangeError) {
    guard let next = QIFHeader(line, in: bytes) else {
      let text = String(decoding: bytes[line.start..<line.end].prefix(60), as: UTF8.self)
      throw InterchangeError(
        .format, "“\(text)” isn't a QIF header.",
        remedy: "Use !Type:, !Account, !Option: or !Clear:.", line: line.number)
    }
    // An account before a header may lack its `^`.
    try finishRecord()
    if next != .option { header = next }
  }

  private mutating func finishRecord() throws(InterchangeError) {
    defer { record.removeAll(keepingCapacity: true) }
    guard let first = record.first else { return }
    switch header {
    case .account: takeAccount()
    case .rows(let type): try finishRow(type, first.number)
    case .list(let name): notices.add("Skipped the list “\(name)”", first.number)
    case .unknown(let name):
      guard isRow else {
        notices.add("Skipped the list “\(name)”", first.number)
        return
      }
      notices.add("Read the unknown type “\(name)” as a bank account", first.number)
      try finishRow(.of(name), first.number)
    case .option, nil: break
    }
  }

  private mutating func finishRow(
    _ type: QIFAccountType, _ line: Int
  ) throws(InterchangeError) {
    let index = statement(type, line)
    nameAccount(index)
    let currency = try currency(of: index, line)
    if type == .investment {
      takeInvestment(currency, index)
    } else {
      takeRow(currency, index)
    }
  }

  /// Whether a record of an unknown type is a transaction: it has a date and an amount.
  private var isRow: Bool {
    record.contains { $0.code == UInt8(ascii: "D") && QIFDate($0.text, in: bytes) != nil }
      && record.contains { [UInt8(ascii: "T"), UInt8(ascii: "U")].contains($0.code) }
  }

  private mutating func currency(
    of index: Int, _ line: Int
  ) throws(InterchangeError) -> Currency {
    guard let currency = options.currency(of: contents.statements[index].account) else {
      throw InterchangeError(
        .format, "Couldn't determine the currency: QIF files don't have one.",
        remedy: "Set it, for example with --currency EUR.", line: line)
    }
    contents.statements[index].account.currency = currency
    return currency
  }

  /// Returns the style of an amount: that of most amounts, or that which fits an amount with a mark
  /// before three final digits; `nil` if its meaning is unclear.
  mutating func style(of range: Range<Int>, _ currency: Currency) -> NumberStyle? {
    if let chosen = options.decimalMark?.asciiValue { return styles[chosen] ?? nil }
    guard case .unclear(let mark) = AmountMarks.meaning(of: range, in: bytes) else {
      let isComma = marks.commaCount > marks.pointCount
      return styles[isComma ? AmountMarks.comma : AmountMarks.point] ?? nil
    }
    guard let isDecimal = marks.isDecimal(mark, digits: currency.digits, allowsGroups: true)
    else { return nil }
    return styles[isDecimal ? mark : AmountMarks.other(than: mark)] ?? nil
  }

  // MARK: - Accounts

  private mutating func statement(_ type: QIFAccountType, _ line: Int) -> Int {
    if let current { return current }
    let index = contents.statements.count
    let kind = type == .debt ? AccountKind.liability : .asset
    contents.statements.append(
      Statement(line: line, account: StatementAccount(kind: kind)))
    current = index
    return index
  }

  private mutating func takeAccount() {
    var name = ""
    var type: QIFAccountType?
    var balance: (range: Range<Int>, line: Int)?
    var day: Day?
    for line in record {
      switch line.code {
      case UInt8(ascii: "N"): name = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "T"):
        let word = cleaner.text(line.text, in: bytes).lowercased().filter { !$0.isWhitespace }
        type = QIFAccountType(word)
      case UInt8(ascii: "$"): balance = (line.text, line.number)
      case UInt8(ascii: "/"): day = dates.day(line.text, in: bytes)
      default: break
      }
    }
    guard !name.isEmpty, let first = record.first else { return }
    let index = statementsByName[name] ?? contents.statements.count
    if index == contents.statements.count {
      var account = StatementAccount(name: name)
      account.currency = options.currency(of: account)
      contents.statements.append(Statement(line: first.number, account: account))
      statementsByName[name] = index
    }
    if type == .debt { contents.statements[index].account.kind = .liability }
    current = index
    guard let balance, let currency = contents.statements[index].account.currency else { return }
    if let units = try? amount(balance.range, currency), let day {
      contents.statements[index].closing = StatedBalance(
        line: balance.line, day: day, amount: Money(units, currency))
    } else if record.contains(where: { $0.code == UInt8(ascii: "/") }) {
      notices.add(
        "Skipped the balance of “\(name)”, whose day or amount isn't valid", balance.line)
    }
  }

  /// Names the account of a statement that has no name yet.
  /// - Returns: Whether the account could be named.
  mutating func name(_ index: Int, _ name: String) -> Bool {
    guard contents.statements[index].account.name.isEmpty, statementsByName[name] == nil else {
      return false
    }
    contents.statements[index].account.name = name
    statementsByName[name] = index
    return true
  }
}

/// Collects notices.
///
/// Repeated notices are merged into one with the first line and the count.
struct QIFNotices {
  private var places: [String: Int] = [:]
  private var entries: [(line: Int, text: String, count: Int)] = []
  private static let entryCountMax = 200

  mutating func add(_ text: String, _ line: Int) {
    if let place = places[text] {
      entries[place].count += 1
    } else if entries.count < Self.entryCountMax {
      places[text] = entries.count
      entries.append((line, text, 1))
    }
  }

  var all: [FileNotice] {
    entries.map { entry in
      let times = entry.count == 1 ? "" : " (\(entry.count) times in the file)"
      return FileNotice(line: entry.line, "\(entry.text)\(times).")
    }
  }
}
