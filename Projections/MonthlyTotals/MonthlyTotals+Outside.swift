package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension MonthlyTotals {
  /// Calls `body` with the net amount that came from the built-in accounts Outside and Opening on
  /// each day and in each currency of a range, in order.
  ///
  /// The amount is negative if more went to these accounts than came from them.
  ///
  /// - Complexity: O(days with such transactions).
  package static func forEachOutside(
    in days: Range<Day>, in view: borrowing View, _ body: (Day, Currency, Int128) throws -> Void
  ) throws {
    let table = try view.tables(of: MonthlyTotals.self)[outside]
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try view.forEachSum(in: table, prefix: TableKey(), span) { key, sums in
      var reader = ByteReader(key)
      let day = Day(rawValue: try reader.keyIndex())
      try body(day, try reader.keyCurrency(), sums[0])
      return true
    }
  }

  static func addOutside(
    of transaction: borrowing ProjectedTransaction, _ sign: Int128,
    to tables: inout ProjectionTables
  ) {
    for position in 0..<transaction.lines.count {
      let line = transaction.lines[position]
      guard line.isBuiltInEquity, line.number != PostingAccountCode.exchange.builtinNumber,
        line.net != 0
      else { continue }
      let key = MonthlyTotals.key(Period.day(transaction.day), line.currency)
      tables.add(outside, key, Sums(-sign * line.net))
    }
  }
}
