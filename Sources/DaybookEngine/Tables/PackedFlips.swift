import DaybookEntities

/// Buffers flips of bitmaps with short keys, one word per flip, until they are sorted.
///
/// A bulk build flips about thirty bits per entity. Sorting all flips is cheaper than looking up
/// the key of each flip, because sorting accesses memory in order.
struct PackedFlips {
  // A key of at most eight bytes is read as a big-endian number. A flip contains the lower 51 bits
  // of the key's number, followed by 13 bits for the flipped number. All buffered flips have the
  // same upper 13 bits of the key and the same byte count of the key.
  private var flips: [UInt64] = []
  private var room: [UInt64] = []
  private var keyByteCount = 0
  private var keyHead: UInt64 = 0
  private let countMax: Int

  /// The number of buffered flips at which the buffer is passed to the sorter.
  static let countMax = 1 << 20
  private static let numberBitCount: UInt64 = 13
  private static let numberMask: UInt64 = 1 << numberBitCount - 1

  init(countMax: Int = PackedFlips.countMax) { self.countMax = countMax }

  var isEmpty: Bool { flips.isEmpty }
  var isFull: Bool { flips.count >= countMax }

  /// Buffers a flip of `first` + *i* for each bit *i* that is set in `mask`.
  ///
  /// - Returns: `false`, without buffering anything, if the key is too long or differs from the
  ///   buffered keys in its length or upper bits.
  @inline(__always)
  mutating func add(_ key: TableKey, from first: Int, _ mask: UInt32) -> Bool {
    let byteCount = key.count
    guard byteCount > 0, byteCount <= 8 else { return false }
    let packed = key.word0 >> UInt64(64 - 8 * byteCount)
    guard fits(packed, byteCount) else { return false }
    let flip = packed << PackedFlips.numberBitCount | UInt64(first)
    var rest = mask
    while rest != 0 {
      flips.append(flip + UInt64(rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    return true
  }

  /// Buffers a flip of a number for several keys, each of which is `head` followed by three bytes
  /// from `tails`.
  ///
  /// - Returns: `false`, without buffering anything, if the keys are too long or differ from the
  ///   buffered keys in their length or upper bits.
  mutating func add(_ head: TableKey, tails: [UInt32], _ number: Int) -> Bool {
    let byteCount = head.count + 3
    guard head.count > 0, byteCount <= 8 else { return false }
    let packed = head.word0 >> UInt64(64 - 8 * byteCount)
    guard fits(packed, byteCount) else { return false }
    let flip = packed << PackedFlips.numberBitCount | UInt64(number)
    for tail in tails {
      flips.append(flip + UInt64(tail & 0xff_ffff) << PackedFlips.numberBitCount)
    }
    return true
  }

  /// Returns whether a key has the byte count and upper bits of the buffered keys.
  ///
  /// The first buffered key determines both.
  @inline(__always)
  private mutating func fits(_ packed: UInt64, _ byteCount: Int) -> Bool {
    let head = packed >> (64 - PackedFlips.numberBitCount)
    if flips.isEmpty {
      keyByteCount = byteCount
      keyHead = head
      return true
    }
    return byteCount == keyByteCount && head == keyHead
  }

  /// Calls `body` with each key, in ascending order, and its net flips, and then empties the
  /// buffer.
  ///
  /// The net flips of a key are the numbers flipped an odd number of times, in ascending order.
  /// Keys without net flips are skipped.
  ///
  /// Only the keys are sorted, and the sort is stable. Entities usually arrive in the order of the
  /// numbers that they flip, so the numbers are usually in order as well.
  @inline(__always)
  mutating func drain(_ body: (TableKey, ArraySlice<UInt16>) throws -> Void) rethrows {
    flips.radixSort(with: &room) { $0 & ~PackedFlips.numberMask }
    try forEachKey(body)
    removeAll()
  }

  @inline(__always)
  private func forEachKey(_ body: (TableKey, ArraySlice<UInt16>) throws -> Void) rethrows {
    let flips = flips.span
    var numbers: [UInt16] = []
    var place = 0
    while place < flips.count {
      let first = flips[place]
      let packed = first >> PackedFlips.numberBitCount
      numbers.removeAll(keepingCapacity: true)
      numbers.append(UInt16(truncatingIfNeeded: first & PackedFlips.numberMask))
      place += 1
      var last = first
      var isAscending = true
      while place < flips.count, flips[place] >> PackedFlips.numberBitCount == packed {
        let flip = flips[place]
        if flip <= last { isAscending = false }
        numbers.append(UInt16(truncatingIfNeeded: flip & PackedFlips.numberMask))
        last = flip
        place += 1
      }
      if !isAscending { numbers.settleFlips() }
      if !numbers.isEmpty { try body(key(packed), numbers[...]) }
    }
  }

  /// Empties the buffer.
  ///
  /// If the buffer wasn't full, its memory is also freed, because few further flips are expected.
  mutating func removeAll() {
    if isFull {
      flips.removeAll(keepingCapacity: true)
    } else {
      self = PackedFlips(countMax: countMax)
    }
  }

  private func key(_ packed: UInt64) -> TableKey {
    var key = TableKey()
    key.append(
      keyHead << (64 - PackedFlips.numberBitCount) | packed, byteCount: keyByteCount)
    return key
  }
}
