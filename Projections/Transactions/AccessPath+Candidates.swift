import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

// Texts, statuses and amounts are found through an index. Whatever way is taken, every row that is given passed
// the whole test, so that the index decides how long it takes, never what is found.

/// From where on the index of texts, statuses and amounts is asked; tests ask it always.
package enum TextSearchLimits {
  /// How many of the newest rows are looked at first: what is common is found among them.
  @TaskLocal package static var newestCount = 256
  /// A list that is not longer is gone through, whatever the index says.
  @TaskLocal package static var listCount = 4_096
}

extension AccessPath {
  /// How many keys of a list are stepped over in the time that one candidate is looked at.
  private static let keysPerRow = 16
  /// The most lists of categories that are stepped down side by side; a term that so many names hold
  /// is common, and the rows are gone through.
  var listCountMax: Int { 24 }
  /// Of how many rows one must be found for the newest to be looked at any longer.
  private static let rowsPerFind = 16
  /// Of how many rows one must be a candidate for all to be read one after the other.
  private static let rowsPerCommon = 3
  /// How many keys are asked of the index at first, and at most.
  private static let keyCounts = 256...4_096
  /// How many candidates are taken from the index at first, and at most.
  private static let foundCounts = 64...4_096

  /// Gives the selected rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachCandidate(
    _ candidates: any CandidateRows, in bounds: Range<RowKey>, ascending: Bool,
    _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    let newest = try lookAtNewest(in: bounds, ascending: ascending, handle, view, body)
    guard let rest = newest, !rest.isEmpty else { return }
    if readsAll, kinds.isEmpty, try areCommon(candidates, handle, view) {
      try forEachStored(in: rest, ascending: ascending, handle, view) { key, id, record in
        try test.accepts(record) ? body(key, id, record) : true
      }
    } else if try isShort(beside: candidates, handle, view) {
      try forEachListed(candidates, in: rest, ascending: ascending, handle, view, body)
    } else {
      try forEachFound(candidates, in: rest, ascending: ascending, handle, view, body)
    }
  }

  /// Looks at the first rows, for as long as many are found.
  ///
  /// - Returns: where the other rows are, `nil` where no more are wanted.
  private func lookAtNewest(
    in bounds: Range<RowKey>, ascending: Bool, _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws -> Range<RowKey>? {
    let most = TextSearchLimits.newestCount
    if most == 0 { return bounds }
    var (count, found) = (0, 0)
    var goesOn = true
    var isStopped = false
    var rest = bounds
    try forEachStored(in: bounds, ascending: ascending, handle, view) { key, id, record in
      count += 1
      rest = ascending ? key.successor..<bounds.upperBound : bounds.lowerBound..<key
      if try test.accepts(record) {
        found += 1
        goesOn = try body(key, id, record)
      }
      let isRare = count >= most / 4 && found * AccessPath.rowsPerFind < count
      isStopped = count >= most || isRare
      return goesOn && !isStopped
    }
    return goesOn && isStopped ? rest : nil
  }

  /// Goes through the path's lists, and looks at the rows that are candidates too.
  private func forEachListed(
    _ candidates: any CandidateRows, in bounds: Range<RowKey>, ascending: Bool,
    _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    var walk = try walk(bounds, ascending: ascending, handle, view)
    var others = try KeyWalk([otherLists], bounds, ascending: ascending, handle, view)
    let hasOthers = !test.otherCategories.isEmpty
    var keys: [RowKey] = []
    var most = AccessPath.keyCounts.lowerBound
    while true {
      keys.removeAll(keepingCapacity: true)
      while keys.count < most, let key = try walk.next() { keys.append(key) }
      if keys.isEmpty { return }
      let areCandidates = try candidates.contain(keys, in: view)
      for index in keys.indices {
        let key = keys[index]
        if !areCandidates[index] {
          guard hasOthers, try others.contains(key) else { continue }
        }
        let goesOn = try walk.withRow(key) { id, record in
          try test.accepts(record) ? body(key, id, record) : true
        }
        if !goesOn { return }
      }
      most = min(most * 4, AccessPath.keyCounts.upperBound)
    }
  }

  /// Goes through the candidates, and looks at the rows that are in the path's lists too.
  private func forEachFound(
    _ candidates: any CandidateRows, in bounds: Range<RowKey>, ascending: Bool,
    _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    var walk = try walk(bounds, ascending: ascending, handle, view)
    var others = try KeyWalk([otherLists], bounds, ascending: ascending, handle, view)
    var other = try others.next()
    var rest = bounds
    var keys: [RowKey] = []
    var most = AccessPath.foundCounts.lowerBound
    while !rest.isEmpty {
      keys.removeAll(keepingCapacity: true)
      try candidates.forEach(in: rest, ascending: ascending, view) { key in
        keys.append(key)
        return keys.count < most
      }
      for key in keys {
        while let found = other, ascending ? found < key : key < found {
          if try !look(at: found, of: &walk, body) { return }
          other = try others.next()
        }
        if other == key { other = try others.next() }
        if try !look(at: key, of: &walk, body) { return }
      }
      guard keys.count == most, let last = keys.last else { break }
      rest = ascending ? last.successor..<rest.upperBound : rest.lowerBound..<last
      most = min(most * 4, AccessPath.foundCounts.upperBound)
    }
    while let found = other {
      if try !look(at: found, of: &walk, body) { return }
      other = try others.next()
    }
  }

  /// Gives a row to `body` if it is in the path's lists and passes the test.
  private func look(
    at key: RowKey, of walk: inout KeyWalk, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws -> Bool {
    guard try walk.contains(key) else { return true }
    return try walk.withRow(key) { id, record in
      try test.accepts(record) ? body(key, id, record) : true
    }
  }

  /// The lists of categories whose rows may pass the test without being candidates.
  private var otherLists: KeyLists {
    KeyLists(
      table: Transactions.byCategory,
      prefixes: test.otherCategories.map { IndexKey.number($0.number) })
  }

  /// Whether so many rows are candidates that all are sooner read one after the other.
  private func areCommon(
    _ candidates: any CandidateRows, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Bool {
    let count = try RowCounter(.all, handle).estimate(test.days, view)
    return try candidates.estimatedCount(in: view) > count / AccessPath.rowsPerCommon
  }

  /// Whether going through the path's keys is less work than looking at every candidate.
  private func isShort(
    beside candidates: any CandidateRows, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Bool {
    if kinds.isEmpty { return false }
    let count = try RowCounter(self, handle).estimate(test.days, view)
    if count <= TextSearchLimits.listCount { return true }
    return try count / AccessPath.keysPerRow < candidates.estimatedCount(in: view)
  }
}
