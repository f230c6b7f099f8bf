public import Entities

// A row of sums begins with half a byte for each field that says how many bytes it takes, lowest
// first: one byte for one or two fields, two for three or four. 15 means 16. The fields follow, least
// significant byte first, without leading zeros; a number *n* ≥ 0 is 2*n*, *n* < 0 is −2*n* − 1. With all
// lengths known at once, each field is one load and one mask.
extension Sums {
  /// Reads `fieldCount` fields from a row's value.
  @inlinable
  package init(_ span: RawSpan, fieldCount: Int) throws(DecodingFault) {
    let headerByteCount = fieldCount > 2 ? 2 : 1
    guard span.byteCount >= headerByteCount else { throw .truncated(atByte: 0) }
    var lengths = unsafe UInt32(span.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
    if fieldCount > 2 {
      lengths |= unsafe UInt32(span.unsafeLoad(fromByteOffset: 1, as: UInt8.self)) &<< 8
    }
    // Of an odd number of fields, half a byte has none.
    guard lengths &>> UInt32(4 * fieldCount) == 0 else { throw .invalidValue("sums row") }
    var offset = headerByteCount
    self.init()
    if span.byteCount <= 8 {
      // Most rows fit in one word, header and all.
      let word = span.wholeWord
      var bit: UInt32 = UInt32(headerByteCount) * 8
      field0 = Sums.field(of: word, &bit, lengths & 15)
      if fieldCount > 1 { field1 = Sums.field(of: word, &bit, lengths &>> 4 & 15) }
      if fieldCount > 2 { field2 = Sums.field(of: word, &bit, lengths &>> 8 & 15) }
      if fieldCount > 3 { field3 = Sums.field(of: word, &bit, lengths &>> 12) }
      guard bit == UInt32(span.byteCount) * 8 else { throw .invalidValue("sums row") }
      return
    }
    field0 = try Sums.field(span, &offset, lengths & 15)
    if fieldCount > 1 { field1 = try Sums.field(span, &offset, lengths &>> 4 & 15) }
    if fieldCount > 2 { field2 = try Sums.field(span, &offset, lengths &>> 8 & 15) }
    if fieldCount > 3 { field3 = try Sums.field(span, &offset, lengths &>> 12) }
    guard offset == span.byteCount else { throw .invalidValue("sums row") }
  }

  @inlinable
  @inline(__always)
  static func field(
    _ span: RawSpan, _ offset: inout Int, _ length: UInt32
  ) throws(DecodingFault) -> Int128 {
    let start = offset
    offset += Int(length)
    guard offset <= span.byteCount else { throw .truncated(atByte: start) }
    guard length <= 8 else { return try longField(span, &offset, length) }
    // A load that would pass the end is made earlier and moved down.
    let place = min(start, span.byteCount - 8)
    let word = unsafe UInt64(
      littleEndian: span.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    return unfolded(word &>> UInt64(8 * (start - place)) & mask(length))
  }

  /// A field of a row that is one word; `bit` is where it begins, and moves past it.
  ///
  /// A row whose lengths say more than the word holds leaves `bit` past its end.
  @inlinable
  @inline(__always)
  static func field(of word: UInt64, _ bit: inout UInt32, _ length: UInt32) -> Int128 {
    let start = UInt64(bit)
    bit += length * 8
    return unfolded(word &>> start & mask(length))
  }

  @inlinable
  @inline(__always)
  static func mask(_ length: UInt32) -> UInt64 {
    length == 0 ? 0 : UInt64.max &>> UInt64(64 &- 8 &* length)
  }

  @inlinable
  @inline(__always)
  static func unfolded(_ folded: UInt64) -> Int128 {
    Int128(Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
  }

  /// A field of more than eight bytes.
  @inlinable
  @inline(never)
  static func longField(
    _ span: RawSpan, _ offset: inout Int, _ length: UInt32
  ) throws(DecodingFault) -> Int128 {
    let start = offset - Int(length)
    if length == 15 { offset += 1 }
    guard offset <= span.byteCount else { throw .truncated(atByte: start) }
    var folded: UInt128 = 0
    for place in stride(from: offset - 1, through: start, by: -1) {
      let byte = unsafe span.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      folded = folded &<< 8 | UInt128(byte)
    }
    return Int128(bitPattern: folded >> 1) ^ -Int128(bitPattern: folded & 1)
  }

  /// Writes `fieldCount` fields as a row's value.
  @inlinable
  package func write(to writer: inout ByteWriter, fieldCount: Int) {
    let header = writer.bytes.count
    writer.u8(0)
    if fieldCount > 2 { writer.u8(0) }
    for index in 0..<fieldCount {
      let number = self[index]
      var folded = UInt128(bitPattern: (number << 1) ^ (number >> 127))
      var length = UInt8((135 - folded.leadingZeroBitCount) / 8)
      if length > 14 { length = 15 }
      writer.bytes[header + index / 2] |= length << UInt8((index & 1) * 4)
      for _ in 0..<(length == 15 ? 16 : length) {
        writer.u8(UInt8(truncatingIfNeeded: folded))
        folded >>= 8
      }
    }
  }
}

extension RawSpan {
  /// The bytes of a span of 1 to 8 as one number, the first byte lowest.
  @inlinable
  @inline(__always)
  var wholeWord: UInt64 {
    func load<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> UInt64 {
      let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
      return UInt64(truncatingIfNeeded: Word(littleEndian: word))
    }
    // Two loads that may overlap cover every length.
    let count = byteCount
    if count == 8 { return load(0, UInt64.self) }
    if count >= 4 {
      return load(0, UInt32.self) | load(count - 4, UInt32.self) &<< UInt64(8 * (count - 4))
    }
    if count >= 2 {
      return load(0, UInt16.self) | load(count - 2, UInt16.self) &<< UInt64(8 * (count - 2))
    }
    return load(0, UInt8.self)
  }
}
