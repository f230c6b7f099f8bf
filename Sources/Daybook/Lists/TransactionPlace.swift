import DaybookProjections

/// The user's place in a list, stored as keys so that it stays valid when rows change.
struct TransactionPlace: Hashable, Sendable {
  /// The key of the newest row in view, even if the row has been removed; `nil` before any row was
  /// in view.
  private(set) var first: TransactionPosition?
  /// The key of the oldest row in view, even if the row has been removed.
  private(set) var last: TransactionPosition?
  /// The destination of a jump, until its rows are loaded; rows below it are older.
  private var target: RowKey?

  /// Creates a place at the top of the list.
  init() {}

  /// Creates a place at the newest row of a day.
  init(jumpingTo day: Day) { target = RowKey.first(of: day.adding(days: 1)) }

  /// The place above the rows in view, or `nil` for the top of the list.
  var below: RowKey? { target ?? first.map { RowKey($0).successor } }

  /// Sets the view to the first row below a jump's destination, or to the oldest row if none is
  /// below it.
  ///
  /// If the view has grown to more than a page of rows, only its uppermost page is kept.
  mutating func settle(in rows: [TransactionRow], pageSize: Int) {
    if let view = view(of: rows), view.count > pageSize {
      last = rows[view.lowerBound + pageSize - 1].key
    }
    guard let target else { return }
    self.target = nil
    first = (rows.first { RowKey($0.key) < target } ?? rows.last)?.key
    last = first
  }

  /// Extends the view to a row, limiting the view to one page.
  ///
  /// - Parameter rows: The loaded rows, newest first.
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

  /// Returns the indices of the rows in view.
  ///
  /// - Returns: `nil` before any row was in view.
  func view(of rows: [TransactionRow]) -> Range<Int>? {
    guard let first, let last else { return nil }
    let start = rows.position(of: first)
    var end = rows.position(of: last)
    if end < rows.count, rows[end].key == last { end += 1 }
    return start..<max(start, end)
  }
}

extension [TransactionRow] {
  /// Returns the index of the first row that isn't newer than a key.
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
