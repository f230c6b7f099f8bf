/// A line: where it is, without blanks at its end.
struct QIFLine {
  /// The physical line, from 1.
  var number: Int
  var start: Int
  var end: Int
  /// The first byte; 0 where the line is blank.
  var code: UInt8

  var isEmpty: Bool { start >= end }
  /// What stands behind the code.
  var text: Range<Int> { min(start + 1, end)..<end }
}

/// Parts a text into lines, which end with CR, LF or both.
struct QIFLines {
  let bytes: [UInt8]
  private(set) var index = 0
  private var number = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next line, or `nil` at the end.
  mutating func next() -> QIFLine? {
    guard index < bytes.count else { return nil }
    var start = index
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    var end = index
    if index < bytes.count {
      let isPair = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      index += isPair ? 2 : 1
    }
    number += 1
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    while start < end, bytes[start] <= 0x20 { start += 1 }
    return QIFLine(number: number, start: start, end: end, code: start < end ? bytes[start] : 0)
  }
}

/// What a line with `!` says about the lines after it.
enum QIFHeader: Equatable {
  /// `!Account`: accounts, of which the last one has the rows that follow.
  case account
  /// `!Type:Bank` and its like: rows of a kind of account.
  case rows(QIFAccountType)
  /// `!Type:Cat` and its like: lists without rows, by their name.
  case list(String)
  /// `!Option:` and `!Clear:`.
  case option

  /// The header that a line is; `nil` for other lines.
  init?(_ line: QIFLine, in bytes: [UInt8]) {
    guard line.code == UInt8(ascii: "!"), line.end - line.start <= 100 else { return nil }
    let text = String(decoding: bytes[line.text], as: UTF8.self)
    let word = text.lowercased().filter { !$0.isWhitespace }
    if word == "account" {
      self = .account
    } else if word.hasPrefix("option:") || word.hasPrefix("clear:") {
      self = .option
    } else if word.hasPrefix("type:") {
      self = QIFAccountType(word.dropFirst(5)).map { .rows($0) } ?? .list("!\(text)")
    } else {
      return nil
    }
  }
}

/// The kinds of accounts.
enum QIFAccountType: Equatable {
  case money
  case debt
  case investment

  /// The kind of a name in lower case without blanks; `nil` for what is no account.
  init?(_ word: some StringProtocol) {
    switch word {
    case "bank", "cash", "otha", "invoice": self = .money
    case "ccard", "othl", "bill": self = .debt
    case "invst", "port", "mutual", "401(k)/403(b)", "401k", "401(k)", "403(b)": self = .investment
    default: return nil
    }
  }
}
