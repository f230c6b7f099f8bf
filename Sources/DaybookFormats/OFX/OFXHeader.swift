import DaybookEntities

/// The header of an OFX file, and its text decoded to UTF-8.
///
/// Headers have many forms: one `KEY:value` per line, all keys on one line with or without spaces,
/// XML processing instructions, or none at all. Only the encoding is relevant.
struct OFXHeader {
  /// The whole file as valid UTF-8.
  let text: [UInt8]
  /// The offset of `<OFX>` in the text.
  let root: Int
  /// Notices about the encoding.
  private(set) var notices: [FileNotice] = []

  init(_ file: RawFile, _ encoding: TextEncoding?) throws(InterchangeError) {
    if let encoding {
      text = try encoding.utf8(file.bytes)
      try ValidText.check(text)
    } else {
      (text, notices) = try Self.decoded(file.bytes)
    }
    guard let root = Self.root(in: text) else {
      throw InterchangeError(
        .format, "The file has no <OFX> element.",
        remedy: "Check that it is an OFX or QFX file from the bank.", line: 1)
    }
    self.root = root
  }

  /// Returns the offset of the root element.
  static func root(in bytes: [UInt8]) -> Int? {
    var from = 0
    while let start = find("<OFX", in: bytes[from...]), start + 4 < bytes.count {
      let next = bytes[start + 4]
      if next == UInt8(ascii: ">") || next <= 0x20 { return start }
      from = start + 4
    }
    return nil
  }

  /// Returns the offset of a word, ignoring case.
  ///
  /// The word must be in uppercase.
  static func find(_ word: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    let letters = word.withUTF8Buffer { Array($0) }
    guard bytes.count >= letters.count, let first = letters.first else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - letters.count)
    where upper(bytes[start]) == first {
      var count = 1
      while count < letters.count, upper(bytes[start + count]) == letters[count] { count += 1 }
      if count == letters.count { return start }
    }
    return nil
  }

  static func upper(_ byte: UInt8) -> UInt8 {
    byte &- 0x61 < 26 ? byte & 0xDF : byte
  }

  // MARK: - Encodings

  private static func decoded(
    _ bytes: [UInt8]
  ) throws(InterchangeError) -> (text: [UInt8], notices: [FileNotice]) {
    let guess = TextEncoding.guess(Array(bytes.prefix(65_536)))
    if guess == .utf16 { return (try guess.utf8(bytes), []) }
    let head = bytes[..<(root(in: bytes) ?? min(bytes.count, 4_096))]
    let declared = declaration(head)
    guard ValidText.invalidByte(in: bytes.span) == nil else {
      return (try encoding(declared, guess, bytes).utf8(bytes), [])
    }
    // Bytes that are valid UTF-8 are decoded as UTF-8, regardless of the header.
    let isPlain = !bytes.contains { $0 >= 0x80 }
    let fits = isPlain || declared.isEmpty || isUnicode(declared) || bytes.starts(with: mark)
    let notice = FileNotice(
      line: 1, "The header says \(declared), but the file is UTF-8 and was read as such.")
    return (try TextEncoding.utf8.utf8(bytes), fits ? [] : [notice])
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the encoding of bytes that aren't UTF-8.
  private static func encoding(
    _ declared: String, _ guess: TextEncoding, _ bytes: [UInt8]
  ) throws(InterchangeError) -> TextEncoding {
    let word = declared.uppercased()
    if isUnicode(word) { try ValidText.check(bytes) }
    if word.isEmpty || word == "USASCII" || word == "US-ASCII" || word == "NONE" {
      return guess == .utf8 ? .windows1252 : guess
    }
    if word.contains("1250") { return .windows1250 }
    if word.contains("1252") { return .windows1252 }
    if word.hasSuffix("8859-1") || word.hasSuffix("8859_1") || word.hasPrefix("LATIN") {
      // These bytes are control characters in ISO 8859-1, so the file must be Windows-1252.
      return bytes.contains { $0 >= 0x80 && $0 < 0xA0 } ? .windows1252 : .latin1
    }
    throw InterchangeError(
      .encoding, "The file's encoding, \(declared), isn't supported.",
      remedy: "Convert the file to UTF-8, or set another encoding with --encoding.", line: 1)
  }

  private static func isUnicode(_ declared: String) -> Bool {
    let word = declared.uppercased()
    return word.hasPrefix("UTF") || word == "UNICODE" || word == "65001"
  }

  /// Returns the encoding named in the header, or an empty text if there is none.
  private static func declaration(_ head: ArraySlice<UInt8>) -> String {
    let encoding = value("ENCODING:", in: head, until: "CHARSET")
    if let encoding, isUnicode(encoding) { return encoding }
    if let charset = value("CHARSET:", in: head, until: "COMPRESSION"), charset != "NONE" {
      return charset
    }
    if let encoding { return encoding }
    // For example: <?xml version="1.0" encoding="UTF-8"?>
    guard let start = find("ENCODING=", in: head) else { return "" }
    let quoted = head[(start + 9)...].prefix(64)
    guard let quote = quoted.first, quote == 0x22 || quote == 0x27 else { return "" }
    return String(decoding: quoted.dropFirst().prefix { $0 != quote }, as: UTF8.self)
  }

  private static func value(
    _ key: StaticString, in head: ArraySlice<UInt8>, until next: StaticString
  ) -> String? {
    guard let start = find(key, in: head) else { return nil }
    let rest = head[(start + key.utf8CodeUnitCount)...].drop { $0 == 0x20 || $0 == 0x09 }
    let word = rest.prefix(64).prefix { $0 > 0x20 }
    let end = find(next, in: word) ?? word.endIndex
    return String(decoding: word[..<end], as: UTF8.self)
  }
}
