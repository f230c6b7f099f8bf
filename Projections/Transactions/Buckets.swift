import Balances
import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// Counts of a list's rows by year, month and day, with what the days came to.
enum Buckets {
  /// Of all transactions.
  case all
  /// Of an account's, which `Balances` counts with its sums.
  case account(Selection.Key)
  /// Of those of a type in a currency; without those that have another currency first, if `countsOnce`.
  case type(TransactionType, Currency, countsOnce: Bool)
}

/// What one of them says of a day.
struct Bucket {
  /// The day's index.
  var day: Int32
  /// The currency of `sum`.
  var currency: Currency
  var count: Int
  /// The result, or of an account what its postings came to.
  var sum: Int128
}

extension Buckets {
  /// Gives how many rows each period of a span has, in order of the periods, to `body`.
  ///
  /// Periods without rows are left out; a day of ``all`` is given once for each currency.
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

  /// Gives the days of a span that have any rows to `body`, newest first, until it returns false.
  ///
  /// A day of ``all`` is given once for each currency.
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
      return try body(Bucket(day: index, currency: currency, count: count, sum: sums[1]))
    }
  }

  // What the rows' keys begin with, and whether they are counted once.
  private var row: (prefix: TableKey, isOnce: Bool) {
    if case .type(let type, let currency, let countsOnce) = self {
      return (BucketKey.type(type, currency), countsOnce)
    }
    return (BucketKey.all, false)
  }

  @inline(__always)
  private static func count(_ sums: Sums, _ isOnce: Bool, _ index: Int32) throws -> Int {
    try checkedCount(
      isOnce ? sums[0] - sums[2] : sums[0], in: Transactions.name, "period \(index) of buckets")
  }

  // All postings to an account are in its currency.
  private static func currency(
    of key: Selection.Key, _ view: borrowing View
  ) throws -> Currency {
    guard let stored = try view.entity(.account, key.id) else {
      throw ProjectionFault.missing(key.id, in: Transactions.name)
    }
    return try Account(record: stored.record, id: key.id, number: UInt64(key.number)).currency
  }
}
