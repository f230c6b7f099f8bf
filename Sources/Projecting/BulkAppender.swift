internal import Entities
internal import LMDB

/// Appends sorted rows to tables in transactions of bounded size.
final class BulkAppender {
  private let environment: Environment
  private var transaction: WriteTransaction?
  private var byteCount = 0

  /// The bytes of rows that one transaction writes.
  static let byteCountMax = 64 << 20
  private static let blockRowCount = 1_024

  init(_ environment: Environment) throws {
    self.environment = environment
    transaction = try environment.beginWrite()
  }

  /// Drains a sorter into an empty table.
  func append(_ sorter: TableSorter, to database: Database) throws {
    var rows = RowRun()
    try sorter.drain { key, value in
      rows.add(key, value)
      if rows.count == BulkAppender.blockRowCount { try append(&rows, to: database) }
    }
    try append(&rows, to: database)
  }

  /// Appends rows with one cursor, which stays at the end, and empties them.
  private func append(_ rows: inout RowRun, to database: Database) throws {
    try write { transaction in
      var cursor = try transaction.writeCursor(in: database)
      for index in 0..<rows.count {
        let key = rows.key(at: index)
        let words = key.words
        try rows.withValue(at: index) {
          try cursor.put(words.span.bytes.extracting(first: key.count), $0, flags: .append)
        }
        byteCount += key.count + 10
      }
    }
    byteCount += rows.valueByteCount
    rows.removeAll()
    if byteCount < BulkAppender.byteCountMax { return }
    try finish()
    transaction = try environment.beginWrite()
    byteCount = 0
  }

  /// Writes outside of tables that are appended to, such as marks.
  func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    guard var held = transaction.take() else {
      throw ProjectingError(.closed, "The bulk load has ended.")
    }
    try body(&held)
    transaction = consume held
  }

  func finish() throws {
    guard var held = transaction.take() else { return }
    held.expectedPageCount = byteCount / 4_000
    try held.commit()
  }
}
