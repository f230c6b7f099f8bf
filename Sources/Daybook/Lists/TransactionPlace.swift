import ProjectionSupport

/// Where a reader is in a list: by keys, so that it means the same whatever happens to the rows.
struct TransactionPlace: Hashable, Sendable {
  /// The newest row in view, or where it was; `nil` before any was.
  private(set) var first: TransactionPosition?
  /// The oldest row in view, or where it was.
  private(set) var last: TransactionPosition?
  /// Where a jump goes, until its rows are there: rows below it are older.
  private var target: RowKey?

  /// The top of the list.
  init() {}

  /// The newest row of a day.
  init(jumpingTo day: Day) { target = RowKey.first(of: day.adding(days: 1)) }

  /// Rows below this place are older, or the first in view; `nil` for the top.
  var below: RowKey? { target ?? first.map { RowKey($0).successor } }

  /// Takes the first row below the target for the one in view, or the oldest row where there is none.
  ///
  /// Of a view into which more than a page of rows has come, the uppermost page stays.
  mutating func settle(in rows: [TransactionRow], pageSize: Int) {
    if let view = view(of: rows), view.count > pageSize {
      last = rows[view.lowerBound + pageSize - 1].key
    }
    guard let target else { return }
    self.target = nil
    first = (rows.first { RowKey($0.key) < target } ?? rows.last)?.key
    last = first
  }

  /// Takes a row into view; of what was in view, as many rows stay as are a page together.
  ///
  /// - Parameter rows: what is held, newest first.
  mutating func reach(_ key: TransactionPosition, in rows: [TransactionRow], pageSize: Int) {
    target = nil
    guard let newest = first, let oldest = last else {
      first = key
      last = key
      return
    }
    if key > newest {
      first = key
      let start = rows.position(of: key)
      let end = min(start + pageSize, rows.count) - 1
      if end >= 0 { last = max(oldest, rows[end].key) }
    } else if key < oldest {
      last = key
      let end = rows.position(of: key)
      let start = min(max(end - pageSize + 1, 0), rows.count - 1)
      if start >= 0 { first = min(newest, rows[start].key) }
    }
  }

  /// Which of the rows are in view.
  ///
  /// - Returns: `nil` before any was.
  func view(of rows: [TransactionRow]) -> Range<Int>? {
    guard let first, let last else { return nil }
    let start = rows.position(of: first)
    var end = rows.position(of: last)
    if end < rows.count, rows[end].key == last { end += 1 }
    return start..<max(start, end)
  }
}

extension [TransactionRow] {
  /// The first row that is not newer than a key.
  ///
  /// - Complexity: O(log rows).
  func position(of key: TransactionPosition) -> Int {
    var (lower, upper) = (0, count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if self[middle].key > key { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
