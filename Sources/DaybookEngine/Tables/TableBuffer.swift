import DaybookEntities

/// Differences to one table, merged by key until they are written.
///
/// This is a structure because `add` is the innermost loop of the projectors, and each access
/// through a class would be checked for exclusivity at run time.
package struct TableBuffer {
  package let kind: TableKind
  package let fieldCount: Int
  private var index = KeyIndex()
  private(set) var keys: [TableKey] = []
  private(set) var totals: [Sums] = []
  private(set) var values: [[UInt8]?] = []
  /// Whether a total overflowed 128 bits.
  private(set) var hasOverflown = false
  /// The flips of bitmaps, in the order of the calls.
  var flips: [Flip] = []
  /// The packed flips, which will be passed to the sorter.
  var packedFlips = PackedFlips()

  /// The maximum number of bytes in the value of a projection's row.
  package static let valueByteCountMax = 1_900
  private let valueByteCountMax: Int

  /// Creates an empty buffer.
  ///
  /// - Parameter valueByteCountMax: The maximum number of bytes in a row's value, if the table
  ///   isn't a projection's.
  package init(_ kind: TableKind, valueByteCountMax: Int = TableBuffer.valueByteCountMax) {
    self.kind = kind
    self.valueByteCountMax = valueByteCountMax
    fieldCount =
      if case .sums(let fields) = kind, fields >= 0, fields <= Sums.fieldCountMax { fields } else {
        0
      }
  }

  /// Takes the rows instead of this buffer while a table is built from scratch.
  var sorter: TableSorter?
  /// The reason why the sorter couldn't take a row; thrown when the build finishes.
  var fault: (any Error)?
  /// The number of buffered totals at which the buffer is passed to the sorter.
  ///
  /// Entities arrive in the order of their days, so most additions to a row come from neighbouring
  /// entities. A small buffer therefore merges nearly as many additions as a large one, and it fits
  /// into the processor's cache.
  static let sortedTotalCountMax = 1 << 13

  package var isEmpty: Bool { keys.isEmpty }
  package var count: Int { keys.count }

  package mutating func add(_ key: TableKey, _ sums: Sums) {
    precondition(fieldCount > 0, "add needs a table of sums")
    let position = index.position(of: key, in: &keys)
    if position == totals.count {
      totals.append(sums)
      if totals.count >= TableBuffer.sortedTotalCountMax { handOver() }
    } else {
      if totals[position].addReportingOverflow(sums) { hasOverflown = true }
    }
  }

  /// Passes the buffered totals or flips to the sorter, if there is one.
  mutating func handOver() {
    guard let sorter else { return }
    if fault == nil {
      do { try sorter.absorb(&self) } catch { fault = error }
    } else {
      removeAll()
    }
  }

  package mutating func put(_ key: TableKey, _ value: [UInt8]) {
    precondition(
      kind == .rows ? value.count <= valueByteCountMax : kind == .places && key.endsInPlace(value),
      "put needs a table of rows and a value of at most 1,900 bytes, or of places and no value")
    if let sorter {
      do { try sorter.add(key, value) } catch { fault = error }
    } else {
      set(key, value)
    }
  }

  package mutating func remove(_ key: TableKey) {
    precondition(
      kind == .rows || kind == .places && key.endsInPlace([]),
      "remove needs a table of rows or places")
    set(key, nil)
  }

  /// Returns the buffered value of a key: `nil` if nothing is buffered, or an inner `nil` for a
  /// removal.
  func value(of key: TableKey) -> [UInt8]?? {
    index.found(key, in: keys).map { values[$0] }
  }

  /// Returns the index of a bitmap's key in `keys`.
  @inline(__always)
  mutating func position(ofBitmap key: TableKey) -> Int {
    precondition(kind == .bitmaps, "flip needs a table of bitmaps")
    return index.position(of: key, in: &keys)
  }

  /// Returns whether the buffered differences change the row with this key.
  func changes(_ key: TableKey) -> Bool {
    guard let position = index.found(key, in: keys) else { return false }
    return fieldCount == 0 || !totals[position].isZero
  }

  private mutating func set(_ key: TableKey, _ value: [UInt8]?) {
    let position = index.position(of: key, in: &keys)
    if position == values.count { values.append(value) } else { values[position] = value }
  }

  package mutating func removeAll() {
    index.remove(keys)
    keys.removeAll(keepingCapacity: true)
    totals.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    flips.removeAll(keepingCapacity: true)
    packedFlips.removeAll()
    hasOverflown = false
  }

  /// Returns the indices of the buffered keys, in ascending order of the keys.
  package func sortedPositions() -> [Int] {
    // If the closures captured `self`, each access would copy the whole buffer.
    let keys = self.keys
    let ordered = keys.indices.allSatisfy { $0 == 0 || keys[$0 - 1] < keys[$0] }
    if ordered { return Array(keys.indices) }
    var order = KeyOrder()
    return order.positions(keys.count) { keys[$0] }
  }

  package func sortedRows() -> [(key: TableKey, value: [UInt8]?)] {
    sortedPositions().map { (keys[$0], values[$0]) }
  }

  package func sortedSums() -> [(key: TableKey, sums: Sums)] {
    sortedPositions().map { (keys[$0], totals[$0]) }
  }
}

/// A hash table that maps a buffer's keys to their indices, with open addressing and linear
/// probing.
struct KeyIndex {
  // A slot contains the upper half of a key's hash, and the key's index plus one; 0 marks an empty
  // slot. Comparing hashes first avoids most comparisons with other keys. The number of slots is a
  // power of two.
  private var slots: [UInt64]
  private var mask: Int

  init() {
    slots = [UInt64](repeating: 0, count: 64)
    mask = 63
  }

  private static let hashBits: UInt64 = 0xffff_ffff_0000_0000

  /// Returns the index of `key` in `keys`, appending the key if it is new.
  @inline(__always)
  mutating func position(of key: TableKey, in keys: inout [TableKey]) -> Int {
    if keys.count * 2 > mask { grow(keys) }
    let hash = key.mixed
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 {
        keys.append(key)
        slots[slot] = hash & KeyIndex.hashBits | UInt64(keys.count)
        return keys.count - 1
      }
      if entry & KeyIndex.hashBits == hash & KeyIndex.hashBits {
        let position = Int(entry & ~KeyIndex.hashBits) - 1
        if keys[position] == key { return position }
      }
      slot = (slot + 1) & mask
    }
  }

  /// Returns the index of `key` in `keys`, or `nil` if it is absent.
  func found(_ key: TableKey, in keys: [TableKey]) -> Int? {
    let hash = key.mixed
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry & KeyIndex.hashBits == hash & KeyIndex.hashBits {
        let position = Int(entry & ~KeyIndex.hashBits) - 1
        if keys[position] == key { return position }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func grow(_ keys: [TableKey]) {
    let size = slots.count * 4
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
    for (position, key) in keys.enumerated() {
      let hash = key.mixed
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = hash & KeyIndex.hashBits | UInt64(position + 1)
    }
  }

  /// Empties the index, which must contain exactly `keys`.
  ///
  /// The slots stay allocated unless there are many.
  ///
  /// - Complexity: O(keys) if the keys fill less than a sixteenth of the slots, otherwise O(slots).
  mutating func remove(_ keys: [TableKey]) {
    if keys.isEmpty { return }
    if slots.count > 1 << 16 {
      self = KeyIndex()
    } else if keys.count < slots.count / 16 {
      // Clear the slots from each key's preferred slot to the next empty slot; a displaced key is
      // within that range.
      for key in keys {
        var slot = Int(truncatingIfNeeded: key.mixed) & mask
        while slots[slot] != 0 {
          slots[slot] = 0
          slot = (slot + 1) & mask
        }
      }
    } else {
      slots.withMutableSpan { $0.update(repeating: 0) }
    }
  }
}
