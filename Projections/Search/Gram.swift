import DaybookBookkeeping
import DaybookEngine

/// Three consecutive scalars of a folded text, hashed to three bytes.
///
/// The hash consists of 10 bits of the first scalar, 10 bits of the second and 4 bits of the third.
/// The last scalar of a text is followed by zeros.
///
/// The bits of the first two scalars come first, so that a term of one or two scalars is a range of
/// grams. Different scalars can have the same hash, so rows that are found by gram must be tested.
/// No gram begins with 1 to 31, which are reserved for ``FigureCode``.
struct Gram {
  /// The number of bits of the third scalar's hash that are used; the other bits are 0.
  ///
  /// Each additional bit makes the index more selective, and increases the number of rows to write.
  private static let thirdBitCount: UInt32 = 2

  static func value(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> UInt32 {
    hash(first) << 14 | hash(second) << 4 | mixed(third) >> (32 - thirdBitCount)
  }

  /// Returns the range of grams that begin with one or two scalars.
  static func range(_ first: UInt32, _ second: UInt32? = nil) -> Range<UInt32> {
    let lower = hash(first) << 14 | (second.map { hash($0) << 4 } ?? 0)
    return lower..<lower + (second == nil ? 1 << 14 : 1 << 4)
  }

  // Each printable ASCII scalar has its own hash, so that the most common searches have no
  // collisions. All control characters have the same hash as the last ASCII scalar.
  private static func hash(_ scalar: UInt32) -> UInt32 {
    if scalar >= 0x80 { return 0x80 + (mixed(scalar) >> 8) % 896 }
    return scalar >= 0x20 || scalar == 0 ? scalar : 0x7f
  }

  private static func mixed(_ scalar: UInt32) -> UInt32 { scalar &* 0x9E37_79B1 }

  /// Appends the grams of a folded text to `grams`.
  static func add(_ scalars: [UInt32], to grams: inout [UInt32]) {
    let count = scalars.count
    for place in scalars.indices {
      grams.append(
        value(
          scalars[place], place + 1 < count ? scalars[place + 1] : 0,
          place + 2 < count ? scalars[place + 2] : 0))
    }
  }
}

extension Gram {
  /// The maximum number of grams for which a hash table on the stack is used; a larger number of
  /// grams is sorted instead.
  private static let countMax = 64

  /// Removes repeated grams.
  static func removeRepeats(from grams: inout [UInt32]) {
    if grams.count > countMax {
      grams.sort()
      var last: UInt32?
      grams.removeAll { gram in
        defer { last = gram }
        return gram == last
      }
      return
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 128) { room in
      unsafe room.initialize(repeating: 0)
      var slots = unsafe MutableSpan(_unsafeElements: room)
      removeRepeats(from: &grams, noting: &slots)
    }
  }

  /// Removes repeated grams with a hash table.
  ///
  /// - Parameter slots: 128 slots, all 0.
  @inline(__always)
  private static func removeRepeats(
    from grams: inout [UInt32], noting slots: inout MutableSpan<UInt32>
  ) {
    // The hash table uses open addressing. Each gram is stored plus 1, so 0 marks an empty slot.
    var count = 0
    for place in grams.indices {
      let entry = grams[place] + 1
      var slot = Int(mixed(entry) >> 25)
      while slots[slot] != 0, slots[slot] != entry { slot = (slot + 1) & 127 }
      if slots[slot] == entry { continue }
      slots[slot] = entry
      grams[count] = grams[place]
      count += 1
    }
    grams.removeLast(grams.count - count)
  }
}

/// The keys of the projection's tables.
enum SearchKey {
  /// The number of rows whose days are stored in one bitmap of `days`.
  ///
  /// Each day takes 32 bits. With this number of rows, four bitmaps fit on a page of 4,096 bytes.
  static let dayCount: UInt64 = 248

  /// The number of rows in a chunk; their recording numbers are consecutive.
  ///
  /// All bitmaps of a chunk are adjacent, on about thirty pages. Transactions that are recorded one
  /// after another therefore write to the same pages, however many grams they have. With larger
  /// chunks, a search would read fewer chunks, but recording would write to more pages.
  static let chunkSize: UInt64 = 4_096

  static func grams(_ gram: UInt32, _ chunk: UInt32) -> TableKey {
    var key = grams(of: chunk)
    key.append(UInt64(gram), byteCount: 3)
    return key
  }

  /// Returns the prefix of the keys of a chunk's grams.
  static func grams(of chunk: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u32: chunk)
    return key
  }

  static func days(_ number: UInt64) -> TableKey {
    var key = TableKey()
    key.append(u32: UInt32(truncatingIfNeeded: number / dayCount))
    return key
  }

  static func span(_ span: UInt32, _ chunk: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u64: UInt64(span) << 32 | UInt64(chunk))
    return key
  }

  /// Returns the chunk that contains a recording number.
  static func chunk(_ number: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: number / chunkSize)
  }

  /// Returns the position of a recording number in the bitmaps of its chunk.
  static func place(_ number: UInt64) -> Int { Int(number % chunkSize) }

  /// Returns the 16-day span that contains a day.
  static func span(of day: Day) -> UInt32 { day.biased >> 4 }
}
