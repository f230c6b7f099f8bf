/// OFX and QFX: what banks give for Quicken, Money and their kin.
///
/// Versions 1.x are SGML, in which the end tags of values may be left out; versions 2.x are XML. Both
/// have one tree of the same names, and banks mix the two: XML headers above SGML, end tags in one half
/// of a file. So one reader of our own takes both. A parser of XML would refuse half of the files.
public enum OFX: FileFormat {
  /// `ofx`.
  public static let name = "ofx"
  /// `OFX, QFX`.
  public static let title = "OFX, QFX"
  /// `.ofx` and `.qfx`.
  public static let endings = [".ofx", ".qfx"]

  /// Files with an OFX header, and those that begin with `<OFX>`.
  public static func recognise(_ head: FileHead) -> Recognition {
    let bytes = Array(head.text.utf8)
    let root = OFXHeader.root(in: bytes)
    if OFXHeader.find("OFXHEADER", in: bytes[..<(root ?? bytes.count)]) != nil { return .certain }
    guard let root else { return .no }
    let before = String(decoding: bytes[..<root], as: UTF8.self)
      .trimmingPrefix { $0.isWhitespace }
    return before.isEmpty || before.hasPrefix("<") ? .certain : .possible
  }

  /// Reads a whole file: bank, card and investment statements, and lists of accounts.
  ///
  /// - Throws: `InterchangeError` of code `format` where the file is no OFX, is cut off, or holds nothing
  ///   but the bank's refusals; of code `encoding` where its bytes are no text.
  /// - Complexity: O(bytes) time; memory grows with the rows.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do {
      let header = try OFXHeader(file, options.encoding)
      var reader = OFXReader(header, options)
      return try reader.read()
    } catch {
      var error = error
      error.path = error.path ?? file.name
      throw error
    }
  }
}
