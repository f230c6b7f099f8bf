import DaybookEntities

/// Validation of UTF-8 before a text is parsed byte by byte.
enum ValidText {
  /// Checks that a text is valid UTF-8.
  ///
  /// - Parameter path: The path of the file, if several files are read.
  /// - Throws: `InterchangeError` with code `encoding`, and the line and column of the first
  ///   invalid byte.
  static func check(_ bytes: [UInt8], of path: String? = nil) throws(InterchangeError) {
    guard let offset = invalidByte(in: bytes.span) else { return }
    let place = TextPlace().advanced(to: offset, in: bytes)
    var error = InterchangeError(
      .encoding, "The text here isn't valid UTF-8.",
      remedy: "Set the file's actual encoding with --encoding, such as windows-1252.",
      line: place.line)
    error.column = place.column
    if let path { error.path = path }
    throw error
  }

  /// Returns the offset of the first invalid byte, or `nil` if all bytes are valid UTF-8.
  ///
  /// If a character is cut off or has an invalid later byte, the offset of its first byte is
  /// returned.
  ///
  /// - Complexity: O(*n*) in the number of bytes. ASCII is checked sixteen bytes at a time.
  static func invalidByte(in bytes: borrowing Span<UInt8>) -> Int? {
    let count = bytes.count
    let raw = bytes.bytes
    var offset = 0
    while offset < count {
      while offset + 16 <= count {
        let low = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let high = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        if (low | high) & 0x8080_8080_8080_8080 != 0 {
          let first = UInt64(littleEndian: low) & 0x8080_8080_8080_8080
          offset += first == 0 ? 8 : first.trailingZeroBitCount >> 3
          break
        }
        offset += 16
      }
      while offset < count, bytes[offset] < 0x80 { offset += 1 }
      while offset < count, bytes[offset] >= 0x80 {
        let length = length(ofCharacterAt: offset, in: raw)
        if length == 0 { return offset }
        offset += length
      }
    }
    return nil
  }

  /// Returns the length in bytes of a character whose first byte is 0x80 or higher, or 0 if the
  /// character isn't valid (The Unicode Standard, table 3-7).
  @inline(__always)
  private static func length(ofCharacterAt offset: Int, in bytes: RawSpan) -> Int {
    @inline(__always)
    func byte(_ place: Int) -> UInt8 {
      unsafe bytes.unsafeLoad(fromByteOffset: offset + place, as: UInt8.self)
    }
    let left = bytes.byteCount - offset
    let first = byte(0)
    guard left >= 2, first >= 0xC2, byte(1) & 0xC0 == 0x80 else { return 0 }
    if first < 0xE0 { return 2 }
    guard left >= 3, byte(2) & 0xC0 == 0x80 else { return 0 }
    let second = byte(1)
    if first < 0xF0 {
      // Reject overlong forms and surrogates.
      return (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ? 0 : 3
    }
    guard left >= 4, byte(3) & 0xC0 == 0x80 else { return 0 }
    let isBeyond = first > 0xF4 || (first == 0xF4 && second >= 0x90)
    return isBeyond || (first == 0xF0 && second < 0x90) ? 0 : 4
  }
}
