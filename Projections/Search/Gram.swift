import Bookkeeping
import Projecting

/// Three neighbouring scalars of a folded text, hashed to three bytes.
///
/// They are 10 bits of the first, 10 of the second, 4 of the third. After a text's last scalar there are
/// zeros.
///
/// The first two lead, so that a term of two scalars or of one is a range of grams. Different grams may
/// meet: what the index finds is looked at. None begins with 1 to 31, which are left to ``FigureCode``.
struct Gram {
  /// How many of the bits of the third scalar's hash are used; the others are 0.
  ///
  /// Each more bit lets the index tell more apart, and makes more rows to write.
  private static let thirdBitCount: UInt32 = 2

  static func value(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> UInt32 {
    hash(first) << 14 | hash(second) << 4 | mixed(third) >> (32 - thirdBitCount)
  }

  /// The grams that begin with a scalar, or with two.
  static func range(_ first: UInt32, _ second: UInt32? = nil) -> Range<UInt32> {
    let lower = hash(first) << 14 | (second.map { hash($0) << 4 } ?? 0)
    return lower..<lower + (second == nil ? 1 << 14 : 1 << 4)
  }

  // Of ASCII each has its own, so that what is mostly searched for meets nothing; but for control characters,
  // which share that of the last one.
  private static func hash(_ scalar: UInt32) -> UInt32 {
    if scalar >= 0x80 { return 0x80 + (mixed(scalar) >> 8) % 896 }
    return scalar >= 0x20 || scalar == 0 ? scalar : 0x7f
  }

  private static func mixed(_ scalar: UInt32) -> UInt32 { scalar &* 0x9E37_79B1 }

  /// Adds the grams of a folded text to `grams`.
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
  /// How many grams have a table of their own on the stack; more are sorted.
  private static let countMax = 64

  /// Leaves out those that were there before.
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

  /// - Parameter slots: 128, of which each is 0.
  @inline(__always)
  private static func removeRepeats(
    from grams: inout [UInt32], noting slots: inout MutableSpan<UInt32>
  ) {
    // Open addressing; 0 is an empty slot, and no gram is 0 after the addition.
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
  /// How many rows' days are in one bitmap of `days`, each taking 32 numbers: so many that four bitmaps go on a
  /// page of 4,096 bytes.
  static let dayCount: UInt64 = 248

  /// How many rows with neighbouring recording numbers are a chunk.
  ///
  /// All bitmaps of a chunk lie together, some thirty pages: what is recorded next to each other is
  /// written there, however many grams it has. Larger chunks are fewer to look at for a search, and
  /// more pages to write to.
  static let chunkSize: UInt64 = 4_096

  static func grams(_ gram: UInt32, _ chunk: UInt32) -> TableKey {
    var key = grams(of: chunk)
    key.append(UInt64(gram), byteCount: 3)
    return key
  }

  /// What the keys of a chunk's grams begin with.
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

  /// Which bitmaps of `grams` a recording number is in.
  static func chunk(_ number: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: number / chunkSize)
  }

  /// The place of a recording number in the bitmaps of its chunk.
  static func place(_ number: UInt64) -> Int { Int(number % chunkSize) }

  /// Which 16 days a day is of.
  static func span(of day: Day) -> UInt32 { day.biased >> 4 }
}
