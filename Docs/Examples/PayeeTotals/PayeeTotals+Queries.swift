public import Daybook
import DaybookEngine

/// The amounts paid to and received from a payee in a month, in one currency.
public struct PayeeTotal: Hashable, Sendable {
  /// The payee, as written in their newest row.
  public let payee: String
  /// The month.
  public let month: Month
  /// The amount paid to the payee; not negative.
  public let paid: Total
  /// The amount received from the payee; not negative.
  public let received: Total
  /// The number of transactions.
  public let count: Int

  /// Creates totals, for tests and previews.
  public init(payee: String, month: Month, paid: Total, received: Total, count: Int) {
    self.payee = payee
    self.month = month
    self.paid = paid
    self.received = received
    self.count = count
  }
}

extension Snapshot {
  /// Returns the totals of all payees in a month, by currency and then by amount paid, descending.
  ///
  /// - Throws: `DaybookError` with the code `projectionUnavailable` if the ledger was opened
  ///   without ``PayeeTotals``, or if it is disabled.
  /// - Complexity: O(payees of the month · log rows).
  public func payeeTotals(in month: Month) throws -> [PayeeTotal] {
    try withView { view in
      var totals: [PayeeTotal] = []
      let prefix = PayeeTotals.key(month)
      try PayeeTotals.forEach(prefix, in: view) { hash, currency, sums in
        let payee = try PayeeTotals.payee(of: hash, in: view)
        totals.append(PayeeTotal(payee: payee, month: month, currency: currency, sums: sums))
      }
      return totals.sorted {
        let (left, right) = ($0.paid, $1.paid)
        return (left.currency, right.units, $0.payee) < (right.currency, left.units, $1.payee)
      }
    }
  }

  /// Returns the totals of a payee, oldest month first, without months and currencies with no rows.
  ///
  /// - Throws: `DaybookError` with the code `projectionUnavailable` as above.
  /// - Complexity: O(months · log rows).
  public func totals(ofPayee payee: String, in months: Range<Month>) throws -> [PayeeTotal] {
    try withView { view in
      let hash = TextHash(payee.utf8)
      var totals: [PayeeTotal] = []
      for month in months {
        let prefix = PayeeTotals.key(month, hash)
        try PayeeTotals.forEach(prefix, in: view) { _, currency, sums in
          totals.append(PayeeTotal(payee: payee, month: month, currency: currency, sums: sums))
        }
      }
      return totals
    }
  }
}

extension PayeeTotal {
  fileprivate init(payee: String, month: Month, currency: Currency, sums: Sums) {
    self.init(
      payee: payee, month: month, paid: Total(units: sums[0], currency: currency),
      received: Total(units: sums[1], currency: currency), count: Int(clamping: sums[2]))
  }
}

extension PayeeTotals {
  /// Calls `body` with the rows of totals whose keys begin with a prefix.
  fileprivate static func forEach(
    _ prefix: TableKey, in view: borrowing View,
    _ body: (TextHash, Currency, Sums) throws -> Void
  ) throws {
    guard let end = prefix.afterPrefix else { return }
    let table = try view.tables(of: PayeeTotals.self)[Place.totals]
    try view.forEachSum(in: table, from: prefix, to: end) { key, sums in
      var reader = ByteReader(key)
      _ = try reader.skip(4)
      let hash = TextHash(high: try reader.u64be(), low: try reader.u64be())
      try body(hash, Currency(packed: try reader.u64be()), sums)
      return true
    }
  }

  /// Returns the payee's text, as written in their newest row.
  fileprivate static func payee(of hash: TextHash, in view: borrowing View) throws -> String {
    let rows = try view.tables(of: PayeeTotals.self)[Place.rows]
    var newest: StatePosition?
    try view.forEachPlace(in: rows, head: key(hash), reversed: true) { place in
      newest = place
      return false
    }
    guard let newest else { return "" }
    let payee = try view.withEntity(.transaction, at: newest) { id, record in
      try Transaction(record, id: id, number: newest.number).payee
    }
    return payee ?? ""
  }
}
