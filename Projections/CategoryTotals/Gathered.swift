import DaybookBookkeeping
import DaybookEngine

/// Accumulates totals by category and currency.
///
/// As long as keys arrive in ascending order, like the rows of one period, they are appended. After
/// the first key that is out of order, a hash table is used to find keys.
struct Gathered {
  private var keys: [CategoryTotals.Key] = []
  private var totals: [Sums] = []
  // In the slot of each key's hash, the position of the key plus one; 0 marks a free slot. The
  // array is empty as long as the keys arrive in order.
  private var slots: [UInt32] = []

  mutating func add(_ sums: Sums, to key: CategoryTotals.Key) {
    if slots.isEmpty {
      if keys.last.map({ $0 < key }) ?? true { return append(key, sums) }
      buildSlots()
    }
    let slot = slot(of: key)
    if slots[slot] > 0 {
      totals[Int(slots[slot]) - 1] += sums
      return
    }
    append(key, sums)
    slots[slot] = UInt32(keys.count)
    if keys.count * 2 > slots.count { buildSlots() }
  }

  private mutating func append(_ key: CategoryTotals.Key, _ sums: Sums) {
    if keys.isEmpty {
      keys.reserveCapacity(64)
      totals.reserveCapacity(64)
    }
    keys.append(key)
    totals.append(sums)
  }

  private mutating func buildSlots() {
    var size = 256
    while size < keys.count * 4 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for (position, key) in keys.enumerated() { slots[slot(of: key)] = UInt32(position + 1) }
  }

  // Returns the slot of a key, or a free slot for it, using open addressing.
  private func slot(of key: CategoryTotals.Key) -> Int {
    var hash = (key.currency.packed ^ UInt64(key.category)) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ (hash >> 29)) &* 0xD6E8_FEB8_6659_FD93
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] > 0, keys[Int(slots[slot]) - 1] != key {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Whether a transaction may have been counted more than once.
  var mayRepeat: Bool { totals.contains { $0[2] > 1 } }

  /// Adds the totals of each category to the totals of all its ancestors.
  mutating func rollUp(_ parents: [UInt32: UInt32]) {
    if slots.isEmpty { buildSlots() }
    var chains: [UInt32: [UInt32]] = [:]
    let own = zip(keys, totals).map { (key: $0, sums: $1) }
    for (key, sums) in own {
      let chain = chains[key.category] ?? Gathered.above(key.category, parents)
      chains[key.category] = chain
      for category in chain {
        add(sums, to: CategoryTotals.Key(category: category, currency: key.currency))
      }
    }
  }

  /// Subtracts the repeated counts of one transaction.
  ///
  /// The transaction was counted once for each of its categories. For several categories that roll
  /// up to the same category and currency, all counts but the first are subtracted.
  mutating func takeRepeated(_ splits: [CategoryTotals.Key], _ parents: [UInt32: UInt32]) {
    if slots.isEmpty { buildSlots() }
    var counts: [CategoryTotals.Key: Int] = [:]
    for key in splits {
      counts[key, default: 0] += 1
      for category in Gathered.above(key.category, parents) {
        counts[CategoryTotals.Key(category: category, currency: key.currency), default: 0] += 1
      }
    }
    for (key, count) in counts where count > 1 {
      let found = slots[slot(of: key)]
      if found > 0 { totals[Int(found) - 1][2] -= Int128(count - 1) }
    }
  }

  /// Calls `body` with the figures by category and currency, skipping figures that are zero.
  func forEachFigure(_ body: (CategoryTotals.Figures) throws -> Void) throws {
    var order = Array(keys.indices)
    if !slots.isEmpty { order.sort { keys[$0] < keys[$1] } }
    for position in order {
      if let figure = try CategoryTotals.figures(totals[position], keys[position]) {
        try body(figure)
      }
    }
  }

  // Returns the ancestors of a category, nearest first. Decisions reject cycles, but the loop would
  // end even with a cycle.
  private static func above(_ category: UInt32, _ parents: [UInt32: UInt32]) -> [UInt32] {
    var found: [UInt32] = []
    var next = parents[category]
    while let category = next, !found.contains(category) {
      found.append(category)
      next = parents[category]
    }
    return found
  }
}
