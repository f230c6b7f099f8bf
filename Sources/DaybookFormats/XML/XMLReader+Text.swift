import DaybookEntities

// The text of elements, with references resolved.
extension XMLReader {
  /// Collects text up to the next `<`.
  mutating func collect() throws(InterchangeError) {
    let text = bytes
    while offset < text.count {
      let end = XMLReader.endOfPlainText(from: offset, in: text.span)
      if end > offset { collected.append(offset..<end, of: text.span) }
      offset = end
      guard end < text.count, text[end] == 0x26 else { return }
      try collectReference()
    }
  }

  private static func endOfPlainText(from start: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var index = start
    while index < bytes.count {
      let byte = unsafe bytes[unchecked: index]
      if byte == 0x3C || byte == 0x26 { break }
      index += 1
    }
    return index
  }

  /// Collects the character data section that begins at `offset`.
  mutating func collectCharacterData() throws(InterchangeError) {
    let start = offset + 9
    try passOver()
    for index in start..<max(start, offset - 3) { collected.append(bytes[index]) }
  }

  private mutating func collectReference() throws(InterchangeError) {
    let start = offset + 1
    var end = start
    while end < bytes.count, end - start < 12, bytes[end] != 0x3B { end += 1 }
    guard end < bytes.count, bytes[end] == 0x3B, let scalar = reference(start..<end) else {
      throw fault(
        "The “&” here doesn't start an XML reference, such as “&amp;”.",
        "Write “&amp;” for “&”. Custom entities aren't supported.")
    }
    for byte in Character(scalar).utf8 { collected.append(byte) }
    offset = end + 1
  }

  /// Resolves the reference between `&` and `;`, or returns `nil` if it is unknown.
  private func reference(_ range: Range<Int>) -> Unicode.Scalar? {
    if equals(range, "amp") { return "&" }
    if equals(range, "lt") { return "<" }
    if equals(range, "gt") { return ">" }
    if equals(range, "quot") { return "\"" }
    if equals(range, "apos") { return "'" }
    guard bytes[range].first == UInt8(ascii: "#") else { return nil }
    let digits = bytes[range].dropFirst()
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard text.first?.isHexDigit == true, let code = UInt32(text, radix: isHexadecimal ? 16 : 10),
      code != 0
    else { return nil }
    return Unicode.Scalar(code)
  }
}
