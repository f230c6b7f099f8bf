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
  /// One list, and the row that it stands on; `nil` at the end.
  private struct List {
    let list: Int
    var head: RowKey?
  }

  private var cursors: PlaceCursors
  /// All lists, those of one kind after each other.
  private var lists: [List]
  /// Which of them are of a kind.
  private let unions: [Range<Int>]
  private let ascending: Bool
  private var last: RowKey?
  /// Where there is one kind of lists: the list that the last row came from.
  private var source = 0

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
    var lists: [List] = []
    lists.reserveCapacity(listCount)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(unions.count)
    for union in unions {
      let start = lists.count
      for prefix in union.prefixes where !bounds.isEmpty {
        let list = try cursors.open(
          handle[union.table], head: prefix, from: bounds.lowerBound.position,
          to: bounds.upperBound.position)
        lists.append(List(list: list, head: cursors.place(list).map { RowKey($0) }))
      }
      ranges.append(start..<lists.count)
    }
    self.ascending = ascending
    self.lists = lists
    self.unions = ranges
    self.cursors = cursors
  }

  // MARK: Walking

  /// The next row, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() throws -> RowKey? {
    if unions.count == 1 {
      last = try union(after: last)
      return last
    }
    if let last { _ = try step(over: last) }
    return try settle(head(of: unions[0]))
  }

  // The next row where there is one kind of lists: a row that is in several comes again until all of
  // these have moved.
  @_lifetime(self: copy self)
  private mutating func union(after last: RowKey?) throws -> RowKey? {
    if let last, lists[source].head == last { try step(list: source) }
    while true {
      var first: RowKey?
      for index in lists.indices {
        guard let head = lists[index].head else { continue }
        if let found = first, !isBefore(head, found) { continue }
        first = head
        source = index
      }
      guard let last, first == last else { return first }
      try step(list: source)
    }
  }

  /// Whether a row that does not come before those asked for so far is one of the walk's.
  @_lifetime(self: copy self)
  mutating func contains(_ key: RowKey) throws -> Bool {
    for union in unions where try !contains(key, in: union) { return false }
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
    var count = 0
    for index in unions[0] where lists[index].head == key {
      count += 1
      try step(list: index)
    }
    return count
  }

  // The first key, from one of the first kind's on, that all kinds have.
  @_lifetime(self: copy self)
  private mutating func settle(_ head: RowKey?) throws -> RowKey? {
    guard var key = head else { return nil }
    var place = 1
    while place < unions.count {
      guard let other = try leap(unions[place], to: key) else { return nil }
      if other == key {
        place += 1
      } else {
        guard let next = try leap(unions[0], to: other) else { return nil }
        key = next
        place = 1
      }
    }
    last = key
    return key
  }

  // MARK: Lists

  private func isBefore(_ left: RowKey, _ right: RowKey) -> Bool {
    ascending ? left < right : right < left
  }

  // The first of the heads of lists.
  private func head(of union: Range<Int>) -> RowKey? {
    if union.count == 1 { return lists[union.lowerBound].head }
    var first: RowKey?
    for index in union {
      guard let head = lists[index].head else { continue }
      if first.map({ isBefore(head, $0) }) ?? true { first = head }
    }
    return first
  }

  // The first key of lists that does not come before `key`.
  @_lifetime(self: copy self)
  private mutating func leap(_ union: Range<Int>, to key: RowKey) throws -> RowKey? {
    for index in union { try leap(list: index, to: key) }
    return head(of: union)
  }

  // Not all of the lists are moved where one tells.
  @_lifetime(self: copy self)
  private mutating func contains(_ key: RowKey, in union: Range<Int>) throws -> Bool {
    for index in union {
      try leap(list: index, to: key)
      if lists[index].head == key { return true }
    }
    return false
  }

  @_lifetime(self: copy self)
  private mutating func step(list index: Int) throws {
    lists[index].head = try cursors.step(lists[index].list).map { RowKey($0) }
  }

  @_lifetime(self: copy self)
  private mutating func leap(list index: Int, to key: RowKey) throws {
    guard let head = lists[index].head, isBefore(head, key) else { return }
    lists[index].head = try cursors.leap(lists[index].list, to: key.position).map { RowKey($0) }
  }
}
