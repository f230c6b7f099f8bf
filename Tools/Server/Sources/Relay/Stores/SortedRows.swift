/// Rows in memory, sorted by key.
///
/// Rows are stored in runs of at most 256 rows, so that an insertion moves the rows of one run
/// instead of all rows.
struct SortedRows {
  private typealias Row = (key: [UInt8], value: [UInt8])
  /// Sorted, non-empty runs of rows.
  private var runs: [[Row]] = []

  private static let runCountMax = 256

  /// The value of a key; setting it to `nil` deletes the row.
  ///
  /// - Complexity: O(log *n*) for reading, O(√*n*) or less for changing.
  subscript(key: [UInt8]) -> [UInt8]? {
    get {
      let place = place(of: key)
      return isRow(key, at: place) ? runs[place.run][place.row].value : nil
    }
    set {
      let place = place(of: key)
      switch (newValue, isRow(key, at: place)) {
      case (let value?, true): runs[place.run][place.row].value = value
      case (let value?, false): insert((key, value), at: place)
      case (nil, true): remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// Visits the rows from a key on, in order, until the closure returns `false`.
  func scan(from: [UInt8], _ look: ([UInt8], [UInt8]) throws -> Bool) rethrows {
    var (run, row) = place(of: from)
    while run < runs.count {
      while row < runs[run].count {
        guard try look(runs[run][row].key, runs[run][row].value) else { return }
        row += 1
      }
      (run, row) = (run + 1, 0)
    }
  }

  /// Returns the position of a key, or the position for inserting it.
  ///
  /// A new key belongs in the last run that doesn't begin after the key.
  private func place(of key: [UInt8]) -> (run: Int, row: Int) {
    let run = max(0, Self.firstIndex(of: runs.count) { Self.isBefore(key, runs[$0][0].key) } - 1)
    guard run < runs.count else { return (0, 0) }
    let row = Self.firstIndex(of: runs[run].count) { !Self.isBefore(runs[run][$0].key, key) }
    return (run, row)
  }

  private func isRow(_ key: [UInt8], at place: (run: Int, row: Int)) -> Bool {
    place.run < runs.count && place.row < runs[place.run].count
      && runs[place.run][place.row].key == key
  }

  private mutating func insert(_ row: Row, at place: (run: Int, row: Int)) {
    if runs.isEmpty { runs.append([]) }
    runs[place.run].insert(row, at: place.row)
    guard runs[place.run].count > Self.runCountMax else { return }
    let half = runs[place.run].count / 2
    runs.insert(Array(runs[place.run][half...]), at: place.run + 1)
    runs[place.run].removeSubrange(half...)
  }

  private mutating func remove(at place: (run: Int, row: Int)) {
    runs[place.run].remove(at: place.row)
    if runs[place.run].isEmpty { runs.remove(at: place.run) }
  }

  private static func isBefore(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.lexicographicallyPrecedes(second)
  }

  /// Returns the first index at which a predicate holds, or `count` if there is none.
  ///
  /// The predicate must also hold for all later indices.
  private static func firstIndex(of count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
