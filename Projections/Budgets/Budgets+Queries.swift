package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Budgets {
  /// The spending of a budget in one period and currency.
  package struct Figures: Hashable, Sendable {
    /// The first day of the period.
    package let period: Day
    /// The currency.
    package let currency: Currency
    /// The money that went into the budget's categories, in minor units.
    package var moneyIn: Int128
    /// The money that came out of them, which is refunds.
    package var moneyOut: Int128

    /// The spending minus refunds.
    package var spent: Int128 { moneyIn - moneyOut }
  }

  /// Informs observers that a query read the figures of budgets.
  ///
  /// - Throws: `ProjectingError` if the projection is unavailable.
  package static func noteReading(in view: borrowing View) throws {
    let tables = try view.tables(of: Budgets.self)
    for index in [periods, days] { view.noteReading(tables[index]) }
  }

  /// Calls `body` with the figures of a budget's periods that begin in a range of days, until it
  /// returns `false`.
  ///
  /// The figures include days after today. They are ordered by period and, within a period, by the
  /// keys of currencies.
  ///
  /// - Parameter budget: The budget's recording number.
  /// - Complexity: O(log rows + visited periods).
  package static func forEachPeriod(
    of budget: UInt64, from days: Range<Day>, in view: borrowing View,
    _ body: (Figures) throws -> Bool
  ) throws {
    let table = try view.tables(of: Budgets.self)[periods]
    let number = try keyNumber(budget, in: name)
    try view.forEachSum(
      in: table, from: key(number, days.lowerBound), to: key(number, days.upperBound)
    ) { key, sums in
      var reader = ByteReader(key)
      reader.offset = 4
      let period = Day(biased: try reader.u32be())
      let currency = try reader.keyCurrency()
      return try body(
        Figures(period: period, currency: currency, moneyIn: sums[0], moneyOut: sums[1]))
    }
  }

  /// Calls `body` with the spending on each day of a range in one currency, beginning with the last
  /// day.
  ///
  /// - Complexity: O(log rows + visited days).
  package static func forEachDay(
    of budget: UInt64, _ currency: Currency, in days: Range<Day>, in view: borrowing View,
    _ body: (Day, _ spent: Int128) throws -> Void
  ) throws {
    if days.isEmpty { return }
    let table = try view.tables(of: Budgets.self)[Budgets.days]
    let number = try keyNumber(budget, in: name)
    let from = key(number, currency, days.lowerBound)
    let to = key(number, currency, days.upperBound)
    try view.forEachSum(in: table, from: from, to: to, reversed: true) { key, sums in
      var reader = ByteReader(key)
      reader.offset = from.count - 4
      try body(Day(biased: try reader.u32be()), sums[0] - sums[1])
      return true
    }
  }

  // MARK: Watches

  static func hasWatches(_ reading: any SettledReading) throws -> Bool {
    var isThere = false
    try forEachWatch(in: TableKey(), reading, atMost: 1) { _, _ in isThere = true }
    return isThere
  }

  static func watches(of category: UInt32, _ reading: any SettledReading) throws -> [Watch] {
    var prefix = TableKey()
    prefix.append(u32: category)
    var found: [Watch] = []
    try forEachWatch(in: prefix, reading) { found.append($1) }
    return found
  }

  static func forEachWatch(
    in prefix: TableKey, _ reading: any SettledReading, atMost limit: Int = .max,
    _ body: (_ category: UInt32, Watch) throws -> Void
  ) throws {
    var end = TableKey()
    for _ in 0..<9 { end.append(u8: 0xff) }
    var count = 0
    try reading.forEachRow(
      in: watches, of: Budgets.self, from: prefix, to: prefix.afterPrefix ?? end
    ) { key, value in
      var reader = ByteReader(key)
      let category = try reader.u32be()
      let watch = try Watch(budget: try reader.u32be(), packed: value)
      try body(category, watch)
      count += 1
      return count < limit
    }
  }

  // MARK: Keys

  static func key(_ category: UInt32, _ budget: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u32: category)
    key.append(u32: budget)
    return key
  }

  static func key(_ budget: UInt32, _ period: Day, _ currency: Currency) -> TableKey {
    var key = Budgets.key(budget, period)
    key.append(currency: currency)
    return key
  }

  static func key(_ budget: UInt32, _ currency: Currency, _ day: Day) -> TableKey {
    var key = TableKey()
    key.append(u32: budget)
    key.append(currency: currency)
    key.append(u32: day.biased)
    return key
  }

  private static func key(_ budget: UInt32, _ period: Day) -> TableKey {
    key(budget, period.biased)
  }
}
