package import DaybookEngine

/// Rows found by an index; they include all matching rows, and possibly others, so the caller must
/// test them.
///
/// Not `Sendable`: an instance caches data that it has read from one view, and is used for one
/// query.
package protocol CandidateRows: AnyObject {
  /// Returns, for each key, whether its row is a candidate.
  ///
  /// Pass many keys in one call.
  func contain(_ keys: [RowKey], in view: borrowing View) throws -> [Bool]
  /// Returns the approximate number of candidates.
  func estimatedCount(in view: borrowing View) throws -> Int
  /// Calls `body` with the places of the candidates within bounds, until it returns `false`.
  ///
  /// The newest candidates come first, or the oldest if `ascending`.
  func forEach(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool) throws
}
