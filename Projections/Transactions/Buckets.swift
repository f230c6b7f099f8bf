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

/// What one of them says of a period.
struct Bucket {
  /// The period's.
  var index: Int32
  /// Of a day: the currency of `sum`.
  var currency: Currency?
  var count: Int
  /// Of a day: the result, or of an account what its postings came to.
  var sum: Int128
}

extension Buckets {
  /// Gives the periods of a span that have any rows to `body`, in order, until it returns false.
  ///
  /// A day of ``all`` is given once for each currency.
  func forEach(
    in span: PeriodSpan, reversed: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (Bucket) throws -> Bool
  ) throws {
    switch self {
    case .all:
      try forEachRow(BucketKey.all, span, reversed, handle, view) { bucket, reader in
        var bucket = bucket
        if span.level == .day { bucket.currency = try reader.keyCurrency() }
        return try body(bucket)
      }
    case .type(let type, let currency, let countsOnce):
      let prefix = BucketKey.type(type, currency)
      try forEachRow(prefix, span, reversed, handle, view, once: countsOnce) { bucket, _ in
        var bucket = bucket
        bucket.currency = currency
        return try body(bucket)
      }
    case .account(let key):
      let currency = span.level == .day ? try Buckets.currency(of: key, view) : nil
      try Balances.forEachFlow(of: key.number, in: span, reversed: reversed, in: view) {
        try body(Bucket(index: $0, currency: currency, count: $1.count, sum: $1.net))
      }
    }
  }

  private func forEachRow(
    _ prefix: TableKey, _ span: PeriodSpan, _ reversed: Bool, _ handle: ProjectionHandle,
    _ view: borrowing View, once: Bool = false,
    _ body: (Bucket, inout ByteReader) throws -> Bool
  ) throws {
    let start = prefix.count
    try view.forEachSum(
      in: handle[Transactions.buckets], prefix: prefix, span, reversed: reversed
    ) { key, sums in
      var reader = ByteReader(key)
      reader.offset = start
      let index = try reader.keyIndex()
      let count = try checkedCount(
        once ? sums[0] - sums[2] : sums[0], in: Transactions.name,
        "\(span.level) \(index) in buckets")
      return try body(Bucket(index: index, currency: nil, count: count, sum: sums[1]), &reader)
    }
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
