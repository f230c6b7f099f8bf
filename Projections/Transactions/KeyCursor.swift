import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// Steps through one list of keys, newest first or oldest first, a few keys at a time.
struct KeyCursor {
  private let table: Table
  private let prefix: TableKey
  private let ascending: Bool
  private var bounds: Range<RowKey>
  private var keys: [RowKey] = []
  private var next = 0
  private var chunk: Int
  private var isAtEnd = false

  /// The most keys that are held at a time.
  static let chunkMax = 256

  init(
    _ table: Table, _ prefix: TableKey, _ bounds: Range<RowKey>, ascending: Bool, chunk: Int
  ) {
    self.table = table
    self.prefix = prefix
    self.bounds = bounds
    self.ascending = ascending
    self.chunk = Swift.min(Swift.max(chunk, 4), KeyCursor.chunkMax)
  }

  /// The next key that was not stepped over yet, or `nil` at the end.
  mutating func head(in view: borrowing View) throws -> RowKey? {
    if next == keys.count, !isAtEnd { try fill(view) }
    return next < keys.count ? keys[next] : nil
  }

  /// Steps over the head.
  mutating func advance() { next += 1 }

  private mutating func fill(_ view: borrowing View) throws {
    keys.removeAll(keepingCapacity: true)
    next = 0
    let count = chunk
    var found: [RowKey] = keys
    keys = []
    try KeyCursor.forEach(in: table, prefix, bounds, ascending: ascending, view) { key in
      found.append(key)
      return found.count < count
    }
    keys = found
    isAtEnd = keys.count < count
    if let last = keys.last {
      let after = ascending ? last.successor : last
      bounds =
        ascending
        ? after..<max(after, bounds.upperBound) : min(after, bounds.lowerBound)..<after
    }
    chunk = Swift.min(chunk * 2, KeyCursor.chunkMax)
  }

  /// Gives the keys of one list to `body`, newest first, or oldest first if `ascending`, until it
  /// returns false.
  static func forEach(
    in table: Table, _ prefix: TableKey, _ bounds: Range<RowKey>, ascending: Bool = false,
    _ view: borrowing View, _ body: (RowKey) throws -> Bool
  ) throws {
    if bounds.isEmpty { return }
    var from = prefix
    from.append(bounds.lowerBound)
    var to = prefix
    to.append(bounds.upperBound)
    let start = prefix.count
    try view.forEachRow(in: table, from: from, to: to, reversed: !ascending) { key, _ in
      var reader = ByteReader(key)
      reader.offset = start
      return try body(try reader.rowKey())
    }
  }

  /// Gives the keys of several lists to `body`, newest first, or oldest first if `ascending`, and each
  /// once, until it returns false.
  ///
  /// - Parameter count: in how many of the lists the key is.
  static func merge(
    in table: Table, _ prefixes: [TableKey], _ bounds: Range<RowKey>, ascending: Bool = false,
    chunk: Int, _ view: borrowing View, _ body: (RowKey, _ count: Int) throws -> Bool
  ) throws {
    var cursors = KeyCursors(table, prefixes, bounds, ascending: ascending, chunk: chunk)
    while let next = try cursors.head(in: view) {
      let count = try cursors.advance(over: next, in: view)
      if try !body(next, count) { return }
    }
  }
}

/// Steps through several lists of keys as if they were one, newest first or oldest first.
struct KeyCursors {
  private var cursors: [KeyCursor]
  private let ascending: Bool

  init(
    _ table: Table, _ prefixes: [TableKey], _ bounds: Range<RowKey>, ascending: Bool, chunk: Int
  ) {
    self.ascending = ascending
    cursors = prefixes.map {
      KeyCursor(table, $0, bounds, ascending: ascending, chunk: chunk)
    }
  }

  /// The next key that was not stepped over yet, or `nil` at the end.
  mutating func head(in view: borrowing View) throws -> RowKey? {
    var next: RowKey?
    for position in cursors.indices {
      guard let head = try cursors[position].head(in: view) else { continue }
      if next.map({ ascending ? head < $0 : $0 < head }) ?? true { next = head }
    }
    return next
  }

  /// Whether the head comes before a key; false at the end.
  mutating func isBefore(_ key: RowKey, in view: borrowing View) throws -> Bool {
    guard let head = try head(in: view) else { return false }
    return ascending ? head < key : key < head
  }

  /// Steps over the head.
  ///
  /// - Returns: in how many of the lists it is.
  mutating func advance(over head: RowKey, in view: borrowing View) throws -> Int {
    var count = 0
    for position in cursors.indices where try cursors[position].head(in: view) == head {
      cursors[position].advance()
      count += 1
    }
    return count
  }
}
