internal import DaybookEntities
internal import DaybookLMDB

extension TableBuffer {
  /// The number of buffered flips at which the buffer is passed to the sorter.
  static let sortedFlipCountMax = 1 << 18

  package mutating func flip(_ key: TableKey, _ number: Int) {
    precondition(
      number >= 0 && number < Bitmap.bitCount, "a bitmap's numbers must be between 0 and 8,191")
    if pack(key, from: number, 1) { return }
    let position = position(ofBitmap: key)
    flips.append(Flip(position: position, number: number))
    if flips.count >= TableBuffer.sortedFlipCountMax { handOver() }
  }

  /// Buffers flips for the sorter in packed form.
  ///
  /// Returns `false` if there is no sorter or the key doesn't fit.
  @inline(__always)
  private mutating func pack(_ key: TableKey, from first: Int, _ mask: UInt32) -> Bool {
    precondition(kind == .bitmaps, "flip needs a table of bitmaps")
    guard sorter != nil, packedFlips.add(key, from: first, mask) else { return false }
    if packedFlips.isFull { handOver() }
    return true
  }

  package mutating func flip(_ key: TableKey, from first: Int, _ mask: UInt32) {
    precondition(
      first >= 0 && first <= Bitmap.bitCount - 32, "a bitmap has numbers from 0 to 8,191")
    if pack(key, from: first, mask) { return }
    let position = position(ofBitmap: key)
    var rest = mask
    while rest != 0 {
      flips.append(Flip(position: position, number: first + rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    if flips.count >= TableBuffer.sortedFlipCountMax { handOver() }
  }

  package mutating func flip(_ head: TableKey, tails: [UInt32], _ number: Int) {
    precondition(kind == .bitmaps, "flip needs a table of bitmaps")
    precondition(number >= 0 && number < Bitmap.bitCount, "a bitmap has numbers from 0 to 8,191")
    if sorter != nil, packedFlips.add(head, tails: tails, number) {
      if packedFlips.isFull { handOver() }
      return
    }
    for tail in tails {
      var key = head
      key.append(UInt64(tail), byteCount: 3)
      flip(key, number)
    }
  }

  /// The buffered flips, grouped by key.
  var flipGroups: FlipGroups { FlipGroups(flips, keyCount: keys.count) }

  func writeBitmaps(_ order: WritingOrder, with cursor: inout WriteCursor) throws -> Bool {
    guard let groups = order.flips else { return false }
    var hasWritten = false
    for position in order.positions {
      let numbers = groups[position]
      if numbers.isEmpty { continue }
      hasWritten = true
      let words = keys[position].words
      let key = words.span.bytes.extracting(first: keys[position].count)
      var bytes: [UInt8] = []
      var isThere = false
      if let entry = try cursor.seek(exactly: key) {
        bytes = try Bitmap.flip(numbers, of: entry.value)
        isThere = true
      } else {
        bytes = try Bitmap.flip(numbers, of: bytes.span.bytes)
      }
      if bytes.isEmpty {
        if isThere { try cursor.deleteCurrent() }
      } else if isThere {
        try cursor.replaceCurrent(with: bytes.span.bytes, key: key)
      } else {
        try cursor.put(key, bytes.span.bytes)
      }
    }
    return hasWritten
  }

  package func sortedBitmaps() -> [(key: TableKey, bitmap: Bitmap)] {
    let groups = flipGroups
    return sortedPositions().compactMap { position in
      let numbers = groups[position]
      if numbers.isEmpty { return nil }
      var bitmap = Bitmap()
      bitmap.flip(numbers)
      return (keys[position], bitmap)
    }
  }
}

/// A buffered flip: the index of the key in the buffer, and the flipped number.
struct Flip {
  let position: UInt32
  let number: UInt16

  init(position: Int, number: Int) {
    self.position = UInt32(truncatingIfNeeded: position)
    self.number = UInt16(truncatingIfNeeded: number)
  }
}

/// Flips grouped by key with a counting sort.
struct FlipGroups {
  private var starts: [Int]
  private var numbers: [UInt16]

  init(_ flips: [Flip], keyCount: Int) {
    starts = [Int](repeating: 0, count: keyCount + 1)
    numbers = [UInt16](repeating: 0, count: flips.count)
    for flip in flips { starts[Int(flip.position) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var ends = starts
    for flip in flips {
      let position = Int(flip.position)
      numbers[ends[position]] = flip.number
      ends[position] += 1
    }
  }

  /// Returns the net flips of a key: the numbers flipped an odd number of times, in ascending
  /// order.
  subscript(position: Int) -> ArraySlice<UInt16> {
    let group = numbers[starts[position]..<starts[position + 1]]
    var isAscending = true
    var last = -1
    for number in group {
      if Int(number) <= last { isAscending = false }
      last = Int(number)
    }
    if isAscending { return group }
    var net = Array(group)
    net.settleFlips()
    return net[...]
  }
}

extension [UInt16] {
  /// Sorts flipped numbers and keeps one of each number that occurs an odd number of times.
  mutating func settleFlips() {
    sort()
    var count = 0
    for place in indices {
      if count > 0, self[count - 1] == self[place] {
        count -= 1
      } else {
        self[count] = self[place]
        count += 1
      }
    }
    removeLast(self.count - count)
  }
}

extension Bitmap {
  mutating func flip(_ numbers: ArraySlice<UInt16>) {
    for number in numbers { flip(Int(number)) }
  }
}
