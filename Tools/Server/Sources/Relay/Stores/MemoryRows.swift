import Synchronization

/// Rows in memory, for tests and simulations.
final class MemoryRows: RowEngine {
  let commitTimes = CommitTimes()
  private let rows = Mutex(SortedRows())

  func write<Result: Sendable>(
    _ change: @escaping @Sendable (inout RelayRows) throws -> Result
  ) async throws -> Result {
    try rows.withLock { rows in
      let (result, writes) = try Self.withRows(rows) { draft in
        (try change(&draft), draft.writes)
      }
      commitTimes.measuring {
        for (key, value) in writes { rows[key] = value }
      }
      return result
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result {
    try rows.withLock { rows in try Self.withRows(rows) { try body($0) } }
  }

  /// Runs a closure on the rows.
  ///
  /// The closure must not keep the rows; otherwise, the next change would copy all of them.
  private static func withRows<Result>(
    _ rows: SortedRows, _ body: (inout RelayRows) throws -> Result
  ) throws -> Result {
    var draft = RelayRows(
      stored: { rows[$0] },
      scan: { prefix, from, look in
        try rows.scan(from: from) { key, value in
          guard key.starts(with: prefix) else { return false }
          return try look(key, value)
        }
      })
    return try body(&draft)
  }

  var place: [UInt8] { [] }

  func lockFolder() {}

  func close() async throws {}

  func backup(to path: String) throws { throw MemoryHasNoBackup() }
}

struct MemoryHasNoBackup: Error, CustomStringConvertible {
  var description: String { "A relay in memory can't be backed up." }
}
