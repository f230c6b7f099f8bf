/// A buffer that collects text from bytes.
///
/// Each run of blanks becomes one space, and leading and trailing blanks are dropped. A reader
/// reuses one buffer, and allocates only the texts that it keeps.
struct CollapsedText: Sendable {
  /// The text so far as UTF-8.
  private(set) var bytes: [UInt8] = []
  private var hasBlank = false

  init() {}

  /// Returns part of a text, with runs of blanks collapsed and without leading or trailing blanks.
  static func string(_ range: Range<Int>, of source: borrowing Span<UInt8>) -> String {
    var range = range
    while !range.isEmpty, source[range.lowerBound] <= 0x20 { range.removeFirst() }
    while !range.isEmpty, source[range.upperBound - 1] <= 0x20 { range.removeLast() }
    guard !range.isEmpty else { return "" }
    guard isPlain(range, of: source) else {
      var text = CollapsedText()
      text.append(range, of: source)
      return text.string
    }
    return unsafe source.extracting(range).withUnsafeBufferPointer {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether no characters other than blanks have been appended.
  var isEmpty: Bool { bytes.isEmpty }

  /// The text.
  ///
  /// Bytes that aren't UTF-8 become replacement characters.
  var string: String { bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) }

  /// The text without spaces and in uppercase, for comparing identifiers.
  var identifier: String {
    let isUsual = bytes.allSatisfy { $0 != 0x20 && $0 &- 0x61 >= 26 }
    return isUsual ? string : string.filter { $0 != " " }.uppercased()
  }

  /// Removes the text, but keeps the capacity.
  mutating func clear() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    hasBlank = false
  }

  /// Appends a byte.
  ///
  /// Control characters count as blanks.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if byte <= 0x20 || byte == 0x7F {
      hasBlank = true
      return
    }
    if hasBlank {
      if !bytes.isEmpty { bytes.append(0x20) }
      hasBlank = false
    }
    bytes.append(byte)
  }

  /// Appends part of a text.
  mutating func append(_ range: Range<Int>, of source: borrowing Span<UInt8>) {
    if bytes.isEmpty, !range.isEmpty, CollapsedText.isPlain(range, of: source) {
      hasBlank = false
      unsafe source.extracting(range).withUnsafeBufferPointer {
        unsafe bytes.append(contentsOf: $0)
      }
      return
    }
    for index in range { append(source[index]) }
  }

  /// Returns whether a range, which must not be empty, has no blanks at its ends, no two blanks in
  /// a row and no control characters.
  private static func isPlain(
    _ range: Range<Int>, of source: borrowing Span<UInt8>
  ) -> Bool {
    guard source[range.lowerBound] > 0x20, source[range.upperBound - 1] > 0x20 else { return false }
    var last: UInt8 = 0
    for index in range {
      let byte = unsafe source[unchecked: index]
      if byte < 0x20 || byte == 0x7F || byte == 0x20 && last == 0x20 { return false }
      last = byte
    }
    return true
  }

  /// Returns whether the text equals `word`.
  func equals(_ word: StaticString) -> Bool {
    guard word.utf8CodeUnitCount == bytes.count else { return false }
    return word.withUTF8Buffer { unsafe $0.elementsEqual(bytes) }
  }
}
