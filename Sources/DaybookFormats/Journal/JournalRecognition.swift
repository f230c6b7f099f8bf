/// Recognises journals by their lines.
enum JournalRecognition {
  static func judge(_ head: FileHead, _ dialect: JournalDialect) -> Recognition {
    var entries = 0
    var directives = 0
    var isBehindDay = false
    var own = 0
    var others = 0
    for line in head.text.utf8.split(separator: 0x0A).prefix(2_000) {
      guard let first = line.first else { continue }
      if first == 0x20 || first == 0x09 {
        // A posting is an indented line after a line with a date.
        if isBehindDay { entries += 1 }
        isBehindDay = false
        count(line, dialect, &own, &others)
      } else {
        isBehindDay = isDay(line)
        if isDirective(line) { directives += 1 }
        countDirective(line, dialect, &own, &others)
      }
    }
    guard entries > 0 || directives > 1 else { return directives > 0 ? .possible : .no }
    if others > own { return .possible }
    return .certain
  }

  /// Returns whether a line begins with a date and isn't a Beancount directive or a CSV row.
  private static func isDay(_ line: Substring.UTF8View) -> Bool {
    var digits = 0
    var marks = 0
    var index = line.startIndex
    while index < line.endIndex, index < line.index(line.startIndex, offsetBy: min(line.count, 10))
    {
      let byte = line[index]
      if byte &- 0x30 <= 9 {
        digits += 1
      } else if byte == 0x2D || byte == 0x2F || byte == 0x2E {
        marks += 1
      } else {
        break
      }
      index = line.index(after: index)
    }
    guard digits >= 2, marks == 1 || marks == 2 else { return false }
    let rest = line[index...]
    guard let next = rest.first else { return true }
    if next == 0x3D { return true }
    guard next == 0x20 || next == 0x09 else { return false }
    // In Beancount, a date is followed by a keyword, or by a flag and a quote.
    let words = [
      "txn", "open", "close", "balance", "pad", "note", "price", "commodity", "event",
      "document", "custom", "query",
    ]
    let word = String(Substring(rest.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }))
    if words.contains(word) { return false }
    let behind = rest.drop { $0 <= 0x20 }.dropFirst().drop { $0 <= 0x20 }
    return !("*!".contains(word) && word.count == 1 && behind.first == UInt8(ascii: "\""))
  }

  private static let directives: Set<String> = [
    "account", "commodity", "alias", "apply", "include", "comment", "payee", "tag", "bucket",
    "year", "decimal-mark", "P", "D", "Y",
  ]

  private static func isDirective(_ line: Substring.UTF8View) -> Bool {
    directives.contains(String(Substring(line.prefix { $0 > 0x20 })))
  }

  /// Counts the features in an indented line that only one of the programs supports.
  private static func count(
    _ line: Substring.UTF8View, _ dialect: JournalDialect, _ own: inout Int, _ others: inout Int
  ) {
    var isHledger = false
    var last: UInt8 = 0
    for byte in line {
      if byte == UInt8(ascii: ";") { break }
      if last == UInt8(ascii: "="), byte == UInt8(ascii: "=") || byte == UInt8(ascii: "*") {
        isHledger = true
      }
      last = byte
    }
    if isHledger { if dialect == .hledger { own += 1 } else { others += 1 } }
  }

  private static func countDirective(
    _ line: Substring.UTF8View, _ dialect: JournalDialect, _ own: inout Int, _ others: inout Int
  ) {
    let word = String(Substring(line.prefix { $0 > 0x20 }))
    let isLedger = [
      "bucket", "A", "define", "def", "assert", "check", "fixed", "endfixed", "capture", "eval",
      "expr", "python", "N", "C",
    ].contains(word)
    let text = Substring(line)
    let isHledger =
      word == "decimal-mark" || (word == "account" && text.contains("type:"))
      || text.hasPrefix("; Exported by Daybook")
    if isLedger { if dialect == .ledger { own += 1 } else { others += 1 } }
    if isHledger { if dialect == .hledger { own += 1 } else { others += 1 } }
  }
}
