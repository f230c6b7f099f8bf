/// A line without surrounding blanks, as a range of the file.
struct QIFLine {
  /// The physical line, from 1.
  var number: Int
  var start: Int
  var end: Int
  /// The first byte; 0 if the line is blank.
  var code: UInt8

  var isEmpty: Bool { start >= end }
  /// The range after the code.
  var text: Range<Int> { min(start + 1, end)..<end }
}

/// Splits a text into lines, which end with CR, LF or CRLF.
struct QIFLines {
  let bytes: [UInt8]
  private(set) var index = 0
  private var number = 0

  /// The rest of a line whose beginning was returned as a separate line.
  private var rest: QIFLine?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next line, or `nil` at the end.
  mutating func next() -> QIFLine? {
    if let line = rest {
      rest = nil
      return line
    }
    guard let line = nextPhysical() else { return nil }
    return split(line)
  }

  /// Splits off the field that some programs write after a header or the end of a record, such as
  /// `!Type:Bank D6/11/2006` or `^ D6/11/2006`.
  private mutating func split(_ line: QIFLine) -> QIFLine {
    guard let end = firstPart(of: line) else { return line }
    var start = end
    while start < line.end, bytes[start] <= 0x20 { start += 1 }
    guard start < line.end else { return line }
    rest = QIFLine(number: line.number, start: start, end: line.end, code: bytes[start])
    return QIFLine(number: line.number, start: line.start, end: end, code: line.code)
  }

  private func firstPart(of line: QIFLine) -> Int? {
    switch line.code {
    case UInt8(ascii: "^"): return line.text.isEmpty ? nil : line.start + 1
    case UInt8(ascii: "!"):
      guard case .unknown? = QIFHeader(line, in: bytes) else { return nil }
      for end in line.text where bytes[end] <= 0x20 {
        let head = QIFLine(number: line.number, start: line.start, end: end, code: line.code)
        if case .rows? = QIFHeader(head, in: bytes) { return end }
      }
      return nil
    default: return nil
    }
  }

  private mutating func nextPhysical() -> QIFLine? {
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

/// A header line, which begins with `!` and determines the meaning of the following lines.
enum QIFHeader: Equatable {
  /// `!Account`: a list of accounts. The following rows belong to the last account.
  case account
  /// `!Type:Bank` and similar: rows of a kind of account.
  case rows(QIFAccountType)
  /// `!Type:Cat` and similar: a list without rows; contains its name.
  case list(String)
  /// Another type, such as `!Type:Banque` in a program's own language; contains its name.
  case unknown(String)
  /// `!Option:` or `!Clear:`.
  case option

  /// Whether transactions can follow the header.
  var mayHaveRows: Bool {
    switch self {
    case .rows, .unknown: true
    case .account, .list, .option: false
    }
  }

  private static let lists = [
    "cat", "class", "memorized", "security", "prices", "tag", "budget", "invitem", "template",
    "customer", "vendor", "employee", "payee",
  ]

  /// Parses a header line.
  ///
  /// Returns `nil` for other lines.
  init?(_ line: QIFLine, in bytes: [UInt8]) {
    guard line.code == UInt8(ascii: "!"), line.end - line.start <= 100 else { return nil }
    let text = String(decoding: bytes[line.text], as: UTF8.self)
    let word = text.lowercased().filter { !$0.isWhitespace }
    if word == "account" {
      self = .account
    } else if word.hasPrefix("option:") || word.hasPrefix("clear:") {
      self = .option
    } else if word.hasPrefix("type:") {
      let name = word.dropFirst(5)
      self =
        QIFAccountType(name).map { .rows($0) }
        ?? (Self.lists.contains { name.hasPrefix($0) } ? .list("!\(text)") : .unknown("!\(text)"))
    } else {
      return nil
    }
  }
}

extension QIFAccountType {
  /// Guesses the kind of account of an unknown type.
  static func of(_ name: String) -> QIFAccountType {
    let words = ["card", "karte", "carte", "carta", "tarjeta", "kredit", "credit"]
    return words.contains { name.lowercased().contains($0) } ? .debt : .money
  }
}

/// A kind of account.
enum QIFAccountType: Equatable {
  case money
  case debt
  case investment

  /// Parses a name in lowercase and without blanks.
  ///
  /// Returns `nil` if the name isn't a kind of account.
  init?(_ word: some StringProtocol) {
    switch word {
    case "bank", "cash", "otha", "invoice": self = .money
    case "ccard", "othl", "bill": self = .debt
    case "invst", "port", "mutual", "401(k)/403(b)", "401k", "401(k)", "403(b)": self = .investment
    default: return nil
    }
  }
}
