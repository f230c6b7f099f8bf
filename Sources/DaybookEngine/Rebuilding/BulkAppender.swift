internal import DaybookEntities
internal import DaybookLMDB

/// Appends sorted rows to tables in transactions of bounded size.
final class BulkAppender {
  private let environment: Environment
  /// Whether another thread merges the next rows while the previous ones are appended.
  private let isAhead: Bool
  private var transaction: WriteTransaction?
  private var byteCount = 0

  /// The number of written bytes at which a transaction is committed.
  static let byteCountMax = 64 << 20
  /// The number of rows merged at a time; few enough for the processor's cache.
  private static let blockRowCount = 8_192

  /// - Parameter isAhead: Whether another thread merges the next rows while the previous ones are
  ///   appended.
  init(_ environment: Environment, isAhead: Bool = false) throws {
    self.environment = environment
    self.isAhead = isAhead
    transaction = try environment.beginWrite()
  }

  /// Drains a sorter into an empty table.
  func append(_ sorter: TableSorter, to database: Database) throws {
    try sorter.startDraining()
    let drain = Drain(sorter)
    var next = isAhead ? Ahead { drain.next() } : nil
    while true {
      let block = try (next?.wait() ?? drain.next()).get()
      if block.count == 0 { break }
      if isAhead { next = Ahead { drain.next() } }
      try append(block, to: database)
    }
    sorter.empty()
  }

  /// Drains the rows of a sorter, block by block.
  ///
  /// Unchecked `Sendable`: only one thread at a time uses the sorter, because a block is requested
  /// only when the previous one is complete.
  private final class Drain: @unchecked Sendable {
    private let sorter: TableSorter

    init(_ sorter: TableSorter) { self.sorter = sorter }

    func next() -> Result<RowRun, any Error> {
      Result {
        var run = RowRun()
        try sorter.drain(into: &run, upTo: BulkAppender.blockRowCount)
        return run
      }
    }
  }

  /// Appends rows with a cursor that stays at the end of the table.
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

  /// Runs `body` in the current transaction, for example to clear a table or to write a status.
  ///
  /// - Throws: ``ProjectingError`` with `closed` after ``finish()``.
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
