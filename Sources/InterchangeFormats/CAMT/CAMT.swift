import Bookkeeping

/// Bank-to-customer messages of ISO 20022: reports (camt.052), statements (camt.053) and notifications
/// of debits and credits (camt.054), of any version.
public enum CAMT: FileFormat {
  /// `camt`.
  public static let name = "camt"
  /// What people call it.
  public static let title = "CAMT.052, .053, .054 (ISO 20022)"
  /// XML, and what some banks call it.
  public static let endings = [".xml", ".camt", ".c52", ".c53", ".c54"]

  /// A message is known by its element, or by the name of its schema.
  public static func recognise(_ head: FileHead) -> Recognition {
    let text = head.text
    guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return .no }
    let words = ["BkToCstmrStmt", "BkToCstmrAcctRpt", "BkToCstmrDbtCdtNtfctn"]
    if words.contains(where: text.contains) { return .certain }
    let schemas = ["camt.052.001", "camt.053.001", "camt.054.001"]
    return schemas.contains(where: text.contains) ? .certain : .no
  }

  /// Reads every statement of every message of a file.
  /// - Throws: `InterchangeError` of code `format` or `encoding`.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do {
      let text = try XMLText.utf8(file, encoding: options.encoding)
      var reader = CAMTReader(try XMLReader(utf8: text), options)
      return try reader.read()
    } catch {
      var error = error
      error.path = file.name
      throw error
    }
  }
}
