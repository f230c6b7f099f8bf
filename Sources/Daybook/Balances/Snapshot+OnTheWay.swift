internal import DaybookEngine
import DaybookProjections

extension Snapshot {
  /// Returns the transactions whose money is on the way at the end of a day: it has left one account
  /// and hasn't arrived on another, or the other way round.
  ///
  /// These amounts are missing from the sum of all balances on that day, or are contained twice. See
  /// `Transaction.day(on:)`.
  ///
  /// - Returns: The transactions, oldest first. Those that arrive more than
  ///   ``LedgerLimits/onTheWayDayCountMax`` days before or after the day are left out.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts + transfers that leave and arrive on different days, within
  ///   ``LedgerLimits/onTheWayDayCountMax`` days of the day).
  public func onTheWay(at day: Day) throws -> [Transaction] {
    var places: Set<RowKey> = []
    for account in try worthAccounts() {
      places.formUnion(
        try Transactions.onTheWay(
          to: keyNumber(account), at: day, dayCountMax: LedgerLimits.onTheWayDayCountMax, in: view))
    }
    return try places.sorted().compactMap { place in
      let found = try view.entity(.transaction, cluster: place.day.biased, number: place.number)
      return try found.map {
        try Transaction(record: $0.record, id: $0.id, number: place.number)
      }
    }
  }
}
