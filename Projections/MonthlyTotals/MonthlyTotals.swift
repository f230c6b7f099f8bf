package import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// Income, expense and transfers per day, month and year, in each currency.
///
/// | table | key | totals |
/// |---|---|---|
/// | `totals` | period (4 bytes), currency (2 to 9) | income, expense, transfers, count |
/// | `outside` | day as a period (4), currency (2 to 9) | net amount |
///
/// Levels are those of ``Period/Level``: 1 is a year, 2 a month, 3 a day. Figures are sums of
/// postings, each in its own currency:
/// - *income*: the postings to income categories, with the sign reversed so that income is
///   positive;
/// - *expense*: the postings to expense categories. A refund is a posting out of the category,
///   which reduces the expense and never counts as income;
/// - *transfers*: the postings of transfers that leave an account, without their sign, so that a
///   transfer counts once, with its source amount. The built-in equity accounts don't count. If an
///   expense or income also moves money between accounts, the moved part counts: the amount that
///   some accounts gain, up to the amount that others lose;
/// - *count*: the number of transactions with a posting to a category in the currency, and of
///   transfers that leave an account in this currency.
///
/// A transaction with postings to both kinds of categories counts for both.
///
/// `outside` has the amounts that came from the built-in accounts Outside and Opening, less those
/// that went there.
public struct MonthlyTotals: Projection {
  /// The projection's name.
  public static let name = "monthly-totals"
  /// The version of the projection's tables.
  public static let version: UInt32 = 6
  /// The projection's tables.
  public static let tables = [
    TableDefinition("totals", .sums(fields: 4)), TableDefinition("outside", .sums(fields: 1)),
  ]

  static let totals = 0
  static let outside = 1

  /// Creates the projection.
  public init() {}

  /// Adds the changes of a transaction.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    try ProjectedTransaction.forEachDifference(change, in: MonthlyTotals.name, reading: state) {
      transaction, sign in
      let periods = transaction.periods
      let isTransfer = transaction.type == .transfer
      MonthlyTotals.addOutside(of: transaction, sign, to: &tables)
      for position in 0..<transaction.lines.count
      where MonthlyTotals.isFirstCounted(position, of: transaction.lines, isTransfer) {
        let currency = transaction.lines[position].currency
        let sums = MonthlyTotals.sums(of: transaction.lines, in: currency, isTransfer, sign)
        for index in periods.indices {
          let period = periods[index]
          tables.add(MonthlyTotals.totals, MonthlyTotals.key(period, currency), sums)
        }
      }
    }
  }

  /// Returns the income, expense, transfers and count of one transaction, by currency.
  package static func figures(
    of lines: borrowing Lines, isTransfer: Bool
  ) -> [Currency: Sums] {
    var found: [Currency: Sums] = [:]
    for position in 0..<lines.count where isFirstCounted(position, of: lines, isTransfer) {
      let currency = lines[position].currency
      found[currency] = sums(of: lines, in: currency, isTransfer, 1)
    }
    return found
  }

  // Returns whether a line counts and no earlier line in the same currency does.
  private static func isFirstCounted(
    _ position: Int, of lines: borrowing Lines, _ isTransfer: Bool
  ) -> Bool {
    let line = lines[position]
    guard counts(line, isTransfer) else { return false }
    for earlier in 0..<position {
      let other = lines[earlier]
      if other.currency == line.currency, counts(other, isTransfer) { return false }
    }
    return true
  }

  private static func counts(_ line: Line, _ isTransfer: Bool) -> Bool {
    line.isCategory || (isTransfer && !line.isBuiltInEquity && line.moneyOut > 0)
  }

  private static func sums(
    of lines: borrowing Lines, in currency: Currency, _ isTransfer: Bool, _ sign: Int128
  ) -> Sums {
    var sums = Sums(0, 0, 0, sign)
    if !isTransfer { sums[2] = sign * movedPart(of: lines, in: currency) }
    for position in 0..<lines.count {
      let line = lines[position]
      guard line.currency == currency, counts(line, isTransfer) else { continue }
      switch line.kind {
      case .income: sums[0] -= sign * line.net
      case .expense: sums[1] += sign * line.net
      case .account: sums[2] += sign * line.moneyOut
      }
    }
    return sums
  }

  // Returns the amount that an expense or income moves between accounts.
  private static func movedPart(of lines: borrowing Lines, in currency: Currency) -> Int128 {
    var (gained, lost): (Int128, Int128) = (0, 0)
    for position in 0..<lines.count {
      let line = lines[position]
      if line.isCategory || line.isBuiltInEquity || line.currency != currency { continue }
      if line.net > 0 { gained += line.net } else { lost -= line.net }
    }
    return min(gained, lost)
  }

  static func key(_ period: Period, _ currency: Currency) -> TableKey {
    var key = TableKey()
    key.append(period)
    key.append(currency: currency)
    return key
  }
}
