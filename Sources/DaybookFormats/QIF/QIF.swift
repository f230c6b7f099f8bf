/// The Quicken Interchange Format, which Quicken used until 2004 and which banks and programs still
/// export.
///
/// Each line consists of a letter and a text, and `^` ends a record. A file states neither its
/// currency, nor the order of day and month, nor its decimal mark. A first pass over the lines
/// detects the date order and the decimal mark, and a second pass reads the records.
public enum QIF: FileFormat {
  /// The identifier `qif`.
  public static let name = "qif"
  /// The display name `QIF`.
  public static let title = "QIF"
  /// The file extension `.qif`.
  public static let endings = [".qif"]

  /// Recognises files whose first line, except for comments, is a header: `!Type:`, `!Account`,
  /// `!Option:` or `!Clear:`.
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

  /// Reads a whole file, with the rows of all kinds of accounts and the lists of accounts.
  ///
  /// `ReadingOptions.currency` is required if the file contains amounts.
  /// - Throws: `InterchangeError` with code `format` if the file isn't a QIF file, if its currency
  ///   is unknown, or if its dates are ambiguous; with code `encoding` if its bytes aren't text.
  /// - Complexity: O(*n*) time in the number of bytes; memory grows with the number of rows.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do {
      let text = try file.text(options.encoding).bytes
      try ValidText.check(text)
      let survey = QIFSurvey(text)
      var dates = QIFDateOrder(isDayFirst: options.isDayFirst ?? false)
      if options.isDayFirst == nil { dates.isDayFirst = try survey.isDayFirst() }
      let order = dates
      return try UnclearAmount.settle(options) { options throws(InterchangeError) in
        var reader = QIFReader(text, options, dates: order, marks: survey.marks)
        return try reader.read()
      }
    } catch {
      var error = error
      error.path = error.path ?? file.name
      throw error
    }
  }
}
