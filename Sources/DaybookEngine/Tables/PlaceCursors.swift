package import DaybookEntities
internal import DaybookLMDB

/// Independent cursors over lists of positions, and a cursor over the entities of a kind.
///
/// All cursors move in the same direction and never back. Within a table, no list's head may be a
/// prefix of another's.
package struct PlaceCursors: ~Copyable, ~Escapable {
  private var cursors: RowCursors
  private let reversed: Bool
  // Allocated manually, because moving a list in an array would update reference counts.
  private let lists: UnsafeMutableBufferPointer<List>
  private var count = 0
  /// For each list, a buffer for the positions of one piece, in ascending order.
  private let places: UnsafeMutableBufferPointer<StatePosition>

  /// The cursor of one list.
  private struct List {
    let cursor: Int
    let head: TableKey
    let lower: StatePosition
    let upper: StatePosition
    /// The current index among the positions of the piece, in the direction of movement.
    var index = 0
    /// The number of positions in the piece; 0 at the end of the list.
    var count = 0
    /// The current position, or `nil` at the end of the list.
    var place: StatePosition?
  }

  /// Creates cursors with no open lists.
  ///
  /// - Parameters:
  ///   - listCount: The maximum number of lists that will be opened.
  ///   - reversed: Whether the lists are read in descending order.
  @_lifetime(borrow view)
  package init(
    _ view: borrowing View, _ kind: EntityKind, listCount: Int, reversed: Bool
  ) throws {
    cursors = try RowCursors(view, kind, reversed: reversed)
    self.reversed = reversed
    unsafe lists = .allocate(capacity: listCount)
    unsafe places = .allocate(capacity: listCount * PlacePiece.countMax)
  }

  deinit {
    unsafe lists.deallocate()
    unsafe places.deallocate()
  }

  /// Calls `body` with the entity at a position, without copying its record.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no entity at the position.
  @_lifetime(self: copy self)
  package mutating func withEntity(
    at position: StatePosition, _ body: (_ id: EntityID, _ record: RawSpan) throws -> Bool
  ) throws -> Bool? {
    try cursors.withEntity(at: position, body)
  }

  /// Opens a list in the range from `lower` up to, but not including, `upper`.
  ///
  /// The cursor starts at the first position of the range, or at the last if reversed.
  ///
  /// - Precondition: `lower` is less than `upper`, and fewer lists than the initializer's
  ///   `listCount` are open.
  /// - Returns: The list's index, counted from 0.
  @_lifetime(self: copy self)
  package mutating func open(
    _ table: Table, head: TableKey, from lower: StatePosition, to upper: StatePosition
  ) throws -> Int {
    precondition(unsafe count < lists.count, "too many lists are open")
    let list = count
    // The row that contains `lower` may have a smaller key, so the range begins at the start of the
    // list.
    let least = head.with(StatePosition(cluster: 0, number: 0))
    let cursor = try cursors.open(table, from: least, to: head.with(upper))
    unsafe lists.initializeElement(
      at: count, to: List(cursor: cursor, head: head, lower: lower, upper: upper))
    count += 1
    if reversed {
      try read(list, before: upper)
    } else {
      try enter(list, at: lower)
      try skip(list) { $0 < lower }
    }
    settle(list)
    return list
  }

  /// Returns the current position of a list, or `nil` at its end.
  package func place(_ list: Int) -> StatePosition? { unsafe lists[list].place }

  /// Moves a list by one position and returns the new current position, or `nil` at the end.
  @_lifetime(self: copy self)
  package mutating func step(_ list: Int) throws -> StatePosition? {
    // Swift 6.3 rejects `+=` here in a ThreadSanitizer build, because it considers `self` to
    // escape.
    let index = unsafe lists[list].index + 1
    unsafe lists[list].index = index
    if unsafe index == lists[list].count { try turn(list) }
    settle(list)
    return unsafe lists[list].place
  }

  /// Returns the first current position among the given lists, in the direction of movement, or
  /// `nil` if all lists are at the end.
  package func first(of some: Range<Int>) -> StatePosition? {
    var first: StatePosition?
    for list in some {
      guard let head = unsafe lists[list].place else { continue }
      if let found = first, reversed ? head <= found : head >= found { continue }
      first = head
    }
    return first
  }

  /// Moves all lists whose current position is `last` to their next position, and returns the first
  /// of the current positions.
  ///
  /// Lists at another position don't move.
  ///
  /// - Parameter last: The position returned by the previous call, which may be in several lists;
  ///   `nil` for the first call.
  /// - Returns: The first position in the direction of movement, or `nil` if all lists are at the
  ///   end.
  @_lifetime(self: copy self)
  package mutating func next(
    in some: Range<Int>, after last: StatePosition?
  ) throws -> StatePosition? {
    if some.count == 1 {
      let list = some.lowerBound
      return last != nil && last == place(list) ? try step(list) : place(list)
    }
    if let last {
      for list in some where unsafe lists[list].place == last { _ = try step(list) }
    }
    return first(of: some)
  }

  /// Moves a list to the first position, in its direction, that doesn't come before `place`.
  ///
  /// If the current position already qualifies, the list doesn't move.
  ///
  /// - Returns: The current position after the call, or `nil` at the end.
  /// - Complexity: O(log *n*) for a list of *n* positions, and O(1) if the position is near.
  @_lifetime(self: copy self)
  package mutating func leap(_ list: Int, to place: StatePosition) throws -> StatePosition? {
    guard let head = unsafe lists[list].place, reversed ? place < head : head < place
    else { return unsafe lists[list].place }
    if !isAhead(of: place, list) {
      // When moving forward, the next piece usually contains the position, so it is tried before a
      // search.
      if !reversed { try turn(list) }
      if !isAhead(of: place, list) { try enter(list, at: place) }
    }
    if reversed {
      try skip(list) { $0 > place }
    } else {
      try skip(list) { $0 < place }
    }
    settle(list)
    return unsafe lists[list].place
  }

  // MARK: Pieces

  /// Returns the position at an index of the piece, counted in the direction of movement.
  @inline(__always)
  private func place(_ index: Int, of list: Int) -> StatePosition {
    let ascending = unsafe reversed ? lists[list].count - 1 - index : index
    return unsafe places[list * PlacePiece.countMax + ascending]
  }

  /// Sets the current position of a list from its index.
  @inline(__always)
  private func settle(_ list: Int) {
    let index = unsafe lists[list].index
    var head: StatePosition?
    if unsafe index < lists[list].count {
      let place = place(index, of: list)
      let isInside = unsafe reversed ? place >= lists[list].lower : place < lists[list].upper
      if isInside { head = place }
    }
    unsafe lists[list].place = head
  }

  /// Returns whether the piece contains a position at or after `place` in the list's direction, or
  /// the list is at its end.
  private func isAhead(of place: StatePosition, _ list: Int) -> Bool {
    let count = unsafe lists[list].count
    if count == 0 { return true }
    let last = self.place(count - 1, of: list)
    return reversed ? last <= place : last >= place
  }

  /// Skips the positions of the piece that satisfy a condition; if all do, moves to the next piece.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func skip(_ list: Int, while condition: (StatePosition) -> Bool) throws {
    let count = unsafe lists[list].count
    var index = unsafe lists[list].index
    // Check the first four positions one by one, and search the rest by bisection.
    var end = min(index + 4, count)
    while index < end, condition(place(index, of: list)) { index += 1 }
    if index == end, end < count {
      end = count
      while index < end {
        let middle = (index + end) / 2
        if condition(place(middle, of: list)) { index = middle + 1 } else { end = middle }
      }
    }
    unsafe lists[list].index = index
    if index == count, count > 0 { try turn(list) }
  }

  /// Moves a list to the piece that contains a position, or to the next piece if there is none.
  @_lifetime(self: copy self)
  private mutating func enter(_ list: Int, at place: StatePosition) throws {
    let (cursor, head) = unsafe (lists[list].cursor, lists[list].head)
    let key = head.with(place)
    if reversed {
      _ = try cursors.leap(cursor, to: key)
      let end = StatePosition(cluster: place.cluster, number: place.number + 1)
      return try read(list, before: end)
    }
    // The key of the piece that contains the position is at most this key. If the row found belongs
    // to another list, this list's pieces come after that row.
    try cursors.seek(cursor, atOrBefore: key)
    if let row = cursors.row(cursor), TableKey.isPlace(row.key, of: head) {
      return try read(list)
    }
    _ = try cursors.step(cursor)
    try read(list)
  }

  /// Moves a list to its next piece.
  @_lifetime(self: copy self)
  private mutating func turn(_ list: Int) throws {
    if unsafe lists[list].count == 0 { return }
    _ = try cursors.step(unsafe lists[list].cursor)
    try read(list)
  }

  /// Reads the positions in the cursor's current row, or none at the end of the cursor's range.
  ///
  /// - Parameter end: Only positions before `end` are read. If the row has none, the next row is
  ///   read.
  @_lifetime(self: copy self)
  private mutating func read(_ list: Int, before end: StatePosition? = nil) throws {
    unsafe lists[list].index = 0
    unsafe lists[list].count = 0
    guard let row = cursors.row(unsafe lists[list].cursor) else { return }
    let start = list * PlacePiece.countMax
    let room = unsafe UnsafeMutableBufferPointer(
      rebasing: places[start..<start + PlacePiece.countMax])
    var count = 0
    _ = try unsafe PlacePiece(
      key: row.key, value: row.value, before: end, into: room, count: &count)
    unsafe lists[list].count = count
    if count > 0 { return }
    _ = try cursors.step(unsafe lists[list].cursor)
    try read(list)
  }
}

extension CommittedTables {
  /// Calls `body` with each position of a list, in ascending order.
  ///
  /// Pending changes aren't included.
  ///
  /// - Parameters:
  ///   - from: The first position to include; `nil` for the start of the list.
  ///   - to: The position after the last; `nil` for the end of the list.
  package func forEachPlace(
    in table: Table, head: TableKey, from: StatePosition? = nil, to: StatePosition? = nil,
    _ body: (StatePosition) throws -> Void
  ) throws {
    let least = StatePosition(cluster: 0, number: 0)
    try snapshot.withView { view in
      var places = StoredPlaces(view, table.database)
      var next = try places.first(atOrAfter: head.with(from ?? least))
      while let key = next, key.isPlace(of: head), to.map({ key.place < $0 }) ?? true {
        try body(key.place)
        next = try places.next()
      }
    }
  }
}
