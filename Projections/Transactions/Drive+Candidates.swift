import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

// A text is found through an index. Whatever way is taken, every row that is given passed the whole
// test, so that the index decides how long it takes, never what is found.
/// From where on an index of texts is asked; tests ask it always.
package enum Looking {
  /// How many of the newest rows are looked at first: what is common is found among them.
  @TaskLocal package static var newestCount = 256
  /// A list that is not longer is gone through, whatever the index says.
  @TaskLocal package static var listCount = 4_096
}

extension Drive {
  /// How many keys of a list are stepped over in the time that one row is looked at.
  private static let keysPerRow = 16
  /// The most lists of categories that are stepped down side by side; a term that so many names hold
  /// is common, and the rows are gone through.
  var listCountMax: Int { 24 }

  /// Gives the selected rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachCandidate(
    _ candidates: any CandidateRows, of selection: Selection, in bounds: Range<RowKey>,
    ascending: Bool, chunk: Int, _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    var count = Looking.newestCount
    var goesOn = true
    var rest = bounds
    if count > 0 {
      try forEachStored(in: bounds, ascending: ascending, chunk: chunk, handle, view) {
        key, id, record in
        count -= 1
        rest = ascending ? key.successor..<bounds.upperBound : bounds.lowerBound..<key
        if try selection.accepts(record) { goesOn = try body(key, id, record) }
        return goesOn && count > 0
      }
      if !goesOn || count > 0 || rest.isEmpty { return }
    }
    func look(_ key: RowKey) throws -> Bool {
      try Drive.withRow(key, view) { id, record in
        try selection.accepts(record) ? body(key, id, record) : true
      }
    }
    var others = KeyCursors(
      handle[Transactions.byCategory],
      selection.otherCategories.map { IndexKey.number($0.number) }, rest, ascending: ascending,
      chunk: chunk)
    if try isShort(beside: candidates, selection, handle, view) {
      let most = KeyCursor.chunkMax
      return try forEachKey(in: rest, ascending: ascending, chunk: most, handle, view) { key in
        while try others.isBefore(key, in: view), let other = try others.head(in: view) {
          _ = try others.advance(over: other, in: view)
        }
        if try candidates.contains(key.number, in: view) { return try look(key) }
        return try others.head(in: view) == key ? look(key) : true
      }
    }
    try candidates.forEach(in: rest, ascending: ascending, view) { key in
      while try others.isBefore(key, in: view), let other = try others.head(in: view) {
        _ = try others.advance(over: other, in: view)
        goesOn = try look(other)
        if !goesOn { return false }
      }
      if try others.head(in: view) == key { _ = try others.advance(over: key, in: view) }
      goesOn = try look(key)
      return goesOn
    }
    while goesOn, let other = try others.head(in: view) {
      _ = try others.advance(over: other, in: view)
      goesOn = try look(other)
    }
  }

  /// Whether going through the drive's keys is less work than looking at every candidate.
  private func isShort(
    beside candidates: any CandidateRows, _ selection: Selection, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> Bool {
    guard case .lists = source else { return false }
    let count = try RowCounter(self, handle).estimate(selection.days, view)
    if count <= Looking.listCount { return true }
    return try count / Drive.keysPerRow < candidates.estimatedCount(in: view)
  }
}
