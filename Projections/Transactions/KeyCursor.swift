import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// Steps down one list of keys, newest first, a few keys at a time.
struct KeyCursor {
  private let table: Table
  private let prefix: TableKey
  private var bounds: Range<RowKey>
  private var keys: [RowKey] = []
  private var next = 0
  private var chunk: Int
  private var isAtEnd = false

  /// The most keys that are held at a time.
  static let chunkMax = 256

  init(_ table: Table, _ prefix: TableKey, _ bounds: Range<RowKey>, chunk: Int) {
    self.table = table
    self.prefix = prefix
    self.bounds = bounds
    self.chunk = Swift.min(Swift.max(chunk, 4), KeyCursor.chunkMax)
  }

  /// The newest key that was not stepped over yet, or `nil` at the end.
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
    try KeyCursor.forEach(in: table, prefix, bounds, view) { key in
      found.append(key)
      return found.count < count
    }
    keys = found
    isAtEnd = keys.count < count
    if let last = keys.last { bounds = bounds.lowerBound..<last }
    chunk = Swift.min(chunk * 2, KeyCursor.chunkMax)
  }

  /// Gives the keys of one list to `body`, newest first, until it returns false.
  static func forEach(
    in table: Table, _ prefix: TableKey, _ bounds: Range<RowKey>, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool
  ) throws {
    if bounds.isEmpty { return }
    var from = prefix
    from.append(bounds.lowerBound)
    var to = prefix
    to.append(bounds.upperBound)
    let start = prefix.count
    try view.forEachRow(in: table, from: from, to: to, reversed: true) { key, _ in
      var reader = ByteReader(key)
      reader.offset = start
      return try body(try reader.rowKey())
    }
  }

  /// Gives the keys of several lists to `body`, newest first and each once, until it returns false.
  ///
  /// - Parameter count: in how many of the lists the key is.
  static func merge(
    in table: Table, _ prefixes: [TableKey], _ bounds: Range<RowKey>, chunk: Int,
    _ view: borrowing View, _ body: (RowKey, _ count: Int) throws -> Bool
  ) throws {
    var cursors = KeyCursors(table, prefixes, bounds, chunk: chunk)
    while let newest = try cursors.head(in: view) {
      let count = try cursors.advance(over: newest, in: view)
      if try !body(newest, count) { return }
    }
  }
}

/// Steps down several lists of keys as if they were one.
struct KeyCursors {
  private var cursors: [KeyCursor]

  init(_ table: Table, _ prefixes: [TableKey], _ bounds: Range<RowKey>, chunk: Int) {
    cursors = prefixes.map { KeyCursor(table, $0, bounds, chunk: chunk) }
  }

  /// The newest key that was not stepped over yet, or `nil` at the end.
  mutating func head(in view: borrowing View) throws -> RowKey? {
    var newest: RowKey?
    for position in cursors.indices {
      guard let head = try cursors[position].head(in: view) else { continue }
      if newest.map({ $0 < head }) ?? true { newest = head }
    }
    return newest
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
