/// QIF: what Quicken wrote until 2004, and what banks and programs still write.
///
/// A line is a letter and a text; `^` ends a record. The file says neither its currency nor in which order
/// day and month stand, nor which mark is before the decimals: a first walk through the lines finds the
/// latter two, a second one reads.
public enum QIF: FileFormat {
  /// `qif`.
  public static let name = "qif"
  /// `QIF`.
  public static let title = "QIF"
  /// `.qif`.
  public static let endings = [".qif"]

  /// Files whose first line, but for comments, is a header: `!Type:`, `!Account`, `!Option:`, `!Clear:`.
  public static func recognise(_ head: FileHead) -> Recognition {
    var lines = QIFLines(Array(head.text.utf8))
    while let line = lines.next() {
      if line.isEmpty || line.code == UInt8(ascii: "#") || line.code == UInt8(ascii: "^") {
        continue
      }
      return QIFHeader(line, in: lines.bytes) == nil ? .no : .certain
    }
    return .no
  }

  /// Reads a whole file: rows of accounts of every kind, and lists of accounts.
  ///
  /// `ReadingOptions.currency` is needed wherever there are amounts.
  /// - Throws: `InterchangeError` of code `format` where the file is no QIF, where its currency is not
  ///   known, or where its days can be read in two ways; of code `encoding` where its bytes are no text.
  /// - Complexity: O(bytes) time; memory grows with the rows.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do {
      let text = try file.text(options.encoding).bytes
      try ValidText.check(text)
      let survey = QIFSurvey(text)
      var dates = QIFDateOrder(isDayFirst: options.isDayFirst ?? false)
      if options.isDayFirst == nil { dates.isDayFirst = try survey.isDayFirst() }
      var reader = QIFReader(
        text, options, dates: dates, style: NumberStyle(decimal: survey.decimalMark))
      return try reader.read()
    } catch {
      var error = error
      error.path = error.path ?? file.name
      throw error
    }
  }
}
