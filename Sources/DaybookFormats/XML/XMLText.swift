/// Decodes XML files to UTF-8.
enum XMLText {
  /// Returns the text, decoded with `encoding` or with the encoding that the file declares.
  ///
  /// A byte order mark takes precedence over the XML declaration. Without either, the text is
  /// UTF-8.
  static func utf8(
    _ file: RawFile, encoding: TextEncoding?
  ) throws(InterchangeError) -> [UInt8] {
    if let encoding { return try encoding.utf8(file.bytes) }
    let head = file.bytes.prefix(200)
    if head.prefix(2) == [0xFF, 0xFE] || head.prefix(2) == [0xFE, 0xFF]
      || head.prefix(4) == [0x3C, 0, 0x3F, 0]
    {
      return try TextEncoding.utf16.utf8(file.bytes)
    }
    let declared = declaration(String(decoding: head, as: UTF8.self))
    switch declared {
    case "", "utf-8", "utf8", "us-ascii", "ascii": return try TextEncoding.utf8.utf8(file.bytes)
    case "iso-8859-1", "latin1": return try TextEncoding.latin1.utf8(file.bytes)
    case "windows-1252", "cp1252": return try TextEncoding.windows1252.utf8(file.bytes)
    case "windows-1250", "cp1250": return try TextEncoding.windows1250.utf8(file.bytes)
    default:
      guard file.bytes.allSatisfy({ $0 < 0x80 }) else {
        throw InterchangeError(
          .encoding, "The file's encoding, “\(declared)”, isn't supported.",
          remedy: "Convert it to UTF-8, or set a similar encoding, such as "
            + "iso-8859-1.", line: 1)
      }
      return file.bytes
    }
  }

  /// The encoding named in the XML declaration, in lowercase; empty if there is none.
  private static func declaration(_ head: String) -> String {
    guard let start = head.firstRange(of: "<?xml"), let end = head.firstRange(of: "?>"),
      start.upperBound < end.lowerBound
    else { return "" }
    let words = head[start.upperBound..<end.lowerBound].split { $0 == "\"" || $0 == "'" }
    for index in words.indices.dropLast() {
      let word = words[index].filter { !$0.isWhitespace }
      if word.hasSuffix("encoding=") { return words[index + 1].lowercased() }
    }
    return ""
  }
}
