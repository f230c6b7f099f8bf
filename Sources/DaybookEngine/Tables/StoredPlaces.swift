internal import DaybookEntities
internal import DaybookLMDB

/// Iterates over the stored positions of a table of places, one list after another.
struct StoredPlaces: ~Copyable, ~Escapable {
  private let view: TransactionView
  private let database: Database
  private var keys: [TableKey] = []
  private var index = 0

  @_lifetime(copy view)
  init(_ view: TransactionView, _ database: Database) {
    self.view = view
    self.database = database
  }

  /// Moves to the first position whose key isn't less than `key`.
  ///
  /// - Returns: The position's key, or `nil` if there is none.
  @_lifetime(self: copy self)
  mutating func first(atOrAfter key: TableKey) throws -> TableKey? {
    // The row before `key` may contain the position.
    try fill(from: key, isBefore: true)
    while true {
      while index < keys.count {
        if keys[index] >= key { return keys[index] }
        index += 1
      }
      guard let next = keys.isEmpty ? key : keys[keys.count - 1].afterPrefix else { return nil }
      try fill(from: next, isBefore: false)
      if keys.isEmpty { return nil }
    }
  }

  /// Moves to the next position, and returns its key, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() throws -> TableKey? {
    guard index < keys.count else { return nil }
    index += 1
    if index == keys.count {
      guard let next = keys[index - 1].afterPrefix else { return nil }
      try fill(from: next, isBefore: false)
    }
    return index < keys.count ? keys[index] : nil
  }

  // Reads the positions of the last row at or before a key, or of the first row at or after it.
  @_lifetime(self: copy self)
  private mutating func fill(from key: TableKey, isBefore: Bool) throws {
    keys.removeAll(keepingCapacity: true)
    index = 0
    var cursor = try view.cursor(in: database)
    let words = key.words
    let bytes = words.span.bytes.extracting(first: key.count)
    let entry = try isBefore ? cursor.seek(atOrBefore: bytes) : cursor.seek(atOrAfter: bytes)
    guard let entry else { return }
    var found: [TableKey] = []
    try PlacePiece.forEachPlace(inRow: entry.key, entry.value) { found.append($0) }
    keys = found
  }
}
