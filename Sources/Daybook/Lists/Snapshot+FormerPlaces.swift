import DaybookBookkeeping
internal import DaybookEngine
import DaybookEntities

extension Snapshot {
  /// Returns the transactions that a sync moved from their place in this device's lists.
  ///
  /// A sync moves a transaction if it inserts transactions of other devices before it. Call this
  /// method before acting on a place that a person has seen, because another transaction may be in
  /// that place now. Former places are kept until every device has seen the sync.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged` or `system`.
  /// - Complexity: O(1).
  public func formerTransactions(at place: TransactionPosition) throws -> [TransactionID] {
    let position = StatePosition(cluster: place.day.biased, number: place.number)
    let ids = try view.formerEntities(.transaction, at: position).map { TransactionID($0) }
    return try ids.filter { id in
      guard let row = try transaction(id) else { return true }
      return row.day != place.day || row.number != place.number
    }
  }
}
