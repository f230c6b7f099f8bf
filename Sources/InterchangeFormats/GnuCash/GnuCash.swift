import Bookkeeping

/// Books of GnuCash, as the XML that it writes; packed by gzip they have to be unpacked first.
public enum GnuCash: FileFormat {
  /// `gnucash`.
  public static let name = "gnucash"
  /// What people call it.
  public static let title = "GnuCash"
  /// GnuCash's own, and that of its exports.
  public static let endings = [".gnucash", ".gnc", ".xml", ".xac"]

  /// The XML says what it is; what is packed, or in a database, is known by its name.
  public static func recognise(_ head: FileHead) -> Recognition {
    if head.text.contains("<gnc-v2") { return .certain }
    guard endings.dropLast(2).contains(head.ending) else { return .no }
    return isPacked(head.bytes) || isDatabase(head.bytes) ? .possible : .no
  }

  /// Reads a whole book.
  /// - Throws: `InterchangeError` of code `format` or `encoding`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do throws(InterchangeError) {
      if isPacked(file.bytes) {
        throw InterchangeError(
          .format, "The file is packed by gzip.", remedy: "Unpack it with gunzip.")
      }
      if isDatabase(file.bytes) {
        throw InterchangeError(
          .format, "The book is kept in a database of SQLite, which is not read.",
          remedy: "Open it in GnuCash and choose Save As with the data format XML.")
      }
      let text = try XMLText.utf8(file, encoding: options.encoding)
      var reader = GnuCashReader(try XMLReader(utf8: text), options)
      return try reader.read()
    } catch {
      var error = error
      error.path = file.name
      throw error
    }
  }

  private static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  private static func isDatabase(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "SQLite format 3\u{0}".utf8)
  }
}
