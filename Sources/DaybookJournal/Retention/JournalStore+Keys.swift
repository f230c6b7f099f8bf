import DaybookEntities
import DaybookLMDB

// Deletes idempotency keys once they have been kept for the promised time.
extension JournalStore {
  /// The time for which an idempotency key is kept: 400 days, in microseconds.
  ///
  /// After that time, a purge of the key's commit may delete the key, which then counts as unused.
  package static let keyAllowanceMicroseconds: Int64 = 400 * 86_400 * 1_000_000

  /// The maximum number of keys that one transaction deletes.
  static let keySliceCountMax = 500

  /// Returns the row keys of idempotency keys that may be deleted.
  ///
  /// These are the keys of purged commits that are older than ``keyAllowanceMicroseconds``. The age
  /// is measured from the time of the clock or of the newest commit, whichever is earlier, so that
  /// nothing is deleted because the clock is ahead.
  ///
  /// - Parameter through: The last purged commit.
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

  /// Deletes some keys in one bounded transaction; the caller must hold `WRITER`.
  ///
  /// - Parameter places: The row keys to delete; once deleted, they are removed from the array.
  package func forgetKeys(_ places: inout [[UInt8]]) throws {
    let slice = places.suffix(JournalStore.keySliceCountMax)
    try writeAside { transaction in
      for place in slice { try transaction.delete(place, in: tables.keys) }
    }
    places.removeLast(slice.count)
  }
}
