import DaybookEntities

extension Array where Element: BitwiseCopyable {
  /// Sorts the elements by one word of each; the sort is stable.
  ///
  /// It processes eight bits at a time, from the lowest. Bits that are equal in all elements cost
  /// nothing. Fewer than 256 elements are sorted by comparison instead.
  ///
  /// - Parameters:
  ///   - room: An array that is reused between calls to avoid allocations; its contents are
  ///     overwritten.
  ///   - word: Returns an element's sort key.
  /// - Complexity: O(`count` × number of bytes in which the words differ).
  @inline(__always)
  mutating func radixSort(with room: inout [Element], by word: (Element) -> UInt64) {
    guard let first = self.first.map(word) else { return }
    var isAscending = true
    var differing: UInt64 = 0
    var last = first
    for element in self {
      let word = word(element)
      if word < last { isAscending = false }
      differing |= word ^ first
      last = word
    }
    if isAscending { return }
    if count < 256 { return sort { word($0) < word($1) } }
    if room.count != count { room = self }
    // Divide a large array into parts that fit into the cache, by the highest bits that differ.
    var parts = [0..<count]
    var ends = [Int](repeating: 0, count: 256)
    if count > 1 << 14 {
      let shift = UInt64(Swift.max(0, 56 - differing.leadingZeroBitCount))
      differing &= ~(0xff &<< shift)
      distribute(parts[0], into: &room, &ends) {
        Int(truncatingIfNeeded: word($0) &>> shift & 0xff)
      }
      swap(&self, &room)
      parts = ends.indices.map { ($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0] }
    }
    var shifts: [UInt64] = []
    while differing != 0 {
      let shift = UInt64(differing.trailingZeroBitCount)
      differing &= ~(0xff &<< shift)
      shifts.append(shift)
    }
    for part in parts where !part.isEmpty {
      for (place, shift) in shifts.enumerated() {
        let digit = { (element: Element) in Int(truncatingIfNeeded: word(element) &>> shift & 0xff)
        }
        if place & 1 == 0 {
          distribute(part, into: &room, &ends, by: digit)
        } else {
          room.distribute(part, into: &self, &ends, by: digit)
        }
      }
    }
    if shifts.count & 1 == 1 { swap(&self, &room) }
  }

  /// Copies part of the elements to the same range of another array, ordered by a digit from 0 to
  /// 255.
  ///
  /// - Parameter ends: 256 numbers, which are set to the end index of each digit's elements.
  @inline(__always)
  private func distribute(
    _ part: Range<Int>, into target: inout [Element], _ ends: inout [Int],
    by digit: (Element) -> Int
  ) {
    ends.withMutableSpan { ends in
      target.withMutableSpan { sorted in
        distribute(part, into: &sorted, &ends, by: digit)
      }
    }
  }

  @inline(__always)
  private func distribute(
    _ part: Range<Int>, into sorted: inout MutableSpan<Element>, _ ends: inout MutableSpan<Int>,
    by digit: (Element) -> Int
  ) {
    ends.update(repeating: 0)
    let elements = span
    for index in part { ends[digit(elements[index])] += 1 }
    var place = part.lowerBound
    for index in 0..<256 {
      let count = ends[index]
      ends[index] = place
      place += count
    }
    for index in part {
      let element = elements[index]
      let digit = digit(element)
      sorted[ends[digit]] = element
      ends[digit] += 1
    }
  }
}

/// Sorts keys, and returns their indices in sorted order.
struct KeyOrder {
  private var entries: [Entry] = []
  private var room: [Entry] = []

  /// A word of a key, and the key's index.
  private struct Entry: BitwiseCopyable {
    var word: UInt64
    let position: Int
  }

  /// Returns the indices of `count` keys in ascending order of the keys; the sort is stable.
  @inline(__always)
  mutating func positions(_ count: Int, _ key: (Int) -> TableKey) -> [Int] {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(count)
    for position in 0..<count {
      entries.append(Entry(word: key(position).word0, position: position))
    }
    entries.radixSort(with: &room) { $0.word }
    // The first words nearly always decide the order. Keys with equal first words are usually in
    // order already.
    sort(0..<count, byWord: 1, key)
    return entries.map(\.position)
  }

  /// Sorts entries whose words are equal by the next words of their keys.
  private mutating func sort(_ part: Range<Int>, byWord next: Int, _ key: (Int) -> TableKey) {
    var start = part.lowerBound
    while start < part.upperBound {
      var end = start + 1
      var isAscending = true
      while end < part.upperBound, entries[end].word == entries[start].word {
        if key(entries[end].position) < key(entries[end - 1].position) { isAscending = false }
        end += 1
      }
      if !isAscending {
        for index in start..<end {
          let key = key(entries[index].position)
          entries[index].word = next == 1 ? key.word1 : next == 2 ? key.word2 : key.word3
        }
        entries[start..<end].sort { $0.word < $1.word }
        if next < 3 { sort(start..<end, byWord: next + 1, key) }
      }
      start = end
    }
  }
}
