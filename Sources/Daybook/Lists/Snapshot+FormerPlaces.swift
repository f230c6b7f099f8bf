import Bookkeeping
import Entities
internal import Projecting

extension Snapshot {
  /// The transactions that had a place in the lists of this device and have another one by now, because another
  /// device's were placed before them; those that have it again are left out.
  ///
  /// Ask before acting on a place that a person saw: it may be another transaction's since. What this answers is
  /// remembered until every device has seen what was merged.
  ///
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
