import DaybookBookkeeping
import DaybookEntities

/// Converts GnuCash XML to books in a single pass.
struct GnuCashReader {
  static let elements = XMLNames<GnuCashElement>()

  var xml: XMLReader
  let options: ReadingOptions
  var contents = FileContents()
  var books = Books()
  var commodities = GnuCashCommodities()
  var accounts = GnuCashAccounts()
  var prices: [GnuCashPrice] = []
  /// The templates of scheduled transactions, by the id of the account that represents the
  /// schedule.
  var templates: [UInt128: [GnuCashEntry]] = [:]
  var scheduleNames: Set<String> = []
  /// The elements that aren't imported, with their first line and count.
  private var others: [String: (line: Int, count: Int)] = [:]
  private var transactionCount = 0

  init(_ xml: XMLReader, _ options: ReadingOptions) {
    self.xml = xml
    self.options = options
  }

  /// The most recently entered element.
  var element: GnuCashElement? { GnuCashReader.elements.element(xml) }

  /// Returns the line of the most recently entered element.
  mutating func line() -> Int { xml.line(at: xml.tagStart) }

  mutating func read() throws(InterchangeError) -> FileContents {
    guard try xml.nextChild(), element == .root else {
      throw xml.fault(
        "The file isn't GnuCash XML: it starts with another element.",
        "Use a file saved or exported by GnuCash.", at: 0)
    }
    while try xml.nextChild() {
      if element == .book { try readBook() } else { try readPart() }
    }
    finish()
    return contents
  }

  private mutating func readBook() throws(InterchangeError) {
    while try xml.nextChild() { try readPart() }
  }

  private mutating func readPart() throws(InterchangeError) {
    switch element {
    case .commodity: try readCommodity()
    case .prices: try readPrices()
    case .account: try readAccount()
    case .transaction:
      try readTransaction()
      transactionCount += 1
      if transactionCount % 4_096 == 0 {
        options.progress?(Double(xml.offset) / Double(max(xml.bytes.count, 1)))
      }
    case .templates: try readTemplates()
    case .schedule: try readSchedule()
    case .budget: try readBudget()
    case .id: books.id = try readID().map(GnuCashReader.text) ?? ""
    case .slots, .count: try xml.skip()
    default:
      let name = xml.string(xml.name)
      let known = others[name]
      others[name] = (known?.line ?? line(), (known?.count ?? 0) + 1)
      try xml.skip()
    }
  }

  /// Maps accounts and commodities.
  ///
  /// Called before the first transaction, when all of them are known.
  mutating func settle() {
    guard !accounts.isSettled else { return }
    for account in accounts.all {
      guard let commodity = account.commodity else { continue }
      commodities.note(commodity, fraction: account.fraction, isHeld: true)
    }
    commodities.settle(options, &contents)
    accounts.settle(commodities)
  }

  private mutating func finish() {
    settle()
    takePrices()
    books.program = "gnucash"
    let found = accounts.books()
    books.accounts = found.accounts
    books.categories = found.categories
    books.currencies = commodities.definitions
    if let first = found.groups.first {
      let names = found.groups.prefix(5).map { "“\($0.name)”" }.joined(separator: ", ")
      let rest = found.groups.count > 5 ? " and \(found.groups.count - 5) more" : ""
      notice(first.line, "Skipped accounts that only group others: \(names)\(rest).")
    }
    for (name, other) in others.sorted(by: { $0.value.line < $1.value.line }) {
      notice(
        other.line,
        "Skipped GnuCash's “\(name)” (\(other.count) \(other.count == 1 ? "time" : "times")).")
    }
    contents.notices.sort { $0.line < $1.line }
    contents.badLines.sort { $0.line < $1.line }
    contents.books = books
  }

  mutating func notice(_ line: Int, _ message: String) {
    contents.notices.append(FileNotice(line: line, message))
  }

  mutating func note(
    _ line: Int, _ code: BadLine.Code, _ reason: String, _ remedy: String
  ) {
    contents.note(BadLine(line: line, code: code, reason: reason, remedy: remedy))
  }
}

// Values that occur in several parts.
extension GnuCashReader {
  /// Reads an element whose text is an id of 32 hexadecimal digits.
  ///
  /// Returns `nil` if it isn't valid.
  mutating func readID() throws(InterchangeError) -> UInt128? {
    try xml.text()
    return GnuCashReader.id(xml.collected.bytes)
  }

  static func id(_ bytes: [UInt8]) -> UInt128? {
    guard bytes.count == 32 else { return nil }
    var value: UInt128 = 0
    for byte in bytes {
      guard let digit = hexValue(byte) else { return nil }
      value = value << 4 | UInt128(digit)
    }
    return value
  }

  /// Returns the text of an id, as GnuCash writes it.
  static func text(_ id: UInt128) -> String { hexText(id, digits: 32) }

  /// Reads the text of an element.
  mutating func readText() throws(InterchangeError) -> String {
    try xml.text()
    return xml.collected.string
  }

  /// Reads an element that contains a number.
  ///
  /// Returns `nil` if it isn't valid.
  mutating func readNumber() throws(InterchangeError) -> GnuCashNumber? {
    try xml.text()
    return GnuCashNumber(xml.collected.bytes)
  }

  /// Reads an element that contains a date, with or without a time.
  ///
  /// Returns `nil` if it isn't valid. The time and time zone are ignored, because the date is the
  /// one that the user entered.
  mutating func readDay() throws(InterchangeError) -> Day? {
    try xml.firstText()
    let bytes = xml.collected.bytes
    guard bytes.count >= 10, bytes.count == 10 || bytes[10] == 0x20 else { return nil }
    return Day(String(decoding: bytes[..<10], as: UTF8.self))
  }

  /// Reads an element that names a commodity.
  mutating func readCommodityName() throws(InterchangeError) -> Int? {
    let start = xml.tagStart
    var space: [UInt8] = []
    var id: [UInt8] = []
    while try xml.nextChild() {
      switch element {
      case .space:
        try xml.text()
        space = xml.collected.bytes
      case .id:
        try xml.text()
        id = xml.collected.bytes
      default: try xml.skip()
      }
    }
    guard !id.isEmpty else { return nil }
    return commodities.number(space, id, line: xml.line(at: start))
  }

  /// Calls `body` for each slot of the most recently entered element.
  ///
  /// `body` must consume the value element.
  mutating func forEachSlot(
    _ body: (inout GnuCashReader, _ key: String) throws(InterchangeError) -> Void
  ) throws(InterchangeError) {
    while try xml.nextChild() {
      guard element == .slot else {
        try xml.skip()
        continue
      }
      var key = ""
      while try xml.nextChild() {
        switch element {
        case .key: key = try readText()
        case .value: try body(&self, key)
        default: try xml.skip()
        }
      }
    }
  }
}
