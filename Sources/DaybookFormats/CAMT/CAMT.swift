import DaybookBookkeeping

/// Bank-to-customer messages of ISO 20022 in all versions: account reports (camt.052), statements
/// (camt.053) and debit and credit notifications (camt.054).
public enum CAMT: FileFormat {
  /// The identifier `camt`.
  public static let name = "camt"
  /// The display name.
  public static let title = "CAMT.052, .053, .054 (ISO 20022)"
  /// The extension of XML files, and extensions that some banks use.
  public static let endings = [".xml", ".camt", ".c52", ".c53", ".c54"]

  /// Recognises messages by their root element or by the name of their schema.
  public static func recognise(_ head: FileHead) -> Recognition {
    let text = head.text
    guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return .no }
    let words = ["BkToCstmrStmt", "BkToCstmrAcctRpt", "BkToCstmrDbtCdtNtfctn"]
    if words.contains(where: text.contains) { return .certain }
    let schemas = ["camt.052.001", "camt.053.001", "camt.054.001"]
    return schemas.contains(where: text.contains) ? .certain : .no
  }

  /// Reads all statements of all messages in a file.
  /// - Throws: `InterchangeError` with code `format` or `encoding`.
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
