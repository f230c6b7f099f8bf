package import Projecting

/// Rows that may match, as an index finds them: all that do, and perhaps others, which whoever asks
/// looks at.
///
/// Not `Sendable`: it keeps what it has read of one view, and serves one query.
package protocol CandidateRows: AnyObject {
  /// Which of some rows are among them, asked of many at a time.
  func contain(_ keys: [RowKey], in view: borrowing View) throws -> [Bool]
  /// About how many there are.
  func estimatedCount(in view: borrowing View) throws -> Int
  /// Gives their places within bounds to `body`, newest first, or oldest first if `ascending`, until
  /// it returns false.
  func forEach(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool) throws
}
