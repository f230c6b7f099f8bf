import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The money that moved in and out of each account, per day, month and year.
///
/// The day is the one that counts on the account: `Transaction.day(on:)`.
///
/// | table | key | totals |
/// |---|---|---|
/// | `flows` | account (2 to 5 bytes), period (4) | in, out, count |
///
/// Levels are those of ``Period/Level``: 1 is a year, 2 a month, 3 a day. *In* is the sum of the
/// positive postings. *Out* is the sum of the negative postings, without its sign. *Count* is the
/// number of transactions with postings to the account. Level 0 contains the account's opening
/// balance. Its period is the day of the opening balance, or the least index if the opening balance
/// has no day and counts on every day. Its count is 0, because an opening balance isn't a
/// transaction.
///
/// An account has one currency, so keys don't contain a currency. The built-in equity accounts,
/// which can have several currencies, are left out, because no list or total shows them.
public struct Balances: Projection {
  /// The projection's name.
  public static let name = "balances"
  /// The version of the projection's tables.
  public static let version: UInt32 = 3
  /// The projection's only table.
  public static let tables = [TableDefinition("flows", .sums(fields: 3))]

  static let flows = 0

  /// Creates the projection.
  public init() {}

  /// Adds the changes of an account's opening balance or a transaction's postings.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    switch change.kind {
    case .transaction:
      try ProjectedTransaction.forEachDifference(change, in: Balances.name, reading: state) {
        transaction, sign in
        add(transaction, sign, to: &tables)
      }
    case .account:
      let before = try Opening(change.before, change)
      let after = try Opening(change.after, change)
      if before == after { return }
      if let before { add(before, -1, to: &tables) }
      if let after { add(after, 1, to: &tables) }
    default: break
    }
  }

  private func add(
    _ transaction: borrowing ProjectedTransaction, _ sign: Int128,
    to tables: inout ProjectionTables
  ) {
    let departure = transaction.periods
    let arrival = transaction.arrivalDay.map { ProjectedTransaction.periods(of: $0) }
    for position in 0..<transaction.lines.count {
      let line = transaction.lines[position]
      if line.isCategory || line.isBuiltInEquity { continue }
      let count: Int128 = transaction.lines.isFirstOfAccount(position) ? sign : 0
      let sums = Sums(sign * line.moneyIn, sign * line.moneyOut, count)
      let isArriving = transaction.day(of: line) != transaction.day
      let periods = isArriving ? arrival ?? departure : departure
      for index in periods.indices {
        let period = periods[index]
        tables.add(Balances.flows, Balances.key(line.number, period), sums)
      }
    }
  }

  private func add(_ opening: Opening, _ sign: Int128, to tables: inout ProjectionTables) {
    if opening.units == 0 { return }
    let index = opening.day?.rawValue ?? Balances.timeless
    let amount = sign * opening.units
    let sums = opening.units > 0 ? Sums(amount, 0, 0) : Sums(0, -amount, 0)
    let period = Period(level: .all, index: index)
    tables.add(Balances.flows, Balances.key(opening.account, period), sums)
  }

  /// The index of an opening balance without a day; it is less than the index of every day.
  static let timeless: Int32 = -1 << 29

  static func key(_ account: UInt32, _ period: Period) -> TableKey {
    var key = TableKey()
    key.append(number: account)
    key.append(period)
    return key
  }
}

/// The opening balance of an account.
private struct Opening: Equatable {
  let account: UInt32
  let units: Int128
  let day: Day?

  init?(_ record: Record?, _ change: borrowing ProjectedChange) throws {
    guard let record else { return nil }
    let number = change.number
    let account = try Account(record: record, id: change.id, number: number)
    self.account = try keyNumber(number, in: Balances.name)
    units = Int128(account.openingBalance)
    day = account.openingDay
  }
}
