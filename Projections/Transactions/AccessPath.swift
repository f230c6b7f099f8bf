import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// A way to find the rows of a selection: the lists to read, and the buckets that count the rows.
struct AccessPath {
  /// The lists of keys.
  ///
  /// A row must be in at least one list of each kind. If there are no lists, all transactions are
  /// read from State.
  var kinds: [KeyLists] = []
  /// The counts by year, month and day; their sum is the number of rows.
  var buckets: [Buckets] = []
  /// Whether the buckets may count a row more than once, so that their sum is only approximate.
  var countsRepeatedly = false
  /// The categories whose counts are used instead of buckets; categories count only by year and
  /// month.
  var categories: [UInt32] = []
  /// The lists in `splits` that are needed if several categories may count the same row.
  var splits: [TableKey] = []
  /// Whether there are counts by day.
  var hasDays: Bool { !buckets.isEmpty }
  /// The conditions that no list covers, which must be tested for each row.
  var test = Selection()
  /// The single account of the selection, whose rows are listed on the days that count on it.
  var moved: MovedRows?
  /// Whether rows must be tested.
  var isTested: Bool { test.hasConditions }
  /// Whether all rows are requested, and not only the first ones.
  ///
  /// If many rows match, scanning all rows is faster than using an index.
  var readsAll = false
  /// Whether the buckets count the rows exactly.
  var isCounted: Bool { kinds.count < 2 && !isTested && !countsRepeatedly }

  static var all: AccessPath { AccessPath(buckets: [.all]) }

  // MARK: Rows

  /// Returns a walk through the rows of the path's lists, newest first, or oldest first if
  /// `ascending`.
  @_lifetime(borrow view)
  func walk(
    _ bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> KeyWalk {
    try KeyWalk(kinds, bounds, ascending: ascending, handle, view)
  }

  /// Calls `body` with the places of the path's rows until it returns `false`.
  ///
  /// The newest rows come first, or the oldest if `ascending`.
  func forEachKey(
    in bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey) throws -> Bool
  ) throws {
    guard let moved, try moved.exist(in: bounds, handle, view) else {
      return try forEachOwnKey(in: bounds, ascending: ascending, handle, view, body)
    }
    var arrivals = MovedRows.Arrivals(moved, bounds, ascending: ascending)
    var goesOn = true
    try forEachOwnKey(in: bounds, ascending: ascending, handle, view) { key in
      if try moved.departs(key, handle, view) != nil { return true }
      goesOn = try arrivals.visit(before: key, handle, view) { key, _, _ in try body(key) }
      if goesOn { goesOn = try body(key) }
      return goesOn
    }
    if goesOn { _ = try arrivals.visit(before: nil, handle, view) { key, _, _ in try body(key) } }
  }

  private func forEachOwnKey(
    in bounds: Range<RowKey>, ascending: Bool, _ handle: ProjectionHandle,
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

  /// Returns the place of the `count`-th row, counted from the oldest, or `nil` if there are fewer
  /// rows.
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

  /// Calls `body` with the selected rows until it returns `false`.
  ///
  /// The newest rows come first, or the oldest if `ascending`.
  func forEachRow(
    in bounds: Range<RowKey>, ascending: Bool = false, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    guard let moved, try moved.exist(in: bounds, handle, view) else {
      return try forEachOwnRow(in: bounds, ascending: ascending, handle, view, body)
    }
    var arrivals = MovedRows.Arrivals(moved, bounds, ascending: ascending)
    var goesOn = true
    try forEachOwnRow(in: bounds, ascending: ascending, handle, view) { key, id, record in
      if try moved.departs(key, handle, view) != nil { return true }
      goesOn = try arrivals.visit(before: key, handle, view, body)
      if goesOn { goesOn = try body(key, id, record) }
      return goesOn
    }
    if goesOn { _ = try arrivals.visit(before: nil, handle, view, body) }
  }

  private func forEachOwnRow(
    in bounds: Range<RowKey>, ascending: Bool, _ handle: ProjectionHandle,
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

  /// Calls `body` with the rows in the path's lists, without testing them, until it returns
  /// `false`.
  ///
  /// The newest rows come first, or the oldest if `ascending`.
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
