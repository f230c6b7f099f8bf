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
    while differing != 0 {
      let shift = UInt64(differing.trailingZeroBitCount)
      differing &= ~(0xff &<< shift)
      distribute(into: &room, by: { Int(truncatingIfNeeded: word($0) &>> shift & 0xff) })
      swap(&self, &room)
    }
  }

  /// Puts the elements into another array in the order of a number from 0 to 255 that each has.
  @inline(__always)
  private func distribute(into target: inout [Element], by digit: (Element) -> Int) {
    var places = InlineArray<256, Int>(repeating: 0)
    var ends = places.mutableSpan
    for element in self { ends[digit(element)] += 1 }
    var place = 0
    for index in 0..<256 {
      let count = ends[index]
      ends[index] = place
      place += count
    }
    var sorted = target.mutableSpan
    for element in self {
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

  /// A key's first word, which mostly decides, and where the key is.
  private struct Entry: BitwiseCopyable {
    let word: UInt64
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
    var start = 0
    while start < count {
      var end = start + 1
      var isAscending = true
      while end < count, entries[end].word == entries[start].word {
        if key(entries[end].position) < key(entries[end - 1].position) { isAscending = false }
        end += 1
      }
      if !isAscending {
        entries[start..<end].sort { key($0.position) < key($1.position) }
      }
      start = end
    }
    return entries.map(\.position)
  }
}
