public import Entities

/// Steps through the numbers of a row of a table of bitmaps, ascending, without making a set of them.
public struct BitmapNumbers: ~Escapable {
  @usableFromInline let value: RawSpan
  @usableFromInline let isPlain: Bool
  @usableFromInline var offset = 0
  @usableFromInline var least = 0
  @usableFromInline var word: UInt64 = 0

  /// The numbers that a row's value holds.
  @inlinable
  @_lifetime(copy value)
  public init(_ value: RawSpan) {
    if let bits = Bitmap.plainBits(of: value) {
      self.value = bits
      isPlain = true
    } else {
      self.value = value
      isPlain = false
    }
  }

  /// The next number, or `nil` at the end.
  ///
  /// - Throws: `DecodingFault` where the bytes are no set.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func next() throws(DecodingFault) -> Int? {
    if isPlain { return nextBit() }
    guard offset < value.byteCount else { return nil }
    var gap = Int(unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    offset += 1
    if gap >= 0x80 {
      guard offset < value.byteCount else { throw .truncated(atByte: offset) }
      let high = unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      gap = gap & 0x7f | Int(high) << 7
      offset += 1
    }
    let number = least + gap
    guard number < Bitmap.bitCount else { throw .invalidValue("bitmap") }
    least = number + 1
    return number
  }

  /// The next number of a set that is written bit by bit.
  @inlinable
  @_lifetime(self: copy self)
  mutating func nextBit() -> Int? {
    while word == 0 {
      if offset == value.byteCount { return nil }
      word = Bitmap.word(offset >> 3, of: value)
      offset += 8
    }
    let number = (offset - 8) << 3 + word.trailingZeroBitCount
    word &= word - 1
    return number
  }
}
