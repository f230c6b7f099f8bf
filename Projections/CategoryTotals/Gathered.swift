import Bookkeeping
import Projecting

/// Totals by category and currency while they are gathered.
struct Gathered {
  private var totals: [CategoryTotals.Key: Sums] = [:]

  mutating func add(_ sums: Sums, to key: CategoryTotals.Key) {
    totals[key, default: Sums()] += sums
  }

  /// Whether a transaction may have been counted more than once.
  var mayRepeat: Bool { totals.values.contains { $0[2] > 1 } }

  /// Adds the totals of each category to those of all categories above it.
  mutating func rollUp(_ parents: [UInt32: UInt32]) {
    for (key, sums) in totals {
      for category in Gathered.above(key.category, parents) {
        add(sums, to: CategoryTotals.Key(category: category, currency: key.currency))
      }
    }
  }

  /// Takes away what a transaction was counted too often: once for each of its categories that comes
  /// to the same category and currency, but the first.
  mutating func takeRepeated(_ keys: [CategoryTotals.Key], _ parents: [UInt32: UInt32]) {
    var counts: [CategoryTotals.Key: Int] = [:]
    for key in keys {
      counts[key, default: 0] += 1
      for category in Gathered.above(key.category, parents) {
        counts[CategoryTotals.Key(category: category, currency: key.currency), default: 0] += 1
      }
    }
    for (key, count) in counts where count > 1 && totals[key] != nil {
      totals[key]?[2] -= Int128(count - 1)
    }
  }

  func figures() throws -> [CategoryTotals.Figures] {
    try totals.sorted { $0.key < $1.key }.compactMap {
      try CategoryTotals.figures($0.value, $0.key)
    }
  }

  // The categories above one, nearest first; a loop, which decisions refuse, would end.
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
