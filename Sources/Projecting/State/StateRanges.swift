internal import Entities
internal import LMDB

/// The rows of State, complete, in ranges of neighbours that threads take one after the other.
final class StateRanges: Sendable {
  /// How many rows there are.
  let rowCount: Int
  private let rowCountMax: Int
  private let rows: Database
  private let starts: [TableKey]
  private let takenCount = Lock(0)
  private let toldCount = Lock(0)

  /// So few rows that threads end at about the same time, and so many that neighbours mostly are together.
  static let rowCountMax = 1 << 14

  /// - Parameter rowCountMax: How many rows a range has, but for the last.
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

  /// Gives rows that no other thread has had to `body` until there are none; `report` hears after each range
  /// what part of all rows the threads together have been through.
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
      let told = toldCount.withLock { told in
        told += count
        return told
      }
      try report(Double(told) / Double(rowCount))
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
