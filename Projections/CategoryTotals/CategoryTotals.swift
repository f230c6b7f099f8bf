import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The amounts posted to and from each category per day, month, year and all time, in each
/// currency.
///
/// | table | key | totals |
/// |---|---|---|
/// | `totals` | period (4 bytes), category (2 to 5), currency (2 to 9) | in, out, count, repeated |
/// | `splits` | day (4), number (5), category (2 to 5), currency (2 to 9) | |
/// | `settled` | day as a period (4), category (2 to 5), currency (2 to 9), account's currency (2 to 9) | net, cost, count |
///
/// Levels are those of ``Period/Level``, 0 to 3. *In* is the sum of the positive postings, which
/// are the spending of an expense category. *Out* is the sum of the negative postings, without its
/// sign: the refunds of an expense category, or the income of an income category. *Count* is the
/// number of transactions with postings to the category in the currency. A transaction can have
/// postings to a category in two currencies. So that it isn't counted twice, *repeated* is the
/// number of transactions that are already counted under another currency. A category's number of
/// transactions is the sum of *count* minus *repeated* over its currencies.
///
/// `splits` lists the transactions with postings to more than one category, so that a total that
/// includes subcategories counts them only once.
///
/// `settled` has the transactions that state what their categories cost in the currency of their
/// account; see ``Settlement``. *Net* sums the postings, *cost* their shares of the account's change.
public struct CategoryTotals: Projection {
  /// The projection's name.
  public static let name = "category-totals"
  /// The version of the projection's tables.
  public static let version: UInt32 = 4
  /// The projection's tables.
  public static let tables = [
    TableDefinition("totals", .sums(fields: 4)),
    TableDefinition("splits", .rows),
    TableDefinition("settled", .sums(fields: 3)),
  ]

  static let totals = 0
  static let splits = 1
  static let settled = 2

  /// Creates the projection.
  public init() {}

  /// Adds the changes of a transaction.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    let number = change.number
    try ProjectedTransaction.forEachDifference(change, in: CategoryTotals.name, reading: state) {
      transaction, sign in
      let periods = transaction.periods
      let isSplit = transaction.lines.hasManyCategories
      CategoryTotals.addCosts(of: transaction, sign, to: &tables)
      for position in 0..<transaction.lines.count where transaction.lines[position].isCategory {
        let line = transaction.lines[position]
        let repeated = transaction.lines.isFirstOfAccount(position) ? 0 : sign
        let sums = Sums(sign * line.moneyIn, sign * line.moneyOut, sign, repeated)
        let all = CategoryTotals.key(Period(level: .all, index: 0), line)
        tables.add(CategoryTotals.totals, all, sums)
        for index in periods.indices {
          let period = periods[index]
          tables.add(CategoryTotals.totals, CategoryTotals.key(period, line), sums)
        }
        if isSplit {
          var key = TableKey()
          key.append(try RowKey.checked(transaction.day, number, in: CategoryTotals.name))
          key.append(number: line.number)
          key.append(currency: line.currency)
          if sign > 0 {
            tables.put(CategoryTotals.splits, key)
          } else {
            tables.remove(CategoryTotals.splits, key)
          }
        }
      }
    }
  }

  static func key(_ period: Period, _ line: Line) -> TableKey {
    var key = TableKey()
    key.append(period)
    key.append(number: line.number)
    key.append(currency: line.currency)
    return key
  }
}
