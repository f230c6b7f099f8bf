/// The text behind a tag: a range of the file, without blanks at its ends.
struct OFXText {
  var start = 0
  var end = 0
  /// Whether it holds neither entities nor sections of CDATA nor comments.
  var isPlain = true

  var isEmpty: Bool { start >= end }
  var range: Range<Int> { start..<max(start, end) }
}

/// A tag of an OFX file, and the text behind it.
struct OFXEvent {
  var tag: OFXTag
  /// The name, packed.
  var key: UInt128
  /// Where `<` is.
  var start: Int
  /// Where the name ends.
  var nameEnd: Int
  /// `</NAME>`.
  var isEnd = false
  /// `<NAME/>`.
  var isWhole = false
  var text = OFXText()
}

/// Reads the tags of SGML and XML one by one.
///
/// A `<` that begins no tag is text. Comments, declarations and processing instructions are passed over.
struct OFXScanner {
  let bytes: [UInt8]
  private var index: Int
  private let table = OFXTagTable()
  /// The tag that ended the text before it, and where it ends itself.
  private var found: (event: OFXEvent, end: Int)?

  init(_ bytes: [UInt8], from index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// The next tag, or `nil` at the end.
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

  /// The names that have end tags from here on.
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

  /// The tag that begins at a `<`, and where it ends.
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
    // Attributes say nothing here.
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

  /// Where a comment, a section of CDATA, a declaration or an instruction that begins here ends.
  private func passed(_ place: Int) -> Int? {
    if starts("<![CDATA[", at: place) { return OFXScanner.end(of: "]]>", bytes, from: place + 9) }
    if starts("<!--", at: place) { return OFXScanner.end(of: "-->", bytes, from: place + 4) }
    if starts("<?", at: place) { return OFXScanner.end(of: "?>", bytes, from: place + 2) }
    return nil
  }

  private func starts(_ word: StaticString, at place: Int) -> Bool {
    Self.matches(word, bytes, at: place)
  }

  /// Whether a word stands somewhere.
  static func matches(_ word: StaticString, _ bytes: [UInt8], at place: Int) -> Bool {
    let count = word.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    return word.withUTF8Buffer { letters in
      for offset in 0..<count where bytes[place + offset] != letters[offset] { return false }
      return true
    }
  }

  /// Where a mark ends that closes something; the end of the text where it is not there.
  static func end(of mark: StaticString, _ bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if matches(mark, bytes, at: place) { return place + mark.utf8CodeUnitCount }
      place += 1
    }
    return bytes.count
  }
}
