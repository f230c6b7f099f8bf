import Entities
import LMDB

// Forgetting idempotency keys that have been kept for as long as was promised.
extension JournalStore {
  /// For so many microseconds an idempotency key is remembered: 400 days.
  ///
  /// After that it may be forgotten by a purge that lets go of its commit, and the same key then counts as
  /// new.
  package static let keyAllowanceMicroseconds: Int64 = 400 * 86_400 * 1_000_000

  /// The keys that one transaction removes at most.
  static let keySliceCountMax = 500

  /// The places of keys that may be forgotten: of purged commits, and older than their allowance.
  ///
  /// What is old is told by the clock and by the newest commit, whichever is earlier: a clock that has run
  /// ahead forgets nothing.
  ///
  /// - Parameter through: The commit up to which history is purged.
  /// - Complexity: O(idempotency keys).
  package func forgettableKeys(through: UInt64, now: Int64) throws -> [[UInt8]] {
    try read { view throws in
      let end = try min(now, head(view).wallMicroseconds) - JournalStore.keyAllowanceMicroseconds
      var places: [[UInt8]] = []
      try view.forEach(in: tables.keys) { key, value in
        let row = try KeyRow(unsealed(value, under: key, path: path))
        if row.sequence <= through, row.wallMicroseconds < end { places.append(key.copied()) }
        return true
      }
      return places
    }
  }

  /// Forgets some keys, in one bounded transaction; `WRITER` is held.
  ///
  /// - Parameter places: Those that are to be forgotten; the ones that are done are taken out.
  package func forgetKeys(_ places: inout [[UInt8]]) throws {
    let slice = places.suffix(JournalStore.keySliceCountMax)
    try writeAside { transaction in
      for place in slice { try transaction.delete(place, in: tables.keys) }
    }
    places.removeLast(slice.count)
  }
}
