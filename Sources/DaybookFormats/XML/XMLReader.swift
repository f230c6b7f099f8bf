import DaybookEntities

/// A pull parser that steps through an XML text element by element, without building a tree.
///
/// The parser reads well-formed XML in UTF-8, checks that tags match, and reports lines and
/// columns. It rejects document type declarations. It resolves character references and the five
/// predefined entities, and it never reads other files. Depth, names and attributes are limited.
///
/// After `nextChild()` returns `true`, the reader is inside an element, and `name` and `attributes`
/// describe it. Leave the element by calling `text()` or `skip()`, or by calling `nextChild()`
/// until it returns `false`.
struct XMLReader: Sendable {
  /// The maximum depth of nested elements.
  static let depthMax = 128
  /// The maximum length of a name, in bytes.
  static let nameByteCountMax = 256
  /// The maximum number of attributes of an element.
  static let attributeCountMax = 64

  struct Attribute: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The text, valid UTF-8 without a byte order mark.
  let bytes: [UInt8]
  /// The offset of the next byte to read.
  var offset = 0
  /// The offset of the start tag of the most recently entered element.
  var tagStart = 0
  /// The name of the most recently entered element, without a prefix.
  var name = 0..<0
  /// The attributes of the most recently entered element.
  var attributes: [Attribute] = []
  /// The text that `text()` or `firstText()` read.
  var collected = CollapsedText()
  var open: [Range<Int>] = []
  var isEmptyElement = false
  private var countedLine = 1
  private var countedOffset = 0

  /// Creates a reader at the start of a text.
  ///
  /// - Throws: `InterchangeError` with code `encoding` if the text isn't UTF-8.
  init(utf8 bytes: [UInt8]) throws(InterchangeError) {
    self.bytes = bytes
    open.reserveCapacity(XMLReader.depthMax)
    if let place = ValidText.invalidByte(in: bytes.span) {
      var fault = InterchangeError(
        .encoding, "The byte \(bytes[place]) isn't valid UTF-8.",
        remedy: "Set the file's encoding, such as windows-1252 or iso-8859-1.",
        line: XMLReader.line(of: place, in: bytes.span))
      fault.column = XMLReader.column(of: place, in: bytes.span)
      throw fault
    }
  }

  /// The number of open elements.
  var depth: Int { open.count }

  /// Enters the next child of the current element and returns `true`.
  ///
  /// If there are no more children, leaves the element and returns `false`. At the top level,
  /// `false` means that the text has ended.
  mutating func nextChild() throws(InterchangeError) -> Bool {
    if isEmptyElement {
      isEmptyElement = false
      open.removeLast()
      return false
    }
    while true {
      skipToMarkup()
      guard offset + 1 < bytes.count else {
        try endOfText()
        return false
      }
      switch bytes[offset + 1] {
      case UInt8(ascii: "/"):
        try endTag()
        return false
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        try passOver()
      default:
        try startTag()
        return true
      }
    }
  }

  /// Skips the rest of the current element and leaves it.
  mutating func skip() throws(InterchangeError) {
    let depth = open.count
    repeat { _ = try nextChild() } while open.count >= depth && depth > 0
  }

  /// Reads the text of the current element into `collected` and leaves the element.
  ///
  /// Runs of blanks are collapsed.
  mutating func text() throws(InterchangeError) { try text(descends: false) }

  /// Reads the first text of the current element or its descendants into `collected`, and leaves
  /// the element.
  mutating func firstText() throws(InterchangeError) { try text(descends: true) }

  private mutating func text(descends: Bool) throws(InterchangeError) {
    collected.clear()
    let depth = open.count
    guard depth > 0 else { return }
    if isEmptyElement { return try skip() }
    while true {
      if open.count == depth || collected.isEmpty { try collect() } else { skipToMarkup() }
      guard offset + 1 < bytes.count else { return try endOfText() }
      switch bytes[offset + 1] {
      case UInt8(ascii: "/"):
        try endTag()
        if open.count < depth { return }
      case UInt8(ascii: "!") where isCharacterData:
        try collectCharacterData()
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        try passOver()
      default:
        try startTag()
        if !descends || !collected.isEmpty || isEmptyElement { try skip() }
      }
    }
  }

  /// Returns the range of the raw value of an attribute of the most recently entered element.
  func attribute(_ word: StaticString) -> Range<Int>? {
    for attribute in attributes where equals(attribute.name, word) { return attribute.value }
    return nil
  }

  /// Returns whether part of the text equals `word`.
  func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { unsafe $0.elementsEqual(bytes[range]) }
  }

  /// Returns part of the text as a string.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the physical line of an offset, from 1.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes since the last requested offset. An
  ///   earlier offset is counted from the start of the text.
  mutating func line(at place: Int) -> Int {
    if place < countedOffset { return XMLReader.line(of: place, in: bytes.span) }
    countedLine += XMLReader.newlines(in: countedOffset..<place, of: bytes.span)
    countedOffset = place
    return countedLine
  }

  /// Returns the column of an offset in its line, in characters from 1.
  func column(at place: Int) -> Int { XMLReader.column(of: place, in: bytes.span) }

  /// Creates an error at an offset, or at the current offset.
  func fault(_ message: String, _ remedy: String, at place: Int? = nil) -> InterchangeError {
    let place = min(place ?? offset, bytes.count)
    var error = InterchangeError(
      .format, message, remedy: remedy, line: XMLReader.line(of: place, in: bytes.span))
    error.column = column(at: place)
    return error
  }
}

extension XMLReader {
  private static func newlines(in range: Range<Int>, of bytes: borrowing Span<UInt8>) -> Int {
    var count = 0
    for index in range where unsafe bytes[unchecked: index] == 0x0A { count &+= 1 }
    return count
  }

  private static func line(of place: Int, in bytes: borrowing Span<UInt8>) -> Int {
    newlines(in: 0..<min(place, bytes.count), of: bytes) + 1
  }

  private static func column(of place: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var start = min(place, bytes.count)
    var count = 1
    while start > 0, bytes[start - 1] != 0x0A {
      start -= 1
      if bytes[start] & 0xC0 != 0x80 { count += 1 }
    }
    return count
  }
}
