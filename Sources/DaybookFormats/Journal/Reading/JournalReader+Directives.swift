import DaybookBookkeeping

extension JournalReader {
  /// Parses a line that begins with a word.
  ///
  /// If the line begins a block to ignore, returns the lines that can end the block.
  mutating func takeDirective() throws(JournalFault) -> [String]? {
    var at = lineStart
    // In old ledger journals, directives begin with a mark.
    if text[at] == UInt8(ascii: "!") || text[at] == UInt8(ascii: "@") { at += 1 }
    let start = at
    while at < end, text[at] > 0x20 { at += 1 }
    let word = String(decoding: text[start..<at], as: UTF8.self)
    skipBlanks(&at)
    context = .passedOver
    switch word {
    case "account": try takeAccount(at)
    case "commodity": try takeCommodity(at)
    case "alias": try takeAlias(at)
    case "apply": try apply(at)
    case "end": try takeEnd(rest(at))
    case "comment", "test": return ["end \(word)", "end"]
    case "include": try include(at)
    case "P": try takeMarketPrice(at)
    case "D": try takeDefault(at)
    case "decimal-mark": try takeDecimalMark(at)
    case "Y", "year": year = try yearNumber(at)
    case "A", "bucket": bucket = try account(trim(at, end))
    case "payee", "tag":
      noticeOnce(word, "Declarations of payees and tags (\(word)) are not imported.")
    case "N": break
    default: try takeOther(word, start, at)
    }
    return nil
  }

  private mutating func takeOther(_ word: String, _ start: Int, _ at: Int) throws(JournalFault) {
    guard start < end, !word.isEmpty else {
      throw fault(
        start, "There is no directive after this mark.", "Add a directive, or remove the mark.")
    }
    // The year may directly follow the `Y`.
    if text[start] == UInt8(ascii: "Y"), start + 1 < end, text[start + 1] &- 0x30 <= 9 {
      year = try yearNumber(start + 1)
      return
    }
    switch word {
    case "i", "I", "o", "O", "b", "B", "h":
      matter.notice(line, "Skipped time clock entries, which have no amounts.", file: file)
    case "assert", "check":
      matter.notice(
        line, "Didn't check “\(rest(start))”, because expressions aren't supported.", file: file)
    case "C": try takeConversion(at)
    case "capture":
      throw fault(
        start, "“capture”, which changes accounts by a pattern, isn't supported.",
        "Write the account names themselves.")
    case "define", "def", "eval", "expr", "python", "import", "value":
      throw fault(
        start, "“\(word)” is program code, which isn't run.",
        "Remove it, and write the resulting amounts.")
    case "fixed":
      applied.append(.other)
      noticeOnce("fixed", "Skipped fixed rates.")
    case "endfixed": takeEnd()
    case "default-year": year = try yearNumber(at)
    default:
      if text[start] == UInt8(ascii: "-") {
        matter.notice(line, "Ignored the option “\(rest(start))”.", file: file)
        return
      }
      throw fault(
        start, "“\(word.prefix(40))” doesn't start a transaction or a directive.",
        "Start transactions with their date, and comments with “;”.")
    }
  }

  private func yearNumber(_ at: Int) throws(JournalFault) -> Int {
    let text = rest(at)
    guard let year = Int(text), (1...9999).contains(year) else {
      throw fault(at, .date, "“\(text)” isn't a year.", "Write four digits, such as 2026.")
    }
    return year
  }

  private mutating func apply(_ start: Int) throws(JournalFault) {
    let words = rest(start).split(separator: " ", maxSplits: 1).map { trimmed($0) }
    let name = words.count > 1 ? words[1] : ""
    guard applied.count < 64 else {
      throw fault(start, "Too many “apply” directives are open.", "Close them with “end apply”.")
    }
    switch words.first ?? "" {
    case "account":
      guard !name.isEmpty, name.utf8.count <= 500 else {
        throw fault(start, .name, "“apply account” needs an account.", "Add the account.")
      }
      prefixes.append(Array("\(name):".utf8))
      applied.append(.account(prefixes.count))
      forgetWritten()
    case "tag": applied.append(.tag(label(name)))
    case "year":
      guard let number = Int(name), (1...9999).contains(number) else {
        throw fault(start, .date, "“\(name)” isn't a year.", "Write four digits, such as 2026.")
      }
      applied.append(.year(year))
      year = number
    case "fixed", "rate":
      applied.append(.other)
      noticeOnce("fixed", "Skipped fixed rates.")
    default:
      throw fault(
        start, "Unknown “apply” directive: “\(words.first ?? "")”.",
        "Use “apply account”, “apply tag” or “apply year”.")
    }
  }

  private func label(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return JournalComments.labels(bytes, 0..<bytes.count, .hledger).labels.first ?? text
  }

  private mutating func takeEnd(_ what: String = "") throws(JournalFault) {
    if what == "aliases" {
      aliases = []
      forgetWritten()
    } else if !takeEnd() {
      throw fault(
        lineStart, "“end \(what)” has no matching “apply”.",
        "Remove it, or add the “apply” before it.")
    }
  }

  /// Closes the last `apply` directive.
  ///
  /// Returns `false` if no `apply` directive is open.
  @discardableResult
  private mutating func takeEnd() -> Bool {
    guard let last = applied.popLast() else { return false }
    switch last {
    case .account:
      prefixes.removeLast()
      forgetWritten()
    case .year(let before): year = before
    case .tag, .other: break
    }
    return true
  }

  private mutating func takeAlias(_ start: Int) throws(JournalFault) {
    guard text[start..<end].first != UInt8(ascii: "/") else {
      throw fault(
        start, "Aliases with patterns (/…/) aren't supported.",
        "Write an alias for each account: alias OLD = NEW.")
    }
    guard let equals = firstIndex(UInt8(ascii: "="), start) else {
      throw fault(start, "An alias needs “=”.", "Write alias OLD = NEW.")
    }
    try addAlias(trim(start, equals), trim(equals + 1, end))
  }

  mutating func addAlias(_ old: Range<Int>, _ new: Range<Int>) throws(JournalFault) {
    guard !old.isEmpty, !new.isEmpty, new.count <= 500 else {
      throw fault(lineStart, .name, "An alias needs both names.", "Write alias OLD = NEW.")
    }
    guard aliases.count < 1_000 else {
      throw fault(
        lineStart, "There are more than 1,000 aliases.", "Write the account names themselves.")
    }
    aliases.append((Array(text[old]), Array(text[new])))
    forgetWritten()
  }

  private mutating func takeDecimalMark(_ start: Int) throws(JournalFault) {
    switch rest(start) {
    case ".": decimalMark = 0x2E
    case ",": decimalMark = 0x2C
    default:
      throw fault(start, "“\(rest(start))” isn't a decimal mark.", "Use a point or a comma.")
    }
  }

  /// Parses the commodity of a price, which can contain digits even without quotes.
  private mutating func priced(_ at: inout Int) throws(JournalFault) -> Int? {
    let start = at
    if at < end, Self.isSymbol(text[at]) {
      while at < end, text[at] > 0x20 { at += 1 }
      if at - start <= 200, text[start..<at].allSatisfy({ Self.isSymbol($0) || $0 &- 0x30 <= 9 }) {
        return matter.commodities.number(start..<at, in: text, line: line)
      }
      at = start
    }
    return try commodity(&at)
  }

  private mutating func takeMarketPrice(_ start: Int) throws(JournalFault) {
    var at = start
    let day = try day(&at)
    skipBlanks(&at)
    // The date may be followed by a time.
    if at < end, text[at] &- 0x30 <= 9 {
      while at < end, text[at] > 0x20 { at += 1 }
      skipBlanks(&at)
    }
    guard let commodity = try priced(&at) else {
      throw fault(
        at, .currency, "A price needs a commodity.", "Write P 2026-01-31 USD 0.92 EUR.")
    }
    skipBlanks(&at)
    let price = try amount(&at, isUse: false)
    skipBlanks(&at)
    guard at >= end || text[at] == UInt8(ascii: ";") || text[at] == UInt8(ascii: "#") else {
      throw fault(at, "Unexpected “\(rest(at))” after a price.", "Remove it.")
    }
    matter.prices.append(
      JournalPrice(line: line, file: file, day: day, commodity: commodity, price: price))
  }
}
