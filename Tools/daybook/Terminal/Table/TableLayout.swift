/// Where the columns of a table stand at a width.
struct TableLayout {
  /// The columns that stand side by side, in order.
  var beside: [Int]
  /// The columns that stand on a line below their row, in order.
  var below: [Int] = []
  /// The widths of all columns.
  var widths: [Int]
  private var words: [Int]
  /// How many columns of the terminal there are, if there is a limit.
  var limit: Int?
  /// How many spaces part two columns.
  var gap = TextTable.gap
  /// Whether not even what must stay fits side by side, so that rows are told as lists.
  var isStacked = false

  /// Down to this a column gives way as long as others may leave the line.
  private static let comfortable = 12
  /// Down to this, when no other may.
  private static let narrowest = 5

  /// How wide a line of the columns side by side is.
  var width: Int {
    beside.reduce(0) { $0 + widths[$1] } + gap * max(0, beside.count - 1)
  }

  /// - Parameters:
  ///   - natural: How wide each column's widest cell is.
  ///   - words: How wide the widest word is of each column that keeps its words whole, else 0.
  ///   - empty: The columns in which nothing stands: the first to go.
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
        // Before rows fall apart, columns move together.
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

  /// The columns that leave the line next; none where all that are left must stay.
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
    // Something has to stand on the first line.
    return found.count < beside.count ? found : []
  }

  /// Makes flexible columns narrower, the widest first; whether the line fits then.
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
      // Down to the next widest at a time, so that equal columns share the loss.
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
  /// Whether it is not shown at all when it yields.
  fileprivate var isGone: Bool {
    if case .goes = yielding { true } else { false }
  }
}
