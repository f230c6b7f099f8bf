public import DaybookEntities

/// A set of numbers from 0 to 8,191, stored as one row of a table of bitmaps.
///
/// A set of fewer than 512 numbers is stored as gaps, in ascending order of the numbers: for each
/// number, a varint contains the count of numbers skipped since the previous one. This takes less
/// than 1,024 bytes and never begins with two bytes of 255.
///
/// A larger set is stored as 1,024 bytes of bits: number *n* is bit *n* mod 8 of byte *n* / 8. If
/// at least the last eight bytes are 0, the row instead contains two bytes of 255, followed by the
/// eight-byte words up to the last nonzero word.
///
/// Equal sets are always stored as equal bytes.
public struct Bitmap: Hashable, Sendable {
  /// The number of distinct values that a set can contain: 0 to 8,191.
  public static let bitCount = 8_192
  @usableFromInline static let byteCount = bitCount / 8
  /// The minimum count at which a set is stored as bits.
  static let plainCountMin = 512

  /// The set as bits, 64 to a word; bit 0 of the first word stands for the number 0.
  public private(set) var words: [UInt64]

  /// Creates an empty set.
  public init() { words = [UInt64](repeating: 0, count: Bitmap.bitCount / 64) }

  /// Decodes a set from a row's value.
  ///
  /// - Throws: `DecodingFault` if the bytes don't encode a set.
  public init(_ span: RawSpan) throws(DecodingFault) {
    self.init()
    try flip(contentsOf: span)
  }

  /// Whether the set contains no numbers.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The number of members.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Returns whether the set contains a number.
  ///
  /// - Precondition: the number is from 0 to 8,191.
  public func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }

  /// Inserts a number if it is absent, and removes it if it is present.
  ///
  /// - Precondition: the number is from 0 to 8,191.
  public mutating func flip(_ number: Int) { words[number >> 6] ^= 1 << UInt64(number & 63) }

  /// Removes all numbers.
  mutating func removeAll() { for index in words.indices { words[index] = 0 } }

  /// Flips each number of a stored set in this set, which becomes the symmetric difference of the
  /// two.
  ///
  /// - Throws: `DecodingFault` if the bytes don't encode a set; this set must not be used after
  ///   that.
  public mutating func flip(contentsOf span: RawSpan) throws(DecodingFault) {
    try words.withMutableSpan { (words) throws(DecodingFault) -> Void in
      try Bitmap.flip(span, in: &words)
    }
  }

  /// Flips each number of a stored set in an array of words.
  ///
  /// Each word holds 64 numbers; bit 0 of the first word stands for the number 0. `words` may be
  /// shorter than a whole set.
  ///
  /// - Throws: `DecodingFault` if the bytes don't encode a set, or if they contain a number beyond
  ///   the end of `words`.
  public static func flip(
    _ value: RawSpan, in words: inout MutableSpan<UInt64>
  ) throws(DecodingFault) {
    if let bits = plainBits(of: value) {
      let count = bits.byteCount / 8
      for index in 0..<min(words.count, count) { words[index] ^= word(index, of: bits) }
      for index in min(words.count, count)..<count
      where word(index, of: bits) != 0 { throw .invalidValue("bitmap") }
      return
    }
    let limit = min(words.count * 64, bitCount)
    var (offset, next) = (0, 0)
    while offset < value.byteCount {
      var gap = Int(unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
      if gap >= 0x80 {
        guard offset < value.byteCount else { throw .truncated(atByte: offset) }
        let high = unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        gap = gap & 0x7f | Int(high) << 7
        offset &+= 1
      }
      let number = next &+ gap
      guard number < limit else { throw .invalidValue("bitmap") }
      words[number >> 6] ^= 1 << UInt64(number & 63)
      next = number &+ 1
    }
  }

  /// Returns which of the 32 numbers from `first` on a stored set contains, with one bit for each
  /// number.
  ///
  /// - Precondition: `first` is a multiple of 8, from 0 to 8,160.
  /// - Throws: `DecodingFault` if the bytes don't encode a set.
  public static func mask(from first: Int, of value: RawSpan) throws(DecodingFault) -> UInt32 {
    precondition(
      first >= 0 && first <= bitCount - 32 && first & 7 == 0, "a mask begins with a byte")
    if let bits = plainBits(of: value), first >> 3 + 4 <= bits.byteCount {
      return unsafe UInt32(
        littleEndian: bits.unsafeLoadUnaligned(fromByteOffset: first >> 3, as: UInt32.self))
    }
    let bitmap = try Bitmap(value)
    let (index, shift) = (first >> 6, UInt64(first & 63))
    var word = bitmap.words[index] >> shift
    if shift > 32 { word |= bitmap.words[index + 1] << (64 - shift) }
    return UInt32(truncatingIfNeeded: word)
  }

  /// Adds the numbers of another set.
  public mutating func formUnion(_ other: Bitmap) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Removes the numbers that are absent from another set.
  public mutating func formIntersection(_ other: Bitmap) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Calls `body` with each number, in ascending order.
  @inlinable
  public func forEachNumber(_ body: (Int) throws -> Void) rethrows {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        try body(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }

  /// The set, encoded as a row's value.
  var bytes: [UInt8] {
    let count = count
    if count >= Bitmap.plainCountMin { return plainBytes }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 2)
    var next = 0
    forEachNumber { number in
      Bitmap.append(gap: number - next, to: &bytes)
      next = number + 1
    }
    return bytes
  }

  private static func append(gap: Int, to bytes: inout [UInt8]) {
    if gap < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: gap))
    } else {
      bytes.append(UInt8(truncatingIfNeeded: gap) | 0x80)
      bytes.append(UInt8(truncatingIfNeeded: gap >> 7))
    }
  }

  /// Returns a row's value after flipping numbers, which must be ascending and distinct.
  ///
  /// Two common cases are fast: adding numbers greater than all numbers of a small set, and
  /// flipping any numbers of a large set.
  ///
  /// - Throws: `DecodingFault` if the bytes don't encode a set.
  static func flip(
    _ numbers: ArraySlice<UInt16>, of value: RawSpan
  ) throws(DecodingFault) -> [UInt8] {
    if let bits = plainBits(of: value) {
      // Flip in place unless the value would get longer or shorter, or too few numbers would
      // remain.
      let last = Int(numbers.last ?? 0)
      if last >> 3 < bits.byteCount {
        let start = value.byteCount - bits.byteCount
        var bytes = value.copied()
        for number in numbers { bytes[start + Int(number >> 3)] ^= 1 << UInt8(number & 7) }
        let words = bytes.span.bytes.extracting(droppingFirst: start)
        var count = 0
        for index in 0..<bits.byteCount / 8 { count += word(index, of: words).nonzeroBitCount }
        let isWhole = word(bits.byteCount / 8 - 1, of: words) != 0
        if isWhole, count >= Bitmap.plainCountMin { return bytes }
      }
      var bitmap = try Bitmap(value)
      bitmap.flip(numbers)
      return bitmap.bytes
    }
    if let first = numbers.first {
      // Scan the whole set to count its numbers and to find the first number after `last`.
      var (count, next, low) = (0, 0, 0)
      var isSecond = false
      for offset in 0..<value.byteCount {
        let byte = Int(unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        if isSecond {
          next += low + byte << 7 + 1
          isSecond = false
          count += 1
        } else if byte >= 0x80 {
          low = byte & 0x7f
          isSecond = true
        } else {
          next += byte + 1
          count += 1
        }
      }
      if !isSecond, Int(first) >= next, count + numbers.count < Bitmap.plainCountMin {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.byteCount + numbers.count * 2)
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        append(numbers, from: next, to: &bytes)
        return bytes
      }
    }
    var bitmap = try Bitmap(value)
    bitmap.flip(numbers)
    return bitmap.bytes
  }

  /// Appends a set's encoding to `bytes`; the numbers must be ascending and distinct.
  static func write(_ numbers: ArraySlice<UInt16>, to bytes: inout [UInt8]) {
    if numbers.count < plainCountMin { return append(numbers, from: 0, to: &bytes) }
    var bitmap = Bitmap()
    bitmap.flip(numbers)
    bytes += bitmap.plainBytes
  }

  private static func append(
    _ numbers: ArraySlice<UInt16>, from first: Int, to bytes: inout [UInt8]
  ) {
    var next = first
    for number in numbers {
      append(gap: Int(number) - next, to: &bytes)
      next = Int(number) + 1
    }
  }

  private var plainBytes: [UInt8] {
    let wordCount = (words.lastIndex { $0 != 0 } ?? 0) + 1
    var bytes = wordCount == words.count ? [] : Bitmap.shortMark
    bytes.reserveCapacity(Bitmap.byteCount)
    for word in words.prefix(wordCount) {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// The prefix of a set stored as bits without its trailing zero words.
  ///
  /// No gap is this large, so a set stored as gaps can't begin with this prefix.
  private static let shortMark: [UInt8] = [0xff, 0xff]

  /// Returns the bits of a row's value up to the last nonzero word, or `nil` if the set is stored
  /// as gaps.
  @usableFromInline
  @_lifetime(copy value)
  static func plainBits(of value: RawSpan) -> RawSpan? {
    let count = value.byteCount
    if count == byteCount { return value }
    guard count & 7 == 2, count > 2,
      unsafe value.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self) == 0xffff
    else { return nil }
    return value.extracting(droppingFirst: 2)
  }

  @usableFromInline
  static func word(_ index: Int, of span: RawSpan) -> UInt64 {
    unsafe UInt64(
      littleEndian: span.unsafeLoadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }
}
