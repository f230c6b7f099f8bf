import DaybookBookkeeping
import DaybookEngine
import DaybookEntities

/// Lists of keys in a table.
///
/// A row is included if it is in any of the lists.
struct KeyLists {
  let table: Int
  let prefixes: [TableKey]
}

/// Walks through the rows that are in at least one list of each kind, newest or oldest first.
///
/// Each list has its own cursor. With several kinds, each cursor skips ahead to the places of the
/// other cursors, so that long lists are read only near the rows of the shortest list.
struct KeyWalk: ~Copyable, ~Escapable {
  private var cursors: PlaceCursors
  /// The range of cursors for each kind.
  private let unions: [Range<Int>]
  private var last: StatePosition?

  /// Creates a walk through the rows within bounds that are in a list of each kind.
  ///
  /// - Parameter unions: The lists of each kind; there must be at least one kind. The kind with the
  ///   fewest rows should come first.
  @_lifetime(borrow view)
  init(
    _ unions: [KeyLists], _ bounds: Range<RowKey>, ascending: Bool, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws {
    let listCount = unions.reduce(0) { $0 + $1.prefixes.count }
    var cursors = try PlaceCursors(
      view, .transaction, listCount: listCount, reversed: !ascending)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(unions.count)
    var count = 0
    for union in unions {
      let start = count
      for prefix in union.prefixes where !bounds.isEmpty {
        let list = try cursors.open(
          handle[union.table], head: prefix, from: bounds.lowerBound.position,
          to: bounds.upperBound.position)
        count = list + 1
      }
      ranges.append(start..<count)
    }
    self.unions = ranges
    self.cursors = cursors
  }

  // MARK: Walking

  /// Returns the next row, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() throws -> RowKey? {
    let first = try cursors.next(in: unions[0], after: last)
    last = try unions.count == 1 ? first : settle(first)
    return last.map { RowKey($0) }
  }

  /// Returns whether the walk includes a row; rows must be passed in the order of the walk.
  @_lifetime(self: copy self)
  mutating func contains(_ key: RowKey) throws -> Bool {
    let place = key.position
    for union in unions where try !contains(place, in: union) { return false }
    return true
  }

  /// Calls `body` with the row of a key of the walk.
  ///
  /// - Throws: ``ProjectionFault`` if State has no record of the row.
  @_lifetime(self: copy self)
  mutating func withRow(
    _ key: RowKey, _ body: (EntityID, RawSpan) throws -> Bool
  ) throws -> Bool {
    if let goesOn = try cursors.withEntity(at: key.position, body) { return goesOn }
    throw ProjectionFault.damagedRow(
      in: Transactions.name,
      "the list entry \(key.day) \(key.number), which State does not have,")
  }

  /// Advances the lists of the first kind whose current place is a key.
  ///
  /// - Returns: The number of lists that were advanced.
  @_lifetime(self: copy self)
  mutating func step(over key: RowKey) throws -> Int {
    last = nil
    let place = key.position
    var count = 0
    for list in unions[0] where cursors.place(list) == place {
      count += 1
      _ = try cursors.step(list)
    }
    return count
  }

  // Returns the first place that is in a list of each kind, given the first place of the first
  // kind.
  @_lifetime(self: copy self)
  private mutating func settle(_ first: StatePosition?) throws -> StatePosition? {
    guard var place = first else { return nil }
    var kind = 1
    while kind < unions.count {
      guard let other = try leap(unions[kind], to: place) else { return nil }
      if other == place {
        kind += 1
      } else {
        guard let next = try leap(unions[0], to: other) else { return nil }
        place = next
        kind = 1
      }
    }
    return place
  }

  // MARK: Lists

  // Returns the first place in any of the lists that doesn't come before `place`.
  @_lifetime(self: copy self)
  private mutating func leap(
    _ union: Range<Int>, to place: StatePosition
  ) throws -> StatePosition? {
    for list in union { _ = try cursors.leap(list, to: place) }
    return cursors.first(of: union)
  }

  // Stops at the first list that contains the place, without moving the other lists.
  @_lifetime(self: copy self)
  private mutating func contains(_ place: StatePosition, in union: Range<Int>) throws -> Bool {
    for list in union where try cursors.leap(list, to: place) == place { return true }
    return false
  }
}
