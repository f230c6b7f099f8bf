/// A hash table that numbers names in order of first appearance.
///
/// Each name is converted to a `String` only once.
struct NameTable {
  private(set) var names: [String] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// An open-addressing table.
  ///
  /// Each slot contains the number of a name plus 1, or 0 if it is free. The number of slots is a
  /// power of two.
  private var slots = [UInt32](repeating: 0, count: 64)

  var count: Int { names.count }

  /// Returns the number of a name, and whether it is new.
  mutating func number(_ range: Range<Int>, in text: [UInt8]) -> (number: Int, isNew: Bool) {
    if names.count * 2 >= slots.count { grow() }
    var slot = Self.hash(text, range) & (slots.count - 1)
    while slots[slot] != 0 {
      let known = Int(slots[slot]) - 1
      if equals(known, range, text) { return (known, false) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = names.count
    slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    names.append(String(decoding: text[range], as: UTF8.self))
    bytes.append(contentsOf: text[range])
    ends.append(bytes.count)
    return (number, true)
  }

  mutating func number(_ name: String) -> (number: Int, isNew: Bool) {
    let text = Array(name.utf8)
    return number(0..<text.count, in: text)
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  private func equals(_ number: Int, _ other: Range<Int>, _ text: [UInt8]) -> Bool {
    let own = range(number)
    guard own.count == other.count else { return false }
    let shift = other.lowerBound - own.lowerBound
    for index in own where bytes[index] != text[index + shift] { return false }
    return true
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 4)
    for number in names.indices {
      var slot = Self.hash(bytes, range(number)) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }

  /// The FNV-1a hash.
  private static func hash(_ text: [UInt8], _ range: Range<Int>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in range { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
