package import DaybookBookkeeping
package import DaybookEngine
package import DaybookEntities

extension Envelopes {
  /// The money that a category or the payment of a card is given in a month, in one currency.
  package struct Figures: Hashable, Sendable {
    /// The month.
    package let month: Month
    /// The id of the category or of the card.
    package let owner: EntityID
    /// The currency of the amounts.
    package let currency: Currency
    /// The assigned amount, in minor units.
    package let assigned: Int128
    /// The amount moved to the category, less the amount moved from it.
    package let moved: Int128
  }

  /// Returns whether money has been assigned to any category, or moved.
  ///
  /// - Complexity: O(log rows).
  package static func hasAllocations(in view: borrowing View) throws -> Bool {
    let table = try view.tables(of: Envelopes.self)[allocations]
    var isThere = false
    try view.forEachSum(in: table, prefix: TableKey(), PeriodSpan(.month, .min, .max)) { _, _ in
      isThere = true
      return false
    }
    return isThere
  }

  /// Calls `body` with the postings to each category on each day, in each currency, of transactions
  /// without an account.
  ///
  /// - Complexity: O(days × categories with such transactions).
  package static func forEachUnpaid(
    through last: Day, in view: borrowing View,
    _ body: (Day, CategoryID, Currency, _ net: Int128, _ count: Int) throws -> Void
  ) throws {
    let table = try view.tables(of: Envelopes.self)[unpaid]
    let span = PeriodSpan(.day, .min, last.adding(days: 1).rawValue)
    try view.forEachSum(in: table, prefix: TableKey(), span) { key, sums in
      if sums.isZero { return true }
      var reader = ByteReader(key)
      let day = Day(rawValue: try reader.keyIndex())
      let category = CategoryID(try reader.id())
      let count = try checkedCount(sums[1], in: name, "category \(category) on \(day)")
      try body(day, category, try reader.keyCurrency(), sums[0], count)
      return true
    }
  }

  /// Calls `body` with the money given to each category and card in each month, by ascending month.
  ///
  /// - Complexity: O(months × categories with allocations).
  package static func forEachAllocation(
    in view: borrowing View, _ body: (Figures) throws -> Void
  ) throws {
    let table = try view.tables(of: Envelopes.self)[allocations]
    let all = PeriodSpan(.month, .min, .max)
    try view.forEachSum(in: table, prefix: TableKey(), all) { key, sums in
      if sums.isZero { return true }
      var reader = ByteReader(key)
      let month = Month(rawValue: try reader.keyIndex())
      let owner = try reader.id()
      try body(
        Figures(
          month: month, owner: owner, currency: try reader.keyCurrency(),
          assigned: sums[0], moved: sums[1]))
      return true
    }
  }
}
