import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// The counts of a list's rows by year, month and day, with sums by day.
enum Buckets {
  /// The counts of all transactions.
  case all
  /// The counts of an account's transactions, which `Balances` stores together with its sums.
  case account(Selection.Key)
  /// The counts of a type's transactions in a currency.
  ///
  /// With `countsOnce`, transactions whose main currency is another one are not counted.
  case type(TransactionType, Currency, countsOnce: Bool)
}

/// The count and the sum of one day.
struct Bucket {
  /// The day's index.
  var day: Int32
  /// The currency of `sum`.
  var currency: Currency
  var count: Int
  /// Income minus expense, or the sum of an account's postings.
  var sum: Int128
}

extension Buckets {
  /// Calls `body` with the number of rows in each period of a span, in the order of the periods.
  ///
  /// Periods without rows are skipped. For ``all``, each day is visited once per currency.
  func forEachCount(
    in span: PeriodSpan, _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (_ index: Int32, _ count: Int) -> Void
  ) throws {
    if case .account(let key) = self {
      return try Balances.forEachFlow(of: key.number, in: span, in: view) {
        body($0, $1.count)
        return true
      }
    }
    let (prefix, isOnce) = row
    let start = prefix.count
    try view.forEachSum(in: handle[Transactions.buckets], prefix: prefix, span) { key, sums in
      var reader = ByteReader(key)
      reader.offset = start
      let index = try reader.keyIndex()
      body(index, try Buckets.count(sums, isOnce, index))
      return true
    }
  }

  /// Calls `body` with each day of a span that has rows, newest first, until it returns `false`.
  ///
  /// For ``all``, each day is visited once per currency.
  func forEachDay(
    from first: Day, before end: Day, _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (Bucket) throws -> Bool
  ) throws {
    let span = PeriodSpan(.day, first.rawValue, end.rawValue)
    if case .account(let key) = self {
      let currency = try Buckets.currency(of: key, view)
      return try Balances.forEachFlow(of: key.number, in: span, reversed: true, in: view) {
        try body(Bucket(day: $0, currency: currency, count: $1.count, sum: $1.net))
      }
    }
    let (prefix, isOnce) = row
    let start = prefix.count
    try view.forEachSum(
      in: handle[Transactions.buckets], prefix: prefix, span, reversed: true
    ) { key, sums in
      var reader = ByteReader(key)
      reader.offset = start
      let index = try reader.keyIndex()
      let currency =
        if case .type(_, let currency, _) = self { currency } else {
          try reader.keyCurrency()
        }
      let count = try Buckets.count(sums, isOnce, index)
      let sum = if case .all = self { sums[1] } else { sums[1] - sums[2] }
      return try body(Bucket(day: index, currency: currency, count: count, sum: sum))
    }
  }

  // The prefix of the keys, and whether a row with several currencies is counted once.
  private var row: (prefix: TableKey, isOnce: Bool) {
    if case .type(let type, let currency, let countsOnce) = self {
      return (BucketKey.type(type, currency), countsOnce)
    }
    return (BucketKey.all, false)
  }

  @inline(__always)
  private static func count(_ sums: Sums, _ isOnce: Bool, _ index: Int32) throws -> Int {
    try checkedCount(
      isOnce ? sums[0] - sums[3] : sums[0], in: Transactions.name, "period \(index) of buckets")
  }

  // All postings to an account are in the account's currency.
  static func currency(
    of key: Selection.Key, _ view: borrowing View
  ) throws -> Currency {
    guard let stored = try view.entity(.account, key.id) else {
      throw ProjectionFault.missing(key.id, in: Transactions.name)
    }
    return try Account(record: stored.record, id: key.id, number: UInt64(key.number)).currency
  }
}
