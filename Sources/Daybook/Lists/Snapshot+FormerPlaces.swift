import Bookkeeping
import Entities
internal import Projecting

extension Snapshot {
  /// The transactions that had a place in the lists of this device and now have another one, because a sync placed other
  /// devices' transactions before them.
  ///
  /// Ask before acting on a place that a person saw: another transaction may have it now. Former places are remembered
  /// until every device has seen the sync.
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
