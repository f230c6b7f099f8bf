/// The delimiter and the quote character of a CSV file.
public struct CSVFormat: Hashable, Sendable {
  /// The byte between two fields.
  ///
  /// It can be any ASCII character except a quote or a line end.
  public var delimiter: UInt8
  /// The byte around a field that contains delimiters or line ends; `nil` if quotes have no special
  /// meaning.
  public var quote: UInt8?

  /// Whether `="0123"` is read as `0123`, because some banks write formulas to keep Excel from
  /// dropping zeros.
  public var readsFormulas = false

  /// Creates a format; the default is RFC 4180.
  public init(delimiter: UInt8 = 0x2C, quote: UInt8? = 0x22) {
    self.delimiter = delimiter
    self.quote = quote
  }
}

/// A reader that steps through the records of a CSV text.
///
/// It follows RFC 4180, but accepts CR, LF or CRLF as line ends and any one-byte delimiter. The
/// reader doesn't store the text, so pass the same span to every call. Empty lines are skipped.
/// After an error, call `skipLine(in:)` to continue on the line after the start of the bad record.
///
/// A field has at most `fieldByteCountMax` bytes. This also limits the search for the end of an
/// unclosed quote.
public struct CSVReader: Sendable {
  /// The maximum length of a field, in bytes.
  public static let fieldByteCountMax = 1 << 20
  /// The maximum number of fields in a record.
  public static let fieldCountMax = 4_096

  /// The delimiter and the quote character.
  public let format: CSVFormat
  /// The offset of the next byte to read.
  public internal(set) var offset = 0
  /// The physical line of `offset`, from 1.
  public internal(set) var line = 1
  var recordStart = 0
  var recordLine = 1

  /// Creates a reader at the start of a text.
  public init(format: CSVFormat = CSVFormat()) { self.format = format }

  /// Creates a reader at the start of the first line that begins after a position, or at the end of
  /// the text if there is none.
  ///
  /// The position and the start of the line may be inside a quoted field. Lines are counted from
  /// the position.
  init(format: CSVFormat, lineAfter place: Int, in bytes: borrowing Span<UInt8>) {
    self.init(format: format)
    offset = place
    endOfLine(in: bytes)
    line = 1
  }

  /// Skips physical lines, without parsing them.
  public mutating func skip(lines count: Int, in bytes: borrowing Span<UInt8>) {
    for _ in 0..<count where offset < bytes.count { endOfLine(in: bytes) }
  }

  /// Moves to the line after the first line of the last record.
  public mutating func skipLine(in bytes: borrowing Span<UInt8>) {
    offset = recordStart
    line = recordLine
    endOfLine(in: bytes)
  }

  private mutating func endOfLine(in bytes: borrowing Span<UInt8>) {
    while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
    stepOverNewline(in: bytes)
  }

  private mutating func stepOverNewline(in bytes: borrowing Span<UInt8>) {
    guard offset < bytes.count else { return }
    let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
    offset += isPair ? 2 : 1
    line += 1
  }

  /// Reads the next record into `record`.
  /// - Returns: `false` at the end of the text.
  /// - Throws: A `BadLine` with line and column for a stray or unterminated quote, invalid UTF-8, a
  ///   NUL byte, or a field or record that exceeds the limits.
  /// - Complexity: O(*n*) in the number of the record's bytes, without allocation.
  public mutating func next(
    _ record: inout CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Bool {
    let count = bytes.count
    while offset < count, bytes[offset] == 0x0A || bytes[offset] == 0x0D {
      stepOverNewline(in: bytes)
    }
    recordStart = offset
    recordLine = line
    record.line = line
    record.quote = format.quote ?? 0
    record.fields.removeAll(keepingCapacity: true)
    guard offset < count else { return false }
    var seen: UInt8 = 0
    while true {
      if let quote = format.quote, startsWithFormula(quote, in: bytes) { offset += 1 }
      if let quote = format.quote, offset < count, bytes[offset] == quote {
        try quotedField(quote, &record, &seen, in: bytes)
      } else {
        try plainField(&record, &seen, in: bytes)
      }
      guard record.fields.count <= Self.fieldCountMax else {
        throw fault(record, .tooLong, "The row has more than \(Self.fieldCountMax) columns.")
      }
      guard offset < count else { break }
      guard bytes[offset] == format.delimiter else {
        stepOverNewline(in: bytes)
        break
      }
      offset += 1
    }
    if seen >= 0x80 { try validate(record, in: bytes) }
    return true
  }
}

extension CSVReader {
  private mutating func plainField(
    _ record: inout CSVRecord, _ seen: inout UInt8, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    let count = bytes.count
    let delimiter = format.delimiter
    let quote = format.quote ?? delimiter
    let start = offset
    var index = start
    var all: UInt8 = 0
    scan: while index < count {
      let byte = unsafe bytes[unchecked: index]
      if byte == delimiter { break }
      if byte <= 0x0D {
        if byte == 0x0A || byte == 0x0D { break scan }
        if byte == 0 { throw nul(record) }
      }
      if byte == quote {
        throw fault(
          record, .strayQuote,
          "There is a quote inside an unquoted field, at byte "
            + "\(index - lineStart(of: index, in: bytes) + 1) of the line.")
      }
      all |= byte
      index += 1
    }
    guard index - start <= Self.fieldByteCountMax else { throw tooLong(record) }
    seen |= all
    offset = index
    record.fields.append(
      .init(start: start, end: index, isQuoted: false, hasDoubledQuotes: false))
  }

  private mutating func quotedField(
    _ quote: UInt8, _ record: inout CSVRecord, _ seen: inout UInt8,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    let count = bytes.count
    let start = offset + 1
    var index = start
    var all: UInt8 = 0
    var isDoubled = false
    while true {
      guard index < count else {
        throw fault(
          record, .unterminatedQuote,
          "The quoted field that starts at byte \(start - lineStart(of: start, in: bytes)) of line "
            + "\(line(of: start, in: bytes)) isn't closed."
        )
      }
      let byte = unsafe bytes[unchecked: index]
      if byte == quote {
        guard index + 1 < count, bytes[index + 1] == quote else { break }
        isDoubled = true
        index += 2
        guard index - start <= Self.fieldByteCountMax else { throw tooLong(record) }
        continue
      }
      if byte <= 0x0D {
        if byte == 0x0A || byte == 0x0D && !(index + 1 < count && bytes[index + 1] == 0x0A) {
          line += 1
        }
        if byte == 0 { throw nul(record) }
      }
      all |= byte
      index += 1
      guard index - start <= Self.fieldByteCountMax else { throw tooLong(record) }
    }
    seen |= all
    let isFormula = isDoubled && isFormula(start..<index, quote, in: bytes)
    record.fields.append(
      isFormula
        ? .init(start: start + 3, end: index - 2, isQuoted: true, hasDoubledQuotes: false)
        : .init(start: start, end: index, isQuoted: true, hasDoubledQuotes: isDoubled))
    offset = index + 1
    guard offset < count else { return }
    let byte = bytes[offset]
    guard byte == format.delimiter || byte == 0x0A || byte == 0x0D else {
      let place = offset - lineStart(of: offset, in: bytes) + 1
      record.fields.removeLast()
      throw fault(
        record, .strayQuote,
        "Text follows the closing quote of a field, at byte \(place) of line \(line).")
    }
  }

  /// Returns whether a field such as `="0123"` begins at the current offset.
  private func startsWithFormula(_ quote: UInt8, in bytes: borrowing Span<UInt8>) -> Bool {
    format.readsFormulas && offset + 1 < bytes.count && bytes[offset] == UInt8(ascii: "=")
      && bytes[offset + 1] == quote
  }

  /// Returns whether a quoted field contains a formula, such as `"=""0123"""`.
  private func isFormula(
    _ range: Range<Int>, _ quote: UInt8, in bytes: borrowing Span<UInt8>
  ) -> Bool {
    guard format.readsFormulas, range.count >= 5, bytes[range.lowerBound] == UInt8(ascii: "=")
    else { return false }
    // The only quotes must be the doubled quotes around the value.
    let value = range.lowerBound + 3..<range.upperBound - 2
    let isQuoted =
      bytes[range.lowerBound + 1] == quote && bytes[range.lowerBound + 2] == quote
      && bytes[range.upperBound - 1] == quote && bytes[range.upperBound - 2] == quote
    guard isQuoted else { return false }
    for index in value where bytes[index] == quote { return false }
    return true
  }

  private func validate(
    _ record: CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    guard let invalid = ValidText.invalidByte(in: bytes.extracting(recordStart..<offset)) else {
      return
    }
    let place = recordStart + invalid
    let column = record.fields.firstIndex { $0.start <= place && place < $0.end }
    throw BadLine(
      line: line(of: place, in: bytes), column: column.map { $0 + 1 }, code: .encoding,
      reason: "The byte \(bytes[place]) isn't valid UTF-8.",
      remedy: "Set the file's encoding, such as windows-1252 or iso-8859-1.")
  }

  private func line(of place: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var reader = self
    reader.offset = recordStart
    reader.line = recordLine
    while true {
      let line = reader.line
      reader.endOfLine(in: bytes)
      if reader.offset > place || reader.offset >= bytes.count { return line }
    }
  }

  private func lineStart(of place: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var start = place
    while start > recordStart, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
    return start
  }

  private func nul(_ record: CSVRecord) -> BadLine {
    BadLine(
      line: recordLine, column: record.count + 1, code: .encoding,
      reason: "The text contains a NUL byte.",
      remedy: "If the file is UTF-16, set that encoding; otherwise remove the byte.")
  }

  private func tooLong(_ record: CSVRecord) -> BadLine {
    fault(record, .tooLong, "A field is longer than \(Self.fieldByteCountMax) bytes.")
  }

  private func fault(_ record: CSVRecord, _ code: BadLine.Code, _ reason: String) -> BadLine {
    BadLine(
      line: recordLine, column: record.count + 1, code: code, reason: reason,
      remedy: code == .tooLong
        ? "Look for an unclosed quote, or check the delimiter."
        : "Quote the whole field and double the quotes inside it, or declare that the file has no "
          + "quoting."
    )
  }
}

extension BadLine: Error {}
