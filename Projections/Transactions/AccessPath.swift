import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// How the rows of a selection are come by: the lists that they are read from, and the buckets that count them.
struct AccessPath {
  /// Where the keys are; none where State itself is gone through: all transactions.
  ///
  /// A row is in lists of each of these kinds.
  var kinds: [KeyLists] = []
  /// Where the rows are counted by year, month and day; the counts are added.
  var buckets: [Buckets] = []
  /// Whether the buckets may count a row several times, so that their sum is only about right.
  var countsRepeatedly = false
  /// The categories that count them instead, by year and month only.
  var categories: [UInt32] = []
  /// The lists of `splits` where a row may be counted by several categories.
  var splits: [TableKey] = []
  /// Whether there are counts of days.
  var hasDays: Bool { !buckets.isEmpty }
  /// What the lists leave open: the conditions that each row must be tested for.
  var test = Selection()
  /// Whether there are such.
  var isTested: Bool { test.hasConditions }
  /// Whether all rows are wanted, not the first of them: most of a ledger's are sooner read one after the other
  /// than found by an index.
  var readsAll = false
  /// Whether the buckets count the rows.
  var isCounted: Bool { kinds.count < 2 && !isTested && !countsRepeatedly }

  static var all: AccessPath { AccessPath(buckets: [.all]) }

  // MARK: Rows

  /// A walk down the path's lists, or up if `ascending`.
  @_lifetime(borrow view)
  func walk(
    _ bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> KeyWalk {
    try KeyWalk(kinds, bounds, ascending: ascending, handle, view)
  }

  /// Gives the places of the path's rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachKey(
    in bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey) throws -> Bool
  ) throws {
    if kinds.isEmpty {
      return try view.forEachPosition(
        .transaction, from: bounds.lowerBound.position, to: bounds.upperBound.position,
        reversed: !ascending
      ) { try body(RowKey($0)) }
    }
    var walk = try walk(bounds, ascending: ascending, handle, view)
    while let key = try walk.next() {
      if try !body(key) { return }
    }
  }

  /// The place of the row that is the `count`-th from the oldest one on.
  func key(
    at count: Int, fromOldestIn bounds: Range<RowKey>, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> RowKey? {
    var rest = count
    var found: RowKey?
    try forEachKey(in: bounds, ascending: true, handle, view) { key in
      rest -= 1
      if rest == 0 { found = key }
      return rest > 0
    }
    return found
  }

  /// Gives the selected rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachRow(
    in bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    if bounds.isEmpty { return }
    if let candidates = test.candidates, test.otherCategories.count <= listCountMax {
      return try forEachCandidate(
        candidates, in: bounds, ascending: ascending, handle, view, body)
    }
    if !isTested {
      return try forEachStored(in: bounds, ascending: ascending, handle, view, body)
    }
    try forEachStored(in: bounds, ascending: ascending, handle, view) { key, id, record in
      try test.accepts(record) ? body(key, id, record) : true
    }
  }

  /// Gives the rows of the path's lists to `body`, newest first, or oldest first if `ascending`, until
  /// it returns false.
  func forEachStored(
    in bounds: Range<RowKey>, ascending: Bool, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    if kinds.isEmpty {
      return try view.forEachEntity(
        .transaction, from: bounds.lowerBound.position, to: bounds.upperBound.position,
        reversed: !ascending
      ) { position, id, record in try body(RowKey(position), id, record) }
    }
    var walk = try walk(bounds, ascending: ascending, handle, view)
    while let key = try walk.next() {
      if try !walk.withRow(key, { try body(key, $0, $1) }) { return }
    }
  }
}

extension RowKey {
  var position: StatePosition { StatePosition(cluster: day.biased, number: number) }

  init(_ position: StatePosition) {
    self.init(day: Day(biased: position.cluster), number: position.number)
  }
}
