/// OFX and QFX, which banks provide for Quicken, Microsoft Money and similar programs.
///
/// Versions 1.x are SGML, in which the end tags of values can be omitted. Versions 2.x are XML.
/// Both use the same tree of elements, and banks mix them, for example with an XML header before
/// SGML or with end tags in only part of a file. Daybook therefore uses one lenient parser for
/// both. An XML parser would reject many of these files.
public enum OFX: FileFormat {
  /// The identifier `ofx`.
  public static let name = "ofx"
  /// The display name `OFX, QFX`.
  public static let title = "OFX, QFX"
  /// The file extensions `.ofx` and `.qfx`.
  public static let endings = [".ofx", ".qfx"]

  /// Recognises files with an OFX header, and files that begin with `<OFX>`.
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
  /// - Throws: `InterchangeError` with code `format` if the file isn't an OFX file, is truncated,
  ///   or contains only error statuses; with code `encoding` if its bytes aren't text.
  /// - Complexity: O(*n*) time in the number of bytes; memory grows with the number of rows.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    do {
      let header = try OFXHeader(file, options.encoding)
      return try UnclearAmount.settle(options) { options throws(InterchangeError) in
        var reader = OFXReader(header, options)
        return try reader.read()
      }
    } catch {
      var error = error
      error.path = error.path ?? file.name
      throw error
    }
  }
}
