import DaybookEntities

// Tags, comments and other markup.
extension XMLReader {
  static let remedy = "Correct the file, or ask the bank for it again."

  /// Moves to the next `<`.
  mutating func skipToMarkup() { offset = XMLReader.markup(from: offset, in: bytes.span) }

  private static func markup(from start: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var index = start
    while index < bytes.count, unsafe bytes[unchecked: index] != 0x3C { index += 1 }
    return index
  }

  /// Handles the end of the text.
  ///
  /// Throws if an element is still open.
  mutating func endOfText() throws(InterchangeError) {
    offset = bytes.count
    guard let last = open.last else { return }
    throw fault(
      "The file ends inside the element “\(string(last))”.",
      "The file is incomplete. Ask the bank for it again.")
  }

  /// Enters the element whose start tag begins at `offset`.
  mutating func startTag() throws(InterchangeError) {
    tagStart = offset
    let start = offset + 1
    let (prefixEnd, end) = XMLReader.endOfName(from: start, in: bytes.span)
    guard end > prefixEnd, XMLReader.startsName(bytes[start]) else {
      throw fault("A tag without a name starts here.", XMLReader.remedy)
    }
    guard end - start <= XMLReader.nameByteCountMax else {
      throw fault(
        "A name is longer than \(XMLReader.nameByteCountMax) bytes.", XMLReader.remedy)
    }
    guard open.count < XMLReader.depthMax else {
      throw fault(
        "Elements are nested more than \(XMLReader.depthMax) levels deep.", XMLReader.remedy)
    }
    name = prefixEnd..<end
    open.append(start..<end)
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    offset = end
    if end < bytes.count, bytes[end] == 0x3E {
      offset = end + 1
      return
    }
    try readAttributes()
  }

  /// Returns the end of a name, and the end of its prefix.
  private static func endOfName(
    from start: Int, in bytes: borrowing Span<UInt8>
  ) -> (prefix: Int, name: Int) {
    var index = start
    var prefix = start
    while index < bytes.count {
      let byte = unsafe bytes[unchecked: index]
      if endsName(byte) { break }
      if byte == 0x3A { prefix = index + 1 }
      index += 1
    }
    return (prefix, index)
  }

  private mutating func readAttributes() throws(InterchangeError) {
    while true {
      skipBlanks()
      guard offset < bytes.count else {
        throw fault(
          "The file ends inside a tag.", "The file is incomplete. Ask the bank for it again.")
      }
      if bytes[offset] == 0x3E {
        offset += 1
        return
      }
      if bytes[offset] == 0x2F, offset + 1 < bytes.count, bytes[offset + 1] == 0x3E {
        offset += 2
        isEmptyElement = true
        return
      }
      try readAttribute()
    }
  }

  private mutating func readAttribute() throws(InterchangeError) {
    let start = offset
    while offset < bytes.count, !XMLReader.endsName(bytes[offset]), bytes[offset] != 0x3D {
      offset += 1
    }
    let end = offset
    skipBlanks()
    guard end > start, XMLReader.startsName(bytes[start]), offset < bytes.count,
      bytes[offset] == 0x3D
    else {
      throw fault("An attribute or the end of the tag is missing here.", XMLReader.remedy)
    }
    offset += 1
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == 0x22 || bytes[offset] == 0x27 else {
      throw fault("The quote before an attribute's value is missing here.", XMLReader.remedy)
    }
    let quote = bytes[offset]
    offset += 1
    let valueStart = offset
    while offset < bytes.count, bytes[offset] != quote {
      guard bytes[offset] != 0x3C else {
        throw fault("There is a “<” inside an attribute.", XMLReader.remedy)
      }
      offset += 1
    }
    guard offset < bytes.count else {
      throw fault(
        "The file ends inside a tag.", "The file is incomplete. Ask the bank for it again.")
    }
    guard attributes.count < XMLReader.attributeCountMax else {
      throw fault(
        "An element has more than \(XMLReader.attributeCountMax) attributes.", XMLReader.remedy)
    }
    attributes.append(Attribute(name: start..<end, value: valueStart..<offset))
    offset += 1
  }

  /// Leaves the element whose end tag begins at `offset`.
  mutating func endTag() throws(InterchangeError) {
    guard let name = open.last else {
      throw fault("There is an end tag here, but no open element.", XMLReader.remedy)
    }
    let start = offset + 2
    var end = start + name.count
    guard end < bytes.count, XMLReader.same(start, name, in: bytes.span),
      XMLReader.endsName(bytes[end])
    else {
      guard bytes[offset...].contains(0x3E) else { return try endOfText() }
      throw fault(
        "The end tag here doesn't match the open element “\(string(name))”.", XMLReader.remedy)
    }
    while end < bytes.count, XMLReader.isBlank(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == 0x3E else {
      throw fault("The “>” of an end tag is missing here.", XMLReader.remedy, at: end)
    }
    offset = end + 1
    open.removeLast()
  }

  /// Returns whether the bytes from `start` equal those of `name`.
  ///
  /// Both ranges must be within `bytes`.
  private static func same(
    _ start: Int, _ name: Range<Int>, in bytes: borrowing Span<UInt8>
  ) -> Bool {
    for index in 0..<name.count
    where unsafe bytes[unchecked: start + index] != bytes[unchecked: name.lowerBound + index] {
      return false
    }
    return true
  }

  /// Skips a comment, character data section or processing instruction at `offset`.
  mutating func passOver() throws(InterchangeError) {
    if bytes[offset + 1] == UInt8(ascii: "?") {
      try pass("?>", what: "An instruction")
    } else if starts("<!--") {
      offset += 2
      try pass("-->", what: "A comment")
    } else if isCharacterData {
      try pass("]]>", what: "Character data")
    } else {
      throw fault(
        "The file declares a document type or entities, which aren't supported.",
        "Bank files don't need them. If you trust the file, remove the declaration.")
    }
  }

  /// Whether a character data section begins at `offset`.
  var isCharacterData: Bool { starts("<![CDATA[") }

  private func starts(_ word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    return end <= bytes.count && equals(offset..<end, word)
  }

  /// Moves past the next occurrence of `end`.
  private mutating func pass(_ end: StaticString, what: String) throws(InterchangeError) {
    let start = offset
    offset += 2
    while offset < bytes.count {
      if starts(end) {
        offset += end.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw fault("\(what) that starts here isn't closed.", XMLReader.remedy, at: start)
  }

  /// Moves past white space.
  mutating func skipBlanks() {
    while offset < bytes.count, XMLReader.isBlank(bytes[offset]) { offset += 1 }
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @inline(__always)
  static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x3E || byte == 0x2F || byte == 0x3C
  }

  static func startsName(_ byte: UInt8) -> Bool {
    byte &- 0x41 < 26 || byte &- 0x61 < 26 || byte == 0x5F || byte >= 0x80
  }
}
