/// A position in a text, with its line and column.
///
/// Positions are computed forward from an earlier position. A reader that computes them in order
/// scans each byte once.
struct TextPlace: Hashable, Sendable {
  /// The number of bytes before the position.
  private(set) var offset = 0
  /// The physical line, from 1.
  private(set) var line = 1
  /// The column, in characters from 1.
  private(set) var column = 1

  /// Returns a later position of the same UTF-8 text.
  ///
  /// An offset at or before this position returns `self`. A line ends with CR, LF or CRLF.
  /// - Complexity: O(*n*), where *n* is the number of bytes in between.
  func advanced(to target: Int, in bytes: [UInt8]) -> TextPlace {
    var place = self
    let end = min(target, bytes.count)
    while place.offset < end {
      let byte = bytes[place.offset]
      place.offset += 1
      if byte == 0x0A || (byte == 0x0D && !Self.isLineFeed(bytes, at: place.offset)) {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    return place
  }

  private static func isLineFeed(_ bytes: [UInt8], at index: Int) -> Bool {
    index < bytes.count && bytes[index] == 0x0A
  }
}

/// Extracts text from bytes.
///
/// Each run of spaces, tabs and other control characters becomes one space, and none remain at
/// either end.
struct TextCleaner {
  private var buffer: [UInt8] = []

  /// Returns the text of a range of UTF-8 bytes.
  /// - Complexity: O(*n*) in the length of the range.
  mutating func text(_ range: Range<Int>, in bytes: [UInt8]) -> String {
    var range = range
    while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
    while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
    var wasBlank = false
    for index in range {
      let byte = bytes[index]
      if byte > 0x20 {
        wasBlank = false
      } else if wasBlank || byte < 0x20 {
        return collapsed(range, in: bytes)
      } else {
        wasBlank = true
      }
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func collapsed(_ range: Range<Int>, in bytes: [UInt8]) -> String {
    buffer.removeAll(keepingCapacity: true)
    for index in range {
      let byte = bytes[index]
      if byte > 0x20 {
        buffer.append(byte)
      } else if let last = buffer.last, last != 0x20 {
        buffer.append(0x20)
      }
    }
    return String(decoding: buffer, as: UTF8.self)
  }
}
