import Synchronization

/// Rows in memory: for tests and simulations.
final class MemoryRows: RowEngine {
  private let rows = Mutex<[[UInt8]: [UInt8]]>([:])

  func write<Result: Sendable>(
    _ change: @escaping @Sendable (inout RelayRows) throws -> Result
  ) async throws -> Result {
    try rows.withLock { rows in
      var draft = Self.draft(of: rows)
      let result = try change(&draft)
      for (key, value) in draft.writes { rows[key] = value }
      return result
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (RelayRows) throws -> Result
  ) async throws -> Result {
    try body(Self.draft(of: rows.withLock { $0 }))
  }

  private static func draft(of rows: [[UInt8]: [UInt8]]) -> RelayRows {
    RelayRows(
      stored: { rows[$0] },
      scan: { prefix, from, body in
        let keys = rows.keys.filter {
          $0.starts(with: prefix) && !$0.lexicographicallyPrecedes(from)
        }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
          if let value = rows[key], try !body(key, value) { return }
        }
      })
  }

  func backup(to path: String) throws { throw MemoryHasNoBackup() }
}

struct MemoryHasNoBackup: Error, CustomStringConvertible {
  var description: String { "A relay in memory has nothing to back up." }
}
