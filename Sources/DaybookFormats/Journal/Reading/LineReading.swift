/// A reader that parses UTF-8 text line by line.
protocol LineReading {
  var text: [UInt8] { get }
  /// The line number, from 1.
  var line: Int { get }
  var lineStart: Int { get }
  /// The offset after the last byte of the line.
  var end: Int { get }
}

extension LineReading {
  func skipBlanks(_ at: inout Int) {
    while at < end, text[at] == 0x20 || text[at] == 0x09 { at += 1 }
  }

  /// Returns the rest of the line, without surrounding blanks.
  func rest(_ at: Int) -> String { string(at, end) }

  func string(_ from: Int, _ to: Int) -> String {
    String(decoding: text[trim(from, to)], as: UTF8.self)
  }

  /// Returns a range without surrounding blanks.
  func trim(_ from: Int, _ to: Int) -> Range<Int> {
    var (from, to) = (from, to)
    while from < to, text[from] <= 0x20 { from += 1 }
    while to > from, text[to - 1] <= 0x20 { to -= 1 }
    return from..<max(from, to)
  }

  func firstIndex(_ byte: UInt8, _ from: Int) -> Int? {
    from < end ? text[from..<end].firstIndex(of: byte) : nil
  }

  func fault(_ at: Int, _ reason: String, _ remedy: String) -> JournalFault {
    fault(at, .refused, reason, remedy)
  }

  func fault(
    _ at: Int, _ code: BadLine.Code, _ reason: String, _ remedy: String
  ) -> JournalFault {
    // Columns count characters, not bytes.
    var column = 1
    for index in lineStart..<max(lineStart, min(at, end)) where text[index] & 0xC0 != 0x80 {
      column += 1
    }
    return JournalFault(line, column, code, reason, remedy)
  }
}
