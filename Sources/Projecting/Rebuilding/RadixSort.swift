import Entities

extension Array where Element: BitwiseCopyable {
  /// Sorts by a word of each element; those with equal words stay in their order.
  ///
  /// By eight bits at a time from the lowest on, of which those that are the same in all elements cost
  /// nothing. Few elements are compared instead.
  ///
  /// - Parameters:
  ///   - room: an array that is kept for the next time, to spare its allocation; what it holds is
  ///     lost.
  ///   - word: what an element is sorted by.
  /// - Complexity: O(`count` x bytes that differ).
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
    // A large array is first cut by the highest bits that differ, into parts that fit in the cache.
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

  /// Puts a part of the elements into the same part of another array, in the order of a number from 0 to
  /// 255 that each has.
  ///
  /// - Parameter ends: 256 numbers; then where those with each number end.
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

/// The order of keys: where each of them is, sorted.
struct KeyOrder {
  private var entries: [Entry] = []
  private var room: [Entry] = []

  /// A word of a key, and where the key is.
  private struct Entry: BitwiseCopyable {
    var word: UInt64
    let position: Int
  }

  /// The positions of `count` keys in ascending order; equal keys stay in theirs.
  @inline(__always)
  mutating func positions(_ count: Int, _ key: (Int) -> TableKey) -> [Int] {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(count)
    for position in 0..<count {
      entries.append(Entry(word: key(position).word0, position: position))
    }
    entries.radixSort(with: &room) { $0.word }
    // The first words nearly always decide. What they leave is mostly in order already.
    sort(0..<count, byWord: 1, key)
    return entries.map(\.position)
  }

  /// Sorts those of a part whose words are equal by the words of their keys that come next.
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
