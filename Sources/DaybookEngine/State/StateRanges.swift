internal import DaybookEntities
internal import DaybookLMDB

/// The rows of a complete State, divided into ranges that threads process one after another.
final class StateRanges: Sendable {
  /// The number of rows.
  let rowCount: Int
  private let rowCountMax: Int
  private let rows: Database
  private let starts: [TableKey]
  private let takenCount = Lock(0)
  private let toldCount = Lock(0)

  /// The default number of rows in a range.
  ///
  /// The number is small enough for all threads to finish at about the same time, and large enough
  /// to keep most neighbouring rows together.
  static let rowCountMax = 1 << 14

  /// Divides the rows of a store's State.
  ///
  /// - Parameter rowCountMax: The number of rows in each range except the last.
  init(_ store: ViewsStore, rowCountMax: Int = StateRanges.rowCountMax) throws {
    let rows = store.state.rows
    let (count, starts) = try store.environment.read { transaction in
      var count = 0
      var starts: [TableKey] = []
      try transaction.view.forEach(in: rows) { key, _ in
        if count % rowCountMax == 0 { starts.append(TableKey(bytes: key)) }
        count += 1
        return true
      }
      return (count, starts)
    }
    rowCount = count
    self.rowCountMax = rowCountMax
    self.rows = rows
    self.starts = starts
  }

  /// Calls `body` with the rows of ranges that no other thread has taken, until no ranges remain.
  ///
  /// After each range, `report` receives the fraction of all rows that all threads together have
  /// processed.
  func forEachRow(
    in view: TransactionView, _ report: (Double) throws -> Void,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
  ) throws {
    while let index = take() {
      let first = starts[index].words
      let from = first.span.bytes.extracting(first: starts[index].count)
      var count = 0
      try view.forEach(in: rows, from: from) { key, value in
        try body(key, value)
        count += 1
        return count < rowCountMax
      }
      let reported = toldCount.withLock { reported in
        reported += count
        return reported
      }
      try report(Double(reported) / Double(rowCount))
    }
  }

  private func take() -> Int? {
    takenCount.withLock { count in
      guard count < starts.count else { return nil }
      count += 1
      return count - 1
    }
  }
}
