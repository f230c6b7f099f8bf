import Entities
import LMDB

// What a check of a part of the journal needs.
extension JournalStore {
  /// Checks seals: of all rows of the main database and of consumers, and of some idempotency keys.
  ///
  /// - Parameters:
  ///   - places: keys at or after which a row is looked at; all rows where `nil`.
  ///   - goesOn: asked now and then.
  /// - Returns: How many rows were checked, and how many there are.
  /// - Throws: `JournalError` with `damagedFolder` for the first seal that is broken.
  package func verifySeals(
    keysAt places: [[UInt8]]?, while goesOn: () -> Bool
  ) throws -> (checked: Int, total: Int) {
    try read { view throws in
      var checked = try verifySealsOfMeta(view)
      func check(_ key: RawSpan, _ value: RawSpan) throws -> Bool {
        _ = try unsealed(value, under: key, path: path)
        checked += 1
        return checked & 0xff != 0 || goesOn()
      }
      let total =
        try checked + view.count(of: tables.keys) + view.count(of: tables.consumers)
      try view.forEach(in: tables.consumers, check)
      guard let places else {
        try view.forEach(in: tables.keys, check)
        return (checked, total)
      }
      var cursor = try view.cursor(in: tables.keys)
      for place in places {
        guard let entry = try cursor.seek(atOrAfter: place.span.bytes) else { continue }
        guard try check(entry.key, entry.value) else { break }
      }
      return (checked, total)
    }
  }

  /// How many idempotency keys are remembered.
  package func keyCount() throws -> Int {
    try read { view throws in try view.count(of: tables.keys) }
  }
}

extension JournalReading {
  /// Calls `body` with every commit that is kept, from one of them back to the oldest.
  package func forEachCommit(
    backwardFrom last: UInt64, _ body: (CommitView) throws -> Bool
  ) throws {
    try store.forEachCommit(
      after: try floor.sequence, through: last, reversed: true, checkingKinds: true, view, body)
  }
}
