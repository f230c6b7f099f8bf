import Entities

/// Steps through an XML text, element by element, without building a tree.
///
/// It reads well-formed XML in UTF-8, checks that tags match, and knows lines and columns. There are
/// no document types, no entities but the five of XML and character references, and nothing outside
/// of the text is ever read. Depth, names and attributes are bounded.
///
/// After `nextChild()` the reader is inside of an element, whose `name` and attributes it has. That
/// element is left by one of `text()`, `skip()`, or `nextChild()` until it says `false`.
struct XMLReader: Sendable {
  /// The most elements inside of each other.
  static let depthMax = 128
  /// The longest name, in bytes.
  static let nameByteCountMax = 256
  /// The most attributes of an element.
  static let attributeCountMax = 64

  struct Attribute: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The text, valid UTF-8 without a byte order mark.
  let bytes: [UInt8]
  /// Where the next byte to read is.
  var offset = 0
  /// Where the tag of the element begins that was entered last.
  var tagStart = 0
  /// The name of the element that was entered last, without a prefix.
  var name = 0..<0
  /// The attributes of the element that was entered last.
  var attributes: [Attribute] = []
  /// The text that `text()` read.
  var collected = CollapsedText()
  var open: [Range<Int>] = []
  var isEmptyElement = false
  private var countedLine = 1
  private var countedOffset = 0

  /// A reader at the start of a text.
  ///
  /// - Throws: `InterchangeError` of code `encoding` where the text is not UTF-8.
  init(utf8 bytes: [UInt8]) throws(InterchangeError) {
    self.bytes = bytes
    open.reserveCapacity(XMLReader.depthMax)
    if let place = ValidText.invalidByte(in: bytes.span) {
      var fault = InterchangeError(
        .encoding, "The byte \(bytes[place]) is not valid UTF-8.",
        remedy: "Name the file's encoding, such as windows-1252 or iso-8859-1.",
        line: XMLReader.line(of: place, in: bytes.span))
      fault.column = XMLReader.column(of: place, in: bytes.span)
      throw fault
    }
  }

  /// How many elements the reader is in.
  var depth: Int { open.count }

  /// Enters the next element inside of the one the reader is in, or, where there is none left, leaves
  /// that one and returns `false`.
  ///
  /// Outside of all elements `false` says that the text has ended.
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

  /// Leaves the element the reader is in, whatever it holds.
  mutating func skip() throws(InterchangeError) {
    let depth = open.count
    repeat { _ = try nextChild() } while open.count >= depth && depth > 0
  }

  /// Leaves the element the reader is in, and has its text in `collected`, with runs of blanks made one.
  mutating func text() throws(InterchangeError) { try text(descends: false) }

  /// Leaves the element the reader is in, and has in `collected` the first text that is in it, or in
  /// elements inside of it.
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

  /// Where the value of an attribute of the element that was entered last is, as it is written.
  func attribute(_ word: StaticString) -> Range<Int>? {
    for attribute in attributes where equals(attribute.name, word) { return attribute.value }
    return nil
  }

  /// Whether a part of the text is exactly this.
  func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { unsafe $0.elementsEqual(bytes[range]) }
  }

  /// A part of the text.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The physical line of a place, from 1.
  ///
  /// - Complexity: O(bytes from the place asked for before), O(bytes) for one that is before that.
  mutating func line(at place: Int) -> Int {
    if place < countedOffset { return XMLReader.line(of: place, in: bytes.span) }
    countedLine += XMLReader.newlines(in: countedOffset..<place, of: bytes.span)
    countedOffset = place
    return countedLine
  }

  /// The column of a place in its line, in characters from 1.
  func column(at place: Int) -> Int { XMLReader.column(of: place, in: bytes.span) }

  /// An error at a place.
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
