import DaybookEntities
import DaybookLMDB

/// Checks a copy of a journal: reads it from disk and compares it with the journal row by row.
///
/// It doesn't check the journal itself; `verifyChain` does.
struct CopyProof {
  let source: JournalStore
  /// The folder of the copy's environment, which must not be open.
  let path: String

  /// The number of rows compared between two progress reports.
  private static let rowCountBetweenReports = 4_096

  /// Compares the copy with the journal.
  ///
  /// The rows of the main database and the consumers are not compared, because they are copied
  /// again when the copy catches up.
  ///
  /// - Parameter progress: Called repeatedly with the completed fraction, from 0 to 1; if it
  ///   throws, the comparison ends.
  /// - Returns: Whether the copy can catch up; `false` if the journal has been purged since it was
  ///   copied.
  /// - Throws: `JournalError` with `brokenChain` if the copy differs; `LMDBError`.
  /// - Complexity: O(bytes of the copy).
  func run(progress: (Double) throws -> Void) throws -> Bool {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    options.readOnly = true
    // The file is in key order and is read sequentially.
    options.readsAhead = true
    let copy = try Environment.open(path: path, options: options)
    defer { try? copy.close() }
    let meta = try copy.mainDatabase()
    let tables = try [source.tables.commits, source.tables.baseline, source.tables.keys]
      .enumerated()
      .map { (source: $1, copy: try copy.database(named: CopyProof.names[$0])) }
    return try source.read { view throws in
      let transaction = try copy.beginRead()
      let total = try tables.reduce(0) { try $0 + transaction.view.count(of: $1.copy) }
      var done = 0
      for (table, name) in zip(tables, CopyProof.names) {
        // Rows are ordered by the keys' digests, so new rows lie between existing ones.
        let isEqual = try isEqual(
          view, table.source, transaction.view, table.copy, skipping: name == "keys"
        ) {
          done += 1
          guard done % CopyProof.rowCountBetweenReports == 0 else { return }
          try progress(Double(done) / Double(total))
        }
        if isEqual { continue }
        // Idempotency keys expire and can be reused. A purge moves the floor first and then removes
        // the commits below it, which the copy may still contain.
        if name == "commits",
          try firstKey(view, table.source) != firstKey(transaction.view, table.copy)
        {
          return false
        }
        let isAsItWas = try [JournalTables.floorKey, JournalTables.baselineKey].allSatisfy {
          try view.bytes(for: $0, in: source.tables.meta)
            == transaction.view.bytes(for: $0, in: meta)
        }
        guard name != "keys", isAsItWas else { return false }
        throw notEqual(name)
      }
      return true
    }
  }

  private static let names = ["commits", "baseline", "keys"]

  /// Returns whether the copy's rows are the first rows of the journal's table or, with `skipping`,
  /// whether they all occur in it.
  private func isEqual(
    _ view: TransactionView, _ table: Database, _ copy: TransactionView, _ copied: Database,
    skipping: Bool, _ didCompare: () throws -> Void
  ) throws -> Bool {
    var mine = try view.cursor(in: table)
    var other = try copy.cursor(in: copied)
    var row = try mine.first()
    var next = try other.first()
    while let entry = next {
      while skipping, let found = row, found.key.compared(to: entry.key) < 0 {
        row = try mine.next()
      }
      guard let found = row, found.key.compared(to: entry.key) == 0,
        found.value.compared(to: entry.value) == 0
      else { return false }
      try didCompare()
      row = try mine.next()
      next = try other.next()
    }
    return true
  }

  private func firstKey(_ view: TransactionView, _ table: Database) throws -> [UInt8]? {
    var cursor = try view.cursor(in: table)
    return try cursor.first()?.key.copied()
  }

  private func notEqual(_ table: String) -> JournalError {
    JournalError(
      .brokenChain,
      "The copy “\(path)” of the journal differs from it, first in table \(table), so the old "
        + "journal is kept. Try again; if it happens again, verify the ledger and the disk.",
      path: path)
  }
}
