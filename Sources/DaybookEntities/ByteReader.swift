/// An error found while decoding bytes.
public enum DecodingFault: Error, Hashable, Sendable {
  /// The bytes end before the value does.
  case truncated(atByte: Int)
  /// A number doesn't fit into its type.
  case overlong(atByte: Int)
  /// A text isn't valid UTF-8.
  case invalidText(atByte: Int)
  /// A value isn't valid for its property; the text names the property.
  case invalidValue(String)
}

/// A cursor that decodes values in Daybook's encoding from a span.
///
/// It never reads past the end of the span.
public struct ByteReader: ~Escapable {
  /// The bytes being read.
  public let span: RawSpan
  /// The offset of the next byte to read.
  public var offset = 0

  /// Creates a reader at the start of `span`.
  @inlinable
  @_lifetime(copy span)
  public init(_ span: RawSpan) { self.span = span }

  /// Creates a reader at the start of an array.
  ///
  /// The array is borrowed for the lifetime of the reader.
  @inlinable
  @_lifetime(borrow bytes)
  public init(_ bytes: borrowing [UInt8]) { span = bytes.span.bytes }

  /// Whether all bytes have been read.
  @inlinable
  public var isAtEnd: Bool { offset >= span.byteCount }

  /// Skips `count` bytes and returns their offset.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(DecodingFault) -> Int {
    let start = offset
    guard count >= 0, span.byteCount - start >= count else { throw .truncated(atByte: start) }
    offset = start + count
    return start
  }

  /// Reads one byte.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u8() throws(DecodingFault) -> UInt8 {
    let start = try skip(1)
    return unsafe span.unsafeLoad(fromByteOffset: start, as: UInt8.self)
  }

  /// Reads two bytes, most significant first.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u16be() throws(DecodingFault) -> UInt16 {
    let start = try skip(2)
    return unsafe UInt16(
      bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt16.self))
  }

  /// Reads four bytes, most significant first.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u32be() throws(DecodingFault) -> UInt32 {
    let start = try skip(4)
    return unsafe UInt32(
      bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self))
  }

  /// Reads eight bytes, most significant first.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func u64be() throws(DecodingFault) -> UInt64 {
    let start = try skip(8)
    return unsafe UInt64(
      bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Reads an unsigned LEB128 number of at most 64 bits.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func varint() throws(DecodingFault) -> UInt64 {
    if let short = shortVarint() { return short }
    return try longVarint()
  }

  /// Decodes a varint of at most eight bytes from one 64-bit word.
  ///
  /// Returns `nil` without reading anything if the span has fewer than eight bytes, or if the
  /// number is longer. The number ends at the first byte whose highest bit is clear; its seven-bit
  /// groups are joined in three steps. If fewer than eight bytes are left, the word is loaded from
  /// the last eight bytes of the span and shifted down. The missing bytes are masked so that they
  /// can't end the number.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func shortVarint() -> UInt64? {
    let left = span.byteCount - offset
    guard left > 0, span.byteCount >= 8 else { return nil }
    let missing = UInt64(max(8 - left, 0))
    let word = unsafe UInt64(
      littleEndian: span.unsafeLoadUnaligned(
        fromByteOffset: offset - Int(missing), as: UInt64.self))
    let present = word &>> (8 &* missing)
    let ends = ~present & (0x8080_8080_8080_8080 &>> (8 &* missing))
    if ends == 0 { return nil }
    let bitCount = ends.trailingZeroBitCount + 1
    offset += bitCount >> 3
    var bits = present & (UInt64.max &>> UInt64(64 - bitCount)) & 0x7f7f_7f7f_7f7f_7f7f
    bits = bits & 0x007f_007f_007f_007f | (bits & 0x7f00_7f00_7f00_7f00) >> 1
    bits = bits & 0x0000_3fff_0000_3fff | (bits & 0x3fff_0000_3fff_0000) >> 2
    return bits & 0x0000_0000_0fff_ffff | (bits & 0x0fff_ffff_0000_0000) >> 4
  }

  /// Decodes a varint of any length, byte by byte.
  @inlinable
  @inline(never)
  @_lifetime(self: copy self)
  mutating func longVarint() throws(DecodingFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    let start = offset
    while shift < 64 {
      let byte = try u8()
      let bits = UInt64(byte & 0x7f)
      if shift == 63, bits > 1 { throw .overlong(atByte: start) }
      value |= bits << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .overlong(atByte: start)
  }

  /// Reads a varint that is the number of items that follow.
  ///
  /// Each item takes at least one byte, so the number can't exceed the number of remaining bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func count() throws(DecodingFault) -> Int {
    let start = offset
    let first = try u8()
    if first < 0x80, Int(first) <= span.byteCount - offset { return Int(first) }
    offset = start
    let value = try longVarint()
    guard value <= UInt64(span.byteCount - offset) else { throw .truncated(atByte: start) }
    return Int(truncatingIfNeeded: value)
  }

  /// Reads a signed number in zigzag encoding.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func zigzag() throws(DecodingFault) -> Int64 {
    let folded = try varint()
    return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
  }

  /// Reads `count` bytes as a span.
  @inlinable
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  public mutating func raw(_ count: Int) throws(DecodingFault) -> RawSpan {
    let start = try skip(count)
    return span.extracting(start..<start + count)
  }

  /// Reads a copy of `count` bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func bytes(_ count: Int) throws(DecodingFault) -> [UInt8] {
    let start = try skip(count)
    return span.extracting(start..<start + count).copied()
  }

  /// Reads a text that is preceded by its byte count.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func string() throws(DecodingFault) -> String {
    let length = try count()
    return try text(length)
  }

  /// Reads a text of `length` bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func text(_ length: Int) throws(DecodingFault) -> String {
    let start = try skip(length)
    let part = span.extracting(start..<start + length)
    if part.isASCII {
      return unsafe part.withUnsafeBytes { bytes in
        unsafe String(unsafeUninitializedCapacity: bytes.count) { room in
          _ = unsafe UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
          return bytes.count
        }
      }
    }
    let decoded = unsafe part.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let decoded else { throw .invalidText(atByte: start) }
    return decoded
  }

  /// Reads an id of sixteen bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func id() throws(DecodingFault) -> EntityID {
    let high = try u64be()
    let low = try u64be()
    return EntityID(high: high, low: low)
  }
}

extension RawSpan {
  /// Whether all bytes are ASCII.
  @inlinable
  package var isASCII: Bool {
    var offset = 0
    var seen: UInt64 = 0
    if byteCount >= 8 {
      // Load the last eight bytes first; they may overlap with the bytes loaded below.
      seen = unsafe unsafeLoadUnaligned(fromByteOffset: byteCount - 8, as: UInt64.self)
      while offset < byteCount - 8 {
        seen |= unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      return seen & 0x8080_8080_8080_8080 == 0
    }
    while offset < byteCount {
      seen |= UInt64(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the bytes as an array.
  @inlinable
  public func copied() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
