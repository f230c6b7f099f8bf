package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

/// Queries for derived projections, which read a category's figures by day.
extension CategoryTotals {
  /// Returns whether a category has any totals.
  ///
  /// - Complexity: O(log rows).
  package static func hasTotals(
    of category: UInt32, in reading: any SettledReading
  ) throws -> Bool {
    var from = TableKey()
    from.append(Period(level: .all, index: 0))
    from.append(number: category)
    guard let to = from.afterPrefix else { return false }
    var isThere = false
    try reading.forEachSum(in: totals, of: CategoryTotals.self, from: from, to: to) { _, _ in
      isThere = true
      return false
    }
    return isThere
  }

  /// Calls `body` with the amounts posted to and from each category on each day of a range.
  ///
  /// The days are in ascending order.
  ///
  /// - Complexity: O(days × categories with rows), regardless of the number of transactions.
  package static func forEachDay(
    in days: Range<Day>, settled reading: any SettledReading,
    _ body: (Day, Key, _ moneyIn: Int128, _ moneyOut: Int128) throws -> Void
  ) throws {
    if days.isEmpty { return }
    var from = TableKey()
    from.append(.day, days.lowerBound.rawValue)
    var to = TableKey()
    to.append(.day, days.upperBound.rawValue)
    try reading.forEachSum(in: totals, of: CategoryTotals.self, from: from, to: to) { key, sums in
      let (index, key) = try place(key)
      try body(Day(rawValue: index), key, sums[0], sums[1])
      return true
    }
  }

  /// Calls `body` with each difference that a batch makes to a category's figures on a day, in any
  /// order.
  ///
  /// - Complexity: O(rows that the batch changed).
  package static func forEachChangedDay(
    settled reading: any SettledReading,
    _ body: (Day, Key, _ moneyIn: Int128, _ moneyOut: Int128) throws -> Void
  ) throws {
    try reading.forEachDifference(in: totals, of: CategoryTotals.self) { key, sums in
      guard key.periodLevel(at: 0) == .day else { return }
      let (index, key) = try key.withBytes { try place($0) }
      try body(Day(rawValue: index), key, sums[0], sums[1])
    }
  }
}
