/// The text after a tag, as a range of the file without surrounding blanks.
struct OFXText {
  var start = 0
  var end = 0
  /// Whether the text contains no entities, CDATA sections or comments.
  var isPlain = true

  var isEmpty: Bool { start >= end }
  var range: Range<Int> { start..<max(start, end) }
}

/// A tag of an OFX file, with the text after it.
struct OFXEvent {
  var tag: OFXTag
  /// The packed name.
  var key: UInt128
  /// The offset of `<`.
  var start: Int
  /// The offset after the name.
  var nameEnd: Int
  /// Whether it is an end tag, `</NAME>`.
  var isEnd = false
  /// Whether it is an empty-element tag, `<NAME/>`.
  var isWhole = false
  var text = OFXText()
}

/// Steps through the tags of SGML and XML.
///
/// A `<` that doesn't begin a tag is text. Comments, declarations and processing instructions are
/// skipped.
struct OFXScanner {
  let bytes: [UInt8]
  private var index: Int
  private let table = OFXTagTable()
  /// The tag that ended the preceding text, with its end offset.
  private var found: (event: OFXEvent, end: Int)?

  init(_ bytes: [UInt8], from index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// Returns the next tag, or `nil` at the end.
  mutating func next() -> OFXEvent? {
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if let (event, end) = found ?? tag(at: index) {
        found = nil
        index = end
        guard !event.isEnd, !event.isWhole else { return event }
        return withText(event)
      }
      index = passed(index) ?? index + 1
    }
    return nil
  }

  /// Returns the names that have end tags in the rest of the file.
  func endedNames() -> Set<UInt128> {
    var names: Set<UInt128> = []
    var place = index
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<"), let (event, end) = tag(at: place) {
        if event.isEnd { names.insert(event.key) }
        place = end
      } else {
        place += 1
      }
    }
    return names
  }

  private mutating func withText(_ event: OFXEvent) -> OFXEvent {
    var event = event
    var start = index
    var isPlain = true
    scan: while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "<"):
        found = tag(at: index)
        if found != nil { break scan }
        if let end = passed(index) {
          isPlain = false
          index = end
        } else {
          index += 1
        }
      case UInt8(ascii: "&"):
        isPlain = false
        index += 1
      default: index += 1
      }
    }
    var end = index
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
    event.text = OFXText(start: start, end: end, isPlain: isPlain)
    return event
  }

  /// Parses the tag that begins at a `<`, and returns it with its end offset.
  private func tag(at place: Int) -> (event: OFXEvent, end: Int)? {
    var next = place + 1
    let isEnd = next < bytes.count && bytes[next] == UInt8(ascii: "/")
    if isEnd { next += 1 }
    let nameStart = next
    var key: UInt128 = 0
    while next < bytes.count {
      let byte = OFXHeader.upper(bytes[next])
      guard byte &- 0x41 < 26 || byte &- 0x30 < 10 || (next > nameStart && Self.isMark(byte)) else {
        break
      }
      key = OFXTag.packed(byte, after: key)
      next += 1
    }
    guard next > nameStart, next < bytes.count else { return nil }
    var event = OFXEvent(
      tag: table.tag(key), key: key, start: place, nameEnd: next, isEnd: isEnd)
    if bytes[next] == UInt8(ascii: ">") { return (event, next + 1) }
    guard bytes[next] <= 0x20 || bytes[next] == UInt8(ascii: "/") else { return nil }
    // Skip attributes.
    while next < bytes.count, bytes[next] != UInt8(ascii: ">") {
      if bytes[next] == UInt8(ascii: "<") { return nil }
      next += 1
    }
    guard next < bytes.count else { return nil }
    event.isWhole = bytes[next - 1] == UInt8(ascii: "/")
    return (event, next + 1)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ":")
  }

  /// Returns the end of the comment, CDATA section or processing instruction at an offset.
  private func passed(_ place: Int) -> Int? {
    if starts("<![CDATA[", at: place) { return OFXScanner.end(of: "]]>", bytes, from: place + 9) }
    if starts("<!--", at: place) { return OFXScanner.end(of: "-->", bytes, from: place + 4) }
    if starts("<?", at: place) { return OFXScanner.end(of: "?>", bytes, from: place + 2) }
    return nil
  }

  private func starts(_ word: StaticString, at place: Int) -> Bool {
    Self.matches(word, bytes, at: place)
  }

  /// Returns whether a word is at an offset.
  static func matches(_ word: StaticString, _ bytes: [UInt8], at place: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    return word.withUTF8Buffer { letters in
      for offset in 0..<count where bytes[place + offset] != letters[offset] { return false }
      return true
    }
  }

  /// Returns the offset after a closing mark, or the end of the text if the mark is missing.
  static func end(of mark: StaticString, _ bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if matches(mark, bytes, at: place) { return place + mark.utf8CodeUnitCount }
      place += 1
    }
    return bytes.count
  }
}
