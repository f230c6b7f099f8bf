import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The list of transactions: keys by account, category, type and currency, and counts of each.
///
/// The rows themselves are in State, which is ordered by day and recording number.
///
/// | table | key | value |
/// |---|---|---|
/// | `by-account` | account (4 bytes), day (4), number (5) | |
/// | `by-category` | category (4), day (4), number (5) | |
/// | `by-type` | type (1), currency (2 to 9), day (4), number (5) | |
/// | `splits` | category (4), day (4), number (5) | |
/// | `buckets` | see below | see below |
/// | `settled` | type (1), currency (2 to 9), account's currency (2 to 9), day as a period (4) | in, out, cost of in, cost of out |
/// | `arrivals` | account (4), day on the account (4), number (5) | the transaction's day (4) |
/// | `departures` | account (4), the transaction's day (4), number (5) | day on the account (4) |
/// | `excluded` | day (4), number (5) | |
/// | `exclusions` | kind (1), number (2 to 5) | |
///
/// A transaction is listed once for each account and category of its postings, and under its type
/// once for each currency of its postings to accounts and categories. The built-in equity accounts
/// are not listed. `splits` contains the keys of `by-category` whose transactions have postings to
/// more than one category. It is used to count the rows of several categories without reading them.
///
/// `arrivals` and `departures` contain the transactions that count on an account on another day
/// than their own: `Transaction.day(on:)`. The list of a single account shows them on that day.
///
/// `excluded` lists the transactions that are excluded from totals by their own property, and not
/// those of excluded accounts and categories. `exclusions` lists the excluded accounts (kind 0) and
/// categories (kind 1), so that observers of totals needn't observe every account and category.
///
/// A key of `buckets` consists of an index (1 byte), the index's own fields, and a period (4),
/// which begins with its level:
///
/// | index | fields | after the period | totals |
/// |---|---|---|---|
/// | 0 | | at level 3: currency | count, result |
/// | 1 | type (1), currency (2 to 9) | | count, in, out, repeated |
///
/// Levels are those of ``Period/Level``, 1 to 3. *Count* is the number of transactions: of all, or
/// of those of the type in the currency. *In* is the sum of the negative postings to categories,
/// without its sign; *out* is the sum of the positive ones. For transfers, which have no such
/// postings, both are the amount that left accounts; see ``MonthlyTotals``. The *result*, which is
/// stored for days only, is income minus expense: *in* minus *out*. At level 3 of index 0, a
/// transaction is counted only under its first currency, so that the counts of a day can be added
/// up. *Repeated* is the number of transactions at index 1 whose first currency is another one. To
/// count each transaction of a type once, add up the counts and subtract *repeated*.
///
/// `settled` has the part of *in* and *out* whose cost in the currency of the account is stated, and
/// that cost; see ``Settlement``.
///
/// ``Balances`` and ``CategoryTotals`` store the number of transactions of each account and
/// category, together with their sums.
public struct Transactions: Projection {
  /// The projection's name.
  public static let name = "transactions"
  /// The version of the projection's tables.
  public static let version: UInt32 = 7
  /// The projection's tables.
  public static let tables = [
    TableDefinition("by-account", .places),
    TableDefinition("by-category", .places),
    TableDefinition("by-type", .places),
    TableDefinition("splits", .places),
    TableDefinition("buckets", .sums(fields: 4)),
    TableDefinition("arrivals", .rows),
    TableDefinition("departures", .rows),
    TableDefinition("settled", .sums(fields: 4)),
    TableDefinition("excluded", .rows),
    TableDefinition("exclusions", .rows),
  ]

  static let byAccount = 0
  static let byCategory = 1
  static let byType = 2
  static let splits = 3
  static let buckets = 4
  static let arrivals = 5
  static let departures = 6
  static let settled = 7
  static let excluded = 8
  static let exclusions = 9

  /// Creates the projection.
  public init() {}

  /// Adds the changes of a transaction to keys and counts.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    if change.kind == .account || change.kind == .category {
      return try Transactions.addExclusion(change, to: &tables)
    }
    guard change.kind == .transaction else { return }
    let number = change.number
    try ProjectedTransaction.forEachDifference(change, in: Transactions.name, reading: state) {
      transaction, sign in
      let emission = Emission(
        row: try RowKey.checked(transaction.day, number, in: Transactions.name),
        year: Period.year(of: transaction.day), month: Period.month(of: transaction.day), sign: sign
      )
      emission.lists(transaction, &tables)
      emission.accounts(transaction.lines, &tables)
      if transaction.arrivalDay != nil { emission.arrivals(transaction, &tables) }
      emission.categories(transaction.lines, &tables)
      emission.costs(transaction, &tables)
      if transaction.isExcluded { emission.set(Transactions.excluded, TableKey(), &tables) }
    }
  }
}

/// Writes the keys and counts that one transaction adds or removes.
private struct Emission {
  let row: RowKey
  let year: Period
  let month: Period
  let sign: Int128

  var day: Period { Period.day(row.day) }

  func lists(_ transaction: borrowing ProjectedTransaction, _ tables: inout ProjectionTables) {
    let type = transaction.type
    let all = BucketKey.all
    add(all, year, Sums(sign, 0), &tables)
    add(all, month, Sums(sign, 0), &tables)
    transaction.lines.forEachCurrency { currency, isMain in
      let flow = transaction.lines.flow(in: currency, isTransfer: type == .transfer)
      let once = Sums(isMain ? sign : 0, sign * (flow.moneyIn - flow.moneyOut))
      if !once.isZero { add(all, day, currency, once, &tables) }
      let typed = BucketKey.type(type, currency)
      let sums = Sums(sign, sign * flow.moneyIn, sign * flow.moneyOut, isMain ? 0 : sign)
      add(typed, year, sums, &tables)
      add(typed, month, sums, &tables)
      add(typed, day, sums, &tables)
      set(Transactions.byType, IndexKey.type(type, currency), &tables)
    }
  }

  func costs(_ transaction: borrowing ProjectedTransaction, _ tables: inout ProjectionTables) {
    guard let settlement = transaction.lines.settlement else { return }
    var sums = Sums()
    for part in transaction.lines.settled(settlement) {
      let line = transaction.lines[part.position]
      sums += Sums(
        sign * line.moneyOut, sign * line.moneyIn, sign * max(-part.cost, 0),
        sign * max(part.cost, 0))
    }
    var key = BucketKey.settled(transaction.type, settlement.original, settlement.currency)
    key.append(day)
    tables.add(Transactions.settled, key, sums)
  }

  func accounts(_ lines: borrowing Lines, _ tables: inout ProjectionTables) {
    for position in 0..<lines.count {
      let line = lines[position]
      if line.isCategory || line.isBuiltInEquity || !lines.isFirstOfAccount(position) { continue }
      set(Transactions.byAccount, IndexKey.number(line.number), &tables)
    }
  }

  func arrivals(_ transaction: borrowing ProjectedTransaction, _ tables: inout ProjectionTables) {
    for position in 0..<transaction.lines.count {
      let line = transaction.lines[position]
      let arrival = transaction.day(of: line)
      if arrival == row.day || !transaction.lines.isFirstOfAccount(position) { continue }
      let moved = RowKey(day: arrival, number: row.number)
      move(Transactions.arrivals, line.number, from: moved, to: row.day, &tables)
      move(Transactions.departures, line.number, from: row, to: arrival, &tables)
    }
  }

  private func move(
    _ table: Int, _ account: UInt32, from place: RowKey, to day: Day,
    _ tables: inout ProjectionTables
  ) {
    var key = IndexKey.number(account)
    key.append(place)
    if sign < 0 { return tables.remove(table, key) }
    var value = ByteWriter(reserving: 4)
    value.u32be(day.biased)
    tables.put(table, key, value.bytes)
  }

  func categories(_ lines: borrowing Lines, _ tables: inout ProjectionTables) {
    let isSplit = lines.hasManyCategories
    for position in 0..<lines.count
    where lines[position].isCategory && lines.isFirstOfAccount(position) {
      let key = IndexKey.number(lines[position].number)
      set(Transactions.byCategory, key, &tables)
      if isSplit { set(Transactions.splits, key, &tables) }
    }
  }

  private func add(
    _ bucket: TableKey, _ period: Period, _ sums: Sums, _ tables: inout ProjectionTables
  ) {
    var key = bucket
    key.append(period)
    tables.add(Transactions.buckets, key, sums)
  }

  private func add(
    _ bucket: TableKey, _ day: Period, _ currency: Currency, _ sums: Sums,
    _ tables: inout ProjectionTables
  ) {
    var key = bucket
    key.append(day)
    key.append(currency: currency)
    tables.add(Transactions.buckets, key, sums)
  }

  func set(_ table: Int, _ prefix: TableKey, _ tables: inout ProjectionTables) {
    var key = prefix
    key.append(row)
    if sign > 0 { tables.put(table, key) } else { tables.remove(table, key) }
  }
}
