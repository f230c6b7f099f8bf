public import DaybookEntities

// A row of sums begins with a header that contains the byte length of each field in four bits,
// lowest first; 15 means 16 bytes. The header is one byte for one or two fields, and two bytes for
// three or four. The fields follow, zigzag-encoded: *n* ≥ 0 as 2*n*, *n* < 0 as −2*n* − 1. Their
// bytes are little-endian, without leading zeros. Because all lengths are known at the start,
// reading a field takes one load and one mask.
extension Sums {
  /// Decodes `fieldCount` fields from a row's value.
  ///
  /// - Throws: `DecodingFault` if the value isn't a row with this number of fields.
  @inlinable
  package init(_ span: RawSpan, fieldCount: Int) throws(DecodingFault) {
    let headerByteCount = fieldCount > 2 ? 2 : 1
    guard span.byteCount >= headerByteCount else { throw .truncated(atByte: 0) }
    var lengths = unsafe UInt32(span.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
    if fieldCount > 2 {
      lengths |= unsafe UInt32(span.unsafeLoad(fromByteOffset: 1, as: UInt8.self)) &<< 8
    }
    // If the number of fields is odd, the last four bits of the header must be 0.
    guard lengths &>> UInt32(4 * fieldCount) == 0 else { throw .invalidValue("sums row") }
    var offset = headerByteCount
    self.init()
    if span.byteCount <= 8 {
      // Most rows, including the header, fit in one word.
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
    // If the load would read past the end, load from an earlier offset and shift.
    let place = min(start, span.byteCount - 8)
    let word = unsafe UInt64(
      littleEndian: span.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    return unfolded(word &>> UInt64(8 * (start - place)) & mask(length))
  }

  /// Decodes a field of a row that fits in one word.
  ///
  /// Advances `bit` from the field's first bit to the bit after the field. If the lengths in the
  /// row add up to more than one word, `bit` ends up past the end of the row.
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

  /// Decodes a field of more than eight bytes.
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

  /// Encodes `fieldCount` fields as a row's value.
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
  /// The span's 1 to 8 bytes as a little-endian number.
  @inlinable
  @inline(__always)
  var wholeWord: UInt64 {
    func load<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> UInt64 {
      let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
      return UInt64(truncatingIfNeeded: Word(littleEndian: word))
    }
    // Two loads, which may overlap, cover every length.
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
