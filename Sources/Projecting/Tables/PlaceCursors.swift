package import Entities
internal import LMDB

/// Places in lists of a view, each of which moves by itself, and one among the entities of a kind.
///
/// All go the same way, and never back. Of the heads of two lists of a table, none begins the other.
package struct PlaceCursors: ~Copyable, ~Escapable {
  private var cursors: RowCursors
  private let reversed: Bool
  // By themselves and not in arrays, which count their references whenever a list moves.
  private let lists: UnsafeMutableBufferPointer<List>
  private var count = 0
  /// Room for the places of a piece for each list, ascending.
  private let places: UnsafeMutableBufferPointer<StatePosition>

  /// A list of places that is gone through.
  private struct List {
    let cursor: Int
    let head: TableKey
    let lower: StatePosition
    let upper: StatePosition
    /// Where it stands among the places of the piece, counted the way they are gone through.
    var index = 0
    /// How many places the piece has that are gone through; 0 at the end.
    var count = 0
    /// The place that it stands on, `nil` at the end.
    var place: StatePosition?
  }

  /// No lists yet.
  ///
  /// - Parameters:
  ///   - listCount: how many there will be at most.
  ///   - reversed: whether they are gone through from the greatest place downwards.
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

  /// Gives the entity at a place to `body` without copying its record.
  ///
  /// - Returns: `nil` where there is none.
  @_lifetime(self: copy self)
  package mutating func withEntity(
    at position: StatePosition, _ body: (_ id: EntityID, _ record: RawSpan) throws -> Bool
  ) throws -> Bool? {
    try cursors.withEntity(at: position, body)
  }

  /// Adds a list, from `lower` on and before `upper`; it stands on the first of its places, which is the greatest
  /// if reversed.
  ///
  /// - Precondition: `lower` is less than `upper`, and there are not as many lists yet as there may be.
  /// - Returns: what the list goes by, counted from 0.
  @_lifetime(self: copy self)
  package mutating func open(
    _ table: Table, head: TableKey, from lower: StatePosition, to upper: StatePosition
  ) throws -> Int {
    precondition(unsafe count < lists.count, "there are more lists than there were to be")
    let list = count
    // The row with the first place is before that, or under it.
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

  /// The place that a list stands on, or `nil` at the end.
  package func place(_ list: Int) -> StatePosition? { unsafe lists[list].place }

  /// Moves a list by one place, and gives the one it then stands on, or `nil` at the end.
  @_lifetime(self: copy self)
  package mutating func step(_ list: Int) throws -> StatePosition? {
    // Not by `+=`, which Swift 6.3 rejects in a build for ThreadSanitizer, as if it let `self` escape.
    let index = unsafe lists[list].index + 1
    unsafe lists[list].index = index
    if unsafe index == lists[list].count { try turn(list) }
    settle(list)
    return unsafe lists[list].place
  }

  /// The first place, the way they go, that any of some lists stands on, or `nil` where all are at the end.
  package func first(of some: Range<Int>) -> StatePosition? {
    var first: StatePosition?
    for list in some {
      guard let head = unsafe lists[list].place else { continue }
      if let found = first, reversed ? head <= found : head >= found { continue }
      first = head
    }
    return first
  }

  /// Moves those of some lists that stand on a place by one, and gives the first place that any of them then
  /// stands on, or `nil` where all are at the end.
  ///
  /// - Parameter last: the place that was given before, which may be in several lists; `nil` at first.
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

  /// Moves a list to the first place, the way it goes, that does not come before one; it stays where that
  /// is already so.
  ///
  /// - Returns: that place, or `nil` at the end.
  /// - Complexity: O(log places), and O(1) where the place is near.
  @_lifetime(self: copy self)
  package mutating func leap(_ list: Int, to place: StatePosition) throws -> StatePosition? {
    guard let head = unsafe lists[list].place, reversed ? place < head : head < place
    else { return unsafe lists[list].place }
    if !isAhead(of: place, list) {
      // Forwards, the piece that has the place mostly begins before it, and comes next.
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

  /// A place of the piece, counted the way they are gone through.
  @inline(__always)
  private func place(_ index: Int, of list: Int) -> StatePosition {
    let ascending = unsafe reversed ? lists[list].count - 1 - index : index
    return unsafe places[list * PlacePiece.countMax + ascending]
  }

  /// Notes the place that a list stands on.
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

  /// Whether the last place of the piece does not come before one; true at the end, too.
  private func isAhead(of place: StatePosition, _ list: Int) -> Bool {
    let count = unsafe lists[list].count
    if count == 0 { return true }
    let last = self.place(count - 1, of: list)
    return reversed ? last <= place : last >= place
  }

  /// Steps over the places of the piece for which a condition holds, and to the next piece where it holds
  /// for all.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func skip(_ list: Int, while condition: (StatePosition) -> Bool) throws {
    let count = unsafe lists[list].count
    var index = unsafe lists[list].index
    // Near ones by steps, others by halves.
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

  /// Goes to the piece with a place, or the next one the way it goes.
  @_lifetime(self: copy self)
  private mutating func enter(_ list: Int, at place: StatePosition) throws {
    let (cursor, head) = unsafe (lists[list].cursor, lists[list].head)
    let key = head.with(place)
    if reversed {
      _ = try cursors.leap(cursor, to: key)
      let end = StatePosition(cluster: place.cluster, number: place.number + 1)
      return try read(list, before: end)
    }
    // The piece with a place has a key that is not greater. Another list's row comes before all of this one's.
    try cursors.seek(cursor, atOrBefore: key)
    if let row = cursors.row(cursor), TableKey.isPlace(row.key, of: head) {
      return try read(list)
    }
    _ = try cursors.step(cursor)
    try read(list)
  }

  /// Goes on to the next piece.
  @_lifetime(self: copy self)
  private mutating func turn(_ list: Int) throws {
    if unsafe lists[list].count == 0 { return }
    _ = try cursors.step(unsafe lists[list].cursor)
    try read(list)
  }

  /// Takes the places of the row that the cursor stands on; none at the end of its range.
  ///
  /// - Parameter end: only those before it are, or those of the row before where there are none.
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
  /// Gives the places of a list, which lacks the pending changes, to `body`, ascending.
  ///
  /// - Parameters:
  ///   - from: the first place, the least where `nil`.
  ///   - to: the place after the last, past the greatest where `nil`.
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
