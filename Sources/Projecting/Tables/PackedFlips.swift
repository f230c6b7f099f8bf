import Entities

/// Flips of bitmaps with short keys that wait to be sorted, each in one word.
///
/// A bulk build flips some thirty bits for each entity. Sorting them all is cheaper than looking up the
/// key of each, because a sort goes through memory in order.
struct PackedFlips {
  // A key of at most eight bytes is a number, its first byte the highest. A flip is the lower 51 bits of
  // this number, then the 13 of the number that is flipped. The upper 13 bits and the count of bytes
  // are the same in all.
  private var flips: [UInt64] = []
  private var room: [UInt64] = []
  private var keyByteCount = 0
  private var keyHead: UInt64 = 0
  private let countMax: Int

  /// The most flips that are kept before they are handed to the sorter.
  static let countMax = 1 << 20
  private static let numberBitCount: UInt64 = 13
  private static let numberMask: UInt64 = 1 << numberBitCount - 1

  init(countMax: Int = PackedFlips.countMax) { self.countMax = countMax }

  var isEmpty: Bool { flips.isEmpty }
  var isFull: Bool { flips.count >= countMax }

  /// Takes `first` + *i* for every bit *i* of `mask` that is set.
  ///
  /// - Returns: false where the key is too long, or too different from those that are here; nothing is
  ///   taken then.
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

  /// Takes a number under the keys that are `head` and, after it, one of `tails` in three bytes.
  ///
  /// - Returns: false where the keys are too long, or too different from those that are here; nothing is
  ///   taken then.
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

  /// Whether a key has as many bytes as those that are here, and the same upper bits; the first decides.
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

  /// Gives what is flipped in the end to `body`, in ascending order of keys: each key with the numbers
  /// that came an odd number of times, ascending; and empties itself.
  ///
  /// Sorted are the keys alone: entities come mostly in the order of the numbers that they flip, which the
  /// sort keeps.
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

  /// Empties; where there was not even a full lot, more is not expected, and the memory given back.
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
