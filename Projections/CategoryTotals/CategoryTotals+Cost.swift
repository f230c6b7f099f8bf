package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension CategoryTotals {
  /// The amounts of a category on a day whose transactions state their cost in another currency; see
  /// ``Settlement``.
  package struct Settled: Hashable, Sendable {
    /// The category and the currency of the amounts.
    package let key: Key
    /// The sum of the amounts.
    package let net: Int128
    /// Their cost in the other currency.
    package let cost: Int128
    /// The number of transactions.
    package let count: Int

    /// Creates amounts with their cost.
    package init(key: Key, net: Int128, cost: Int128, count: Int) {
      self.key = key
      self.net = net
      self.cost = cost
      self.count = count
    }
  }

  /// Returns, by day and key, the amounts whose cost in a currency is stated.
  ///
  /// - Complexity: O(log rows + days × categories of such transactions in the range).
  package static func costs(
    in currency: Currency, on days: Range<Day>, in view: borrowing View
  ) throws -> [Day: [Key: Settled]] {
    let table = try view.tables(of: CategoryTotals.self)[settled]
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    var found: [Day: [Key: Settled]] = [:]
    try view.forEachSum(in: table, prefix: TableKey(), span) { bytes, sums in
      var reader = ByteReader(bytes)
      let day = Day(rawValue: try reader.keyIndex())
      let category = try reader.keyNumber()
      let key = Key(category: category, currency: try reader.keyCurrency())
      guard try reader.keyCurrency() == currency, !sums.isZero else { return true }
      let count = try checkedCount(sums[2], in: name, "category \(category) on \(day)")
      found[day, default: [:]][key] = Settled(
        key: key, net: sums[0], cost: sums[1], count: count)
      return true
    }
    return found
  }

  /// Informs observers that a query read stated costs.
  package static func noteReadingCosts(in view: borrowing View) throws {
    view.noteReading(try view.tables(of: CategoryTotals.self)[settled])
  }

  static func addCosts(
    of transaction: borrowing ProjectedTransaction, _ sign: Int128,
    to tables: inout ProjectionTables
  ) {
    guard let settlement = transaction.lines.settlement else { return }
    for part in transaction.lines.settled(settlement) {
      let line = transaction.lines[part.position]
      var key = CategoryTotals.key(Period.day(transaction.day), line)
      key.append(currency: settlement.currency)
      tables.add(settled, key, Sums(sign * line.net, sign * part.cost, sign))
    }
  }
}

extension CategoryTotals.Figures {
  /// Calls `body` with the figures in their own currency, and with those whose cost in another
  /// currency is stated.
  func divided(
    by settled: [CategoryTotals.Key: CategoryTotals.Settled]?, in currency: Currency?,
    _ body: (CategoryTotals.Figures) throws -> Void
  ) throws {
    guard let currency, let part = settled?[key] else { return try body(self) }
    try body(
      CategoryTotals.Figures(
        key: key, moneyIn: moneyIn - max(part.net, 0), moneyOut: moneyOut - max(-part.net, 0),
        count: count - part.count))
    try body(
      CategoryTotals.Figures(
        key: CategoryTotals.Key(category: key.category, currency: currency),
        moneyIn: max(part.cost, 0), moneyOut: max(-part.cost, 0), count: part.count))
  }
}
