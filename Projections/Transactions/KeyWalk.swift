import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// Lists of keys of one table: a row is in them where it is in any.
struct KeyLists {
  let table: Int
  let prefixes: [TableKey]
}

/// Walks the rows that are in lists of each of several kinds, newest first or oldest first.
///
/// Each list has a cursor of its own. Where there are several kinds, each leaps to where the others
/// are, so that of long lists only what is near the shortest is read.
struct KeyWalk: ~Copyable, ~Escapable {
  private var cursors: PlaceCursors
  /// Which of the lists are of a kind.
  private let unions: [Range<Int>]
  private var last: StatePosition?

  /// A walk through the rows within bounds that are in one of each of these lists.
  ///
  /// - Parameter unions: at least one; the first should be the shortest.
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

  /// The next row, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() throws -> RowKey? {
    let first = try cursors.next(in: unions[0], after: last)
    last = try unions.count == 1 ? first : settle(first)
    return last.map { RowKey($0) }
  }

  /// Whether a row that does not come before those asked for so far is one of the walk's.
  @_lifetime(self: copy self)
  mutating func contains(_ key: RowKey) throws -> Bool {
    let place = key.position
    for union in unions where try !contains(place, in: union) { return false }
    return true
  }

  /// Gives the row of a key of the walk to `body`, if there is a record of it.
  @_lifetime(self: copy self)
  mutating func withRow(
    _ key: RowKey, _ body: (EntityID, RawSpan) throws -> Bool
  ) throws -> Bool {
    if let goesOn = try cursors.withEntity(at: key.position, body) { return goesOn }
    throw ProjectionFault.damagedRow(
      in: Transactions.name,
      "the list entry \(key.day) \(key.number), which State does not have,")
  }

  /// Steps over a key.
  ///
  /// - Returns: in how many lists of the first kind it is.
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

  // The first place, from one of the first kind's on, that all kinds have.
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

  // The first place of lists that does not come before one.
  @_lifetime(self: copy self)
  private mutating func leap(
    _ union: Range<Int>, to place: StatePosition
  ) throws -> StatePosition? {
    for list in union { _ = try cursors.leap(list, to: place) }
    return cursors.first(of: union)
  }

  // Not all of the lists are moved where one tells.
  @_lifetime(self: copy self)
  private mutating func contains(_ place: StatePosition, in union: Range<Int>) throws -> Bool {
    for list in union where try cursors.leap(list, to: place) == place { return true }
    return false
  }
}
