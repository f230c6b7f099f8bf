public import Entities

/// A set of numbers from 0 to 8,191, as a row of a table of bitmaps holds it.
///
/// On disk a set of fewer than 512 numbers is, for each in ascending order, how many were left out
/// before it, as a varint; that is less than 1,024 bytes, and the first two are never both 255. A larger one is 1,024
/// bytes, the number *n* being bit *n* mod 8 of byte *n* / 8; where the last eight or more of these are 0,
/// two bytes of 255, and the others in eights up to the last that are not all 0. Equal sets have equal bytes.
public struct Bitmap: Hashable, Sendable {
  /// How many numbers there are to choose from.
  public static let bitCount = 8_192
  @usableFromInline static let byteCount = bitCount / 8
  /// From so many numbers on a set is written bit by bit.
  static let plainCountMin = 512

  /// The numbers, 64 to a word, the least in the lowest bit of the first.
  public private(set) var words: [UInt64]

  /// The empty set.
  public init() { words = [UInt64](repeating: 0, count: Bitmap.bitCount / 64) }

  /// The set that a row's value holds.
  ///
  /// - Throws: `DecodingFault` where the bytes are no set.
  public init(_ span: RawSpan) throws(DecodingFault) {
    self.init()
    try flip(contentsOf: span)
  }

  /// Whether no number is in the set.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// How many numbers are in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether a number is in the set.
  ///
  /// - Precondition: the number is from 0 to 8,191.
  public func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }

  /// Puts a number in that is not there, or takes it out.
  ///
  /// - Precondition: the number is from 0 to 8,191.
  public mutating func flip(_ number: Int) { words[number >> 6] ^= 1 << UInt64(number & 63) }

  /// Takes all numbers out.
  mutating func removeAll() { for index in words.indices { words[index] = 0 } }

  /// Flips every number of a row's value: what is in one of the two sets alone is then in this one.
  ///
  /// - Throws: `DecodingFault` where the bytes are no set; this one is then not to be used.
  public mutating func flip(contentsOf span: RawSpan) throws(DecodingFault) {
    try words.withMutableSpan { (words) throws(DecodingFault) -> Void in
      try Bitmap.flip(span, in: &words)
    }
  }

  /// Flips every number of a row's value in `words`, which need not have room for all that a set may
  /// have: 64 to a word, the least in the lowest bit of the first.
  ///
  /// - Throws: `DecodingFault` where the bytes are no set, or have a number that there is no room for.
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

  /// Of a row's value, which of the 32 numbers from `first` on are in the set: a bit for each.
  ///
  /// - Precondition: `first` is a multiple of 8, from 0 to 8,160.
  /// - Throws: `DecodingFault` where the bytes are no set.
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

  /// Keeps the numbers alone that another set has too.
  public mutating func formIntersection(_ other: Bitmap) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Gives the numbers to `body`, ascending.
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

  /// The set as a row's value.
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

  /// A row's value with numbers flipped, which are ascending and different.
  ///
  /// What mostly happens costs little: numbers beyond the last of a small set, and any of a large one.
  ///
  /// - Throws: `DecodingFault` where the bytes are no set.
  static func flip(
    _ numbers: ArraySlice<UInt16>, of value: RawSpan
  ) throws(DecodingFault) -> [UInt8] {
    if let bits = plainBits(of: value) {
      // In place, unless it becomes longer or shorter, or has few numbers left.
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
      // The end of the set: how many numbers there are, and where the next could be.
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

  /// Appends a row's value to `bytes`: the set of numbers that are ascending and different.
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

  /// What a set that is written bit by bit begins with where not all of its bytes follow.
  ///
  /// No number of those left out is as large.
  private static let shortMark: [UInt8] = [0xff, 0xff]

  /// The bits of a row's value, the words up to the last that is not 0; `nil` where it is not written bit by bit.
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
