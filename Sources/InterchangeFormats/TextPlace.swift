/// Where a byte of a text stands: its line and its column, counted on from an earlier place.
///
/// Counting on costs what lies between; so a reader that asks in order counts every byte once.
struct TextPlace: Hashable, Sendable {
  /// How many bytes are before it.
  private(set) var offset = 0
  /// The physical line, from 1.
  private(set) var line = 1
  /// The column, in characters from 1.
  private(set) var column = 1

  /// A later place of the same text, which is UTF-8; an earlier offset gives this place.
  ///
  /// A line ends with CR, LF or both.
  /// - Complexity: O(bytes between).
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

/// Makes one text of bytes: runs of blanks, tabs and other control characters are one blank, and there is
/// none at either end.
struct TextCleaner {
  private var buffer: [UInt8] = []

  /// The text of a range of UTF-8.
  /// - Complexity: O(bytes).
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
