import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

// An index finds candidates for texts, statuses and amounts. Whatever the path, each row is tested
// before it is returned, so the index affects the duration of a query but not its result.

/// The limits that determine when the index is used.
///
/// Tests change the limits so that the index is always used.
package enum TextSearchLimits {
  /// The number of newest rows that are tested first, because they often include enough matches.
  @TaskLocal package static var newestCount = 256
  /// The maximum number of rows in a list that is scanned without using the index.
  @TaskLocal package static var listCount = 4_096
}

extension AccessPath {
  /// The number of list keys that can be skipped in the time that testing one candidate takes.
  private static let keysPerRow = 16
  /// The maximum number of category lists that are scanned in parallel.
  ///
  /// If a term occurs in the names of more categories than this, the term is frequent, so all rows
  /// are scanned instead.
  var listCountMax: Int { 24 }
  /// The scan of the newest rows stops early if fewer than one in this many rows matches.
  private static let rowsPerFind = 16
  /// All rows are scanned if at least one in this many rows is a candidate.
  private static let rowsPerCommon = 3
  /// The initial and the maximum number of keys passed to the index at a time.
  private static let keyCounts = 256...4_096
  /// The initial and the maximum number of candidates read from the index at a time.
  private static let foundCounts = 64...4_096

  /// Calls `body` with the selected rows until it returns `false`.
  ///
  /// The newest rows come first, or the oldest if `ascending`.
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

  /// Tests the first rows, as long as many of them match.
  ///
  /// - Returns: The bounds of the remaining rows, or `nil` if no more rows are requested.
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

  /// Scans the path's lists, and tests the rows in them that are candidates.
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

  /// Visits the candidates and tests the rows that are in the path's lists.
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

  /// Calls `body` with a row if it is in the path's lists and passes the test.
  private func look(
    at key: RowKey, of walk: inout KeyWalk, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws -> Bool {
    guard try walk.contains(key) else { return true }
    return try walk.withRow(key) { id, record in
      try test.accepts(record) ? body(key, id, record) : true
    }
  }

  /// The lists of the categories whose rows may pass the test without being candidates.
  private var otherLists: KeyLists {
    KeyLists(
      table: Transactions.byCategory,
      prefixes: test.otherCategories.map { IndexKey.number($0.number) })
  }

  /// Returns whether there are so many candidates that scanning all rows is faster.
  private func areCommon(
    _ candidates: any CandidateRows, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Bool {
    let count = try RowCounter(.all, handle).estimate(test.days, view)
    return try candidates.estimatedCount(in: view) > count / AccessPath.rowsPerCommon
  }

  /// Returns whether scanning the path's keys takes less time than testing every candidate.
  private func isShort(
    beside candidates: any CandidateRows, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Bool {
    if kinds.isEmpty { return false }
    let count = try RowCounter(self, handle).estimate(test.days, view)
    if count <= TextSearchLimits.listCount { return true }
    return try count / AccessPath.keysPerRow < candidates.estimatedCount(in: view)
  }
}
