import DaybookBookkeeping

/// GnuCash files in XML format.
///
/// Files compressed with gzip must be decompressed first.
public enum GnuCash: FileFormat {
  /// The identifier `gnucash`.
  public static let name = "gnucash"
  /// The display name.
  public static let title = "GnuCash"
  /// The extensions of GnuCash's own files and of its exports.
  public static let endings = [".gnucash", ".gnc", ".xml", ".xac"]

  /// Recognises the XML by its content.
  ///
  /// Compressed files and databases are recognised only with a matching extension.
  public static func recognise(_ head: FileHead) -> Recognition {
    if head.text.contains("<gnc-v2") { return .certain }
    guard endings.dropLast(2).contains(head.ending) else { return .no }
    return isPacked(head.bytes) || isDatabase(head.bytes) ? .possible : .no
  }

  /// Reads a whole file.
  /// - Throws: `InterchangeError` with code `format` or `encoding`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do throws(InterchangeError) {
      if isPacked(file.bytes) {
        throw InterchangeError(
          .format, "The file is compressed with gzip.", remedy: "Uncompress it with gunzip.")
      }
      if isDatabase(file.bytes) {
        throw InterchangeError(
          .format, "The GnuCash file is an SQLite database, which isn't supported.",
          remedy: "Open it in GnuCash, and save it as XML with Save As.")
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
