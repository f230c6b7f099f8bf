/// A key of a projection's table: at most 31 bytes, stored inline.
///
/// Keys can be built, hashed, compared and sorted by the million without heap allocations. Numbers
/// are appended most significant byte first, so that keys have the same order as their parts.
///
/// A part that doesn't fit is left out, and the key is marked as too long; see ``isTooLong``. A
/// projection that writes such a key to a table is quarantined, and a query that reads with one
/// throws.
public struct TableKey: Hashable, Comparable, Sendable {
  // Four big-endian words. The last byte of the last word is the count, with its highest bit set if
  // the key is too long. Bytes past the count are zero, so comparing words compares bytes, and a
  // prefix of a key comes before the key.
  @usableFromInline var word0: UInt64 = 0
  @usableFromInline var word1: UInt64 = 0
  @usableFromInline var word2: UInt64 = 0
  @usableFromInline var word3: UInt64 = 0

  /// The maximum number of bytes in a key.
  public static let byteCountMax = 31

  /// Creates an empty key.
  @inlinable
  public init() {}

  /// Creates a key from its words; the last byte of the last word is the byte count.
  @inlinable
  init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
    self.word3 = word3
  }

  /// The number of bytes.
  @inlinable
  public var count: Int { Int(truncatingIfNeeded: word3 & 0x1f) }

  /// Whether an append exceeded ``byteCountMax`` bytes, so that parts of the key are missing.
  @inlinable
  public var isTooLong: Bool { word3 & 0x80 != 0 }

  /// Appends the lowest `byteCount` bytes of `value`, most significant byte first.
  ///
  /// - Parameter byteCount: A number from 0 to 8.
  @inlinable
  @inline(__always)
  public mutating func append(_ value: UInt64, byteCount: Int) {
    // In a key that is too long, this value includes the mark, so nothing more is appended.
    let start = Int(truncatingIfNeeded: word3 & 0xff)
    guard byteCount >= 0, byteCount <= 8, start + byteCount <= TableKey.byteCountMax else {
      word3 |= 0x80
      return
    }
    let aligned = value << UInt64(64 - 8 * byteCount)
    let offset = start & 7
    let first = aligned >> UInt64(8 * offset)
    let second = offset + byteCount > 8 ? aligned << UInt64(64 - 8 * offset) : 0
    switch start >> 3 {
    case 0:
      word0 |= first
      word1 |= second
    case 1:
      word1 |= first
      word2 |= second
    case 2:
      word2 |= first
      word3 |= second
    default:
      word3 |= first
    }
    word3 = (word3 & ~0xff) | UInt64(start + byteCount)
  }

  /// Appends one byte.
  @inlinable
  @inline(__always)
  public mutating func append(u8 value: UInt8) { append(UInt64(value), byteCount: 1) }

  /// Appends four bytes.
  @inlinable
  @inline(__always)
  public mutating func append(u32 value: UInt32) { append(UInt64(value), byteCount: 4) }

  /// Appends the lowest five bytes of a recording number.
  @inlinable
  @inline(__always)
  public mutating func append(u40 value: UInt64) { append(value, byteCount: 5) }

  /// Appends eight bytes.
  @inlinable
  @inline(__always)
  public mutating func append(u64 value: UInt64) { append(value, byteCount: 8) }

  /// Appends a code of up to seven characters, followed by a zero byte.
  ///
  /// - Parameter packed: The characters in the upper seven bytes, most significant byte first. The
  ///   lowest byte is ignored.
  @inlinable
  public mutating func append(code packed: UInt64) {
    let characters = packed & ~0xff
    let used = characters == 0 ? 0 : 8 - (characters.trailingZeroBitCount >> 3)
    append(characters >> UInt64(8 * (7 - used)), byteCount: used + 1)
  }

  /// Appends bytes.
  @inlinable
  public mutating func append(bytes: RawSpan) {
    if bytes.byteCount > TableKey.byteCountMax {
      word3 |= 0x80
      return
    }
    for offset in 0..<bytes.byteCount {
      append(u8: unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
  }

  /// Creates a key from bytes.
  @inlinable
  public init(bytes: RawSpan) {
    self.init()
    append(bytes: bytes)
  }

  /// The least key that is greater than every key with this prefix, or `nil` if there is none.
  @inlinable
  public var afterPrefix: TableKey? {
    var length = count
    while length > 0 {
      var shorter = TableKey()
      for offset in 0..<(length - 1) { shorter.append(u8: self[offset]) }
      let last = self[length - 1]
      if last < 0xff {
        shorter.append(u8: last + 1)
        return shorter
      }
      length -= 1
    }
    return nil
  }

  /// The byte at `offset`, counted from 0.
  @inlinable
  public subscript(offset: Int) -> UInt8 {
    let word =
      switch offset >> 3 {
      case 0: word0
      case 1: word1
      case 2: word2
      default: word3
      }
    return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (offset & 7)))
  }

  /// The words with their bytes in key order; only the first ``count`` bytes belong to the key.
  @inlinable
  package var words: CollectionOfOne<Words> { CollectionOfOne(Words(self)) }

  /// The 31 bytes of a key and its count byte, in memory order.
  @usableFromInline
  @frozen
  package struct Words: BitwiseCopyable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    @usableFromInline let third: UInt64
    @usableFromInline let fourth: UInt64

    @inlinable
    init(_ key: TableKey) {
      first = key.word0.bigEndian
      second = key.word1.bigEndian
      third = key.word2.bigEndian
      fourth = key.word3.bigEndian
    }
  }

  /// Calls `body` with the key's bytes.
  @inlinable
  public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    let words = words
    return try body(words.span.bytes.extracting(first: count))
  }

  /// Orders keys by their bytes.
  @inlinable
  public static func < (left: TableKey, right: TableKey) -> Bool {
    if left.word0 != right.word0 { return left.word0 < right.word0 }
    if left.word1 != right.word1 { return left.word1 < right.word1 }
    if left.word2 != right.word2 { return left.word2 < right.word2 }
    return left.word3 < right.word3
  }

  /// A fast, unseeded hash of all bytes, for hash tables that live only as long as a batch.
  @inlinable
  package var mixed: UInt64 {
    var hash = word0 &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ (hash >> 32) ^ word1) &* 0xD6E8_FEB8_6659_FD93
    hash = (hash ^ (hash >> 32) ^ word2) &* 0xA076_1D64_78BD_642F
    hash = (hash ^ (hash >> 32) ^ word3) &* 0xE703_7ED1_A0B4_28DB
    return hash ^ (hash >> 29)
  }
}

extension TableKey {
  /// Creates a key from bytes, or returns `nil` if there are more than ``byteCountMax``.
  @inline(__always)
  package init?(loading bytes: RawSpan) {
    let count = bytes.byteCount
    guard count <= TableKey.byteCountMax else { return nil }
    func word(_ start: Int) -> UInt64 {
      count >= start + 8
        ? bytes.word(at: start).byteSwapped
        : start < count ? bytes.word(from: start, to: count).byteSwapped : 0
    }
    self.init(word(0), word(8), word(16), word(24) | UInt64(count))
  }
}

extension RawSpan {
  /// Returns the eight bytes from `offset` on as a little-endian number.
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns one to eight bytes as a little-endian number.
  @inline(__always)
  fileprivate func word(from start: Int, to end: Int) -> UInt64 {
    // If the load would read past the end, load from an earlier offset and shift.
    if byteCount >= 8 {
      let place = min(start, byteCount - 8)
      let word = word(at: place) &>> UInt64(8 * (start - place))
      let length = end - start
      return length == 8 ? word : word & (1 &<< UInt64(8 * length) &- 1)
    }
    return extracting(start..<end).wholeWord
  }
}
