/// The layout of a table's columns for a width.
struct TableLayout {
  /// The columns placed side by side, in order.
  var beside: [Int]
  /// The columns placed on lines below their row, in order.
  var below: [Int] = []
  /// The widths of all columns.
  var widths: [Int]
  private var words: [Int]
  /// The terminal's width in columns, or `nil` without a limit.
  var limit: Int?
  /// The number of spaces between two columns.
  var gap = TextTable.gap
  /// Whether the columns don't fit side by side, so that rows are shown as lists.
  var isStacked = false

  /// The minimum width of a flexible column while other columns can still be moved off the line.
  private static let comfortable = 12
  /// The minimum width of a flexible column when no other column can be moved off the line.
  private static let narrowest = 5

  /// The width of a line with the columns placed side by side.
  var width: Int {
    beside.reduce(0) { $0 + widths[$1] } + gap * max(0, beside.count - 1)
  }

  /// Computes a layout.
  ///
  /// - Parameters:
  ///   - natural: The width of each column's widest cell.
  ///   - words: The width of the widest word in each column that keeps its words whole, and 0 for
  ///     other columns.
  ///   - empty: The columns without any text, which are dropped first.
  ///   - limit: The available width.
  init(
    _ columns: [TextTable.Column], natural: [Int], words: [Int], empty: Set<Int>, limit: Int?
  ) {
    beside = Array(columns.indices)
    self.words = words
    widths = natural
    self.limit = limit
    guard let limit, width > limit else { return }
    beside.removeAll { empty.contains($0) }
    while true {
      let next = leaving(columns)
      if squeeze(columns, natural, least: next.isEmpty ? Self.narrowest : Self.comfortable) {
        return
      }
      guard !next.isEmpty else {
        // Prefer a smaller gap to showing the rows as lists.
        guard gap > 1 else { break }
        gap = 1
        continue
      }
      beside.removeAll { next.contains($0) }
      below = (below + next.filter { !columns[$0].isGone }).sorted()
    }
    isStacked = true
    gap = TextTable.gap
    widths = natural
  }

  /// Returns the columns to move off the line next; empty if all remaining columns must stay.
  private func leaving(_ columns: [TextTable.Column]) -> [Int] {
    let ranks = beside.map { place -> Int? in
      switch columns[place].yielding {
      case .never: nil
      case .below(let rank), .goes(let rank): rank
      case .automatic:
        place > 0 && columns[place].isFlexible && !columns[place].title.isEmpty
          ? 1_000 - place : nil
      }
    }
    guard let lowest = ranks.compactMap({ $0 }).min() else { return [] }
    let found = zip(beside, ranks).filter { $0.1 == lowest }.map(\.0)
    // At least one column must stay on the first line.
    return found.count < beside.count ? found : []
  }

  /// Narrows flexible columns, the widest first.
  ///
  /// Returns whether the line fits.
  private mutating func squeeze(
    _ columns: [TextTable.Column], _ natural: [Int], least: Int
  ) -> Bool {
    widths = natural
    var excess = width - (limit ?? width)
    while excess > 0 {
      let candidates = beside.filter {
        columns[$0].isFlexible && widths[$0] > max(least, words[$0])
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return false }
      // Shrink the widest column only to the width of the next one, so that equal columns shrink
      // together.
      let next = candidates.filter { widths[$0] < widths[widest] }.map { widths[$0] }.max()
      let floor = max(next ?? least, least, words[widest])
      let step = min(excess, max(1, widths[widest] - floor))
      widths[widest] -= step
      excess -= step
    }
    return true
  }
}

extension TextTable.Column {
  /// Whether the column is hidden when the line is too narrow.
  fileprivate var isGone: Bool {
    if case .goes = yielding { true } else { false }
  }
}
