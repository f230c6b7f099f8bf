internal import Entities
internal import LMDB

/// Appends sorted rows to tables in transactions of bounded size.
final class BulkAppender {
  private let environment: Environment
  private let aside: AsideThread
  private var transaction: WriteTransaction?
  private var byteCount = 0

  /// The bytes of rows that one transaction writes.
  static let byteCountMax = 64 << 20
  /// So few that a block stays in the processor's cache on its way.
  private static let blockRowCount = 4_096

  /// - Parameter aside: merges what is to be appended next, if it does anything.
  init(_ environment: Environment, aside: AsideThread = AsideThread(isUsed: false)) throws {
    self.environment = environment
    self.aside = aside
    transaction = try environment.beginWrite()
  }

  /// Drains a sorter into an empty table.
  func append(_ sorter: TableSorter, to database: Database) throws {
    try sorter.startDraining()
    var (ready, next) = (RowRun(), RowRun())
    repeat {
      next.removeAll()
      try aside.run {
        try sorter.drain(into: &next, upTo: BulkAppender.blockRowCount)
      } beside: {
        try append(ready, to: database)
      }.get()
      swap(&ready, &next)
    } while ready.count > 0
    sorter.empty()
  }

  /// Appends rows with one cursor, which stays at the end.
  private func append(_ rows: RowRun, to database: Database) throws {
    if rows.count == 0 { return }
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
