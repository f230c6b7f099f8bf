import DaybookProjections

// Values that collect figures in one pass over a projection's rows.

// All elements of a result (months or categories) share one list of figures, so a query takes only
// a few allocations, however many elements it returns.

/// Collects figures that arrive in month order, into one element for each month of a range.
struct MonthGatherer {
  private let range: Range<Month>
  private var totals: [CurrencyTotals] = []
  // The months that have figures, and the start of each month's figures in `totals`.
  private var starts: [(month: Month, start: Int)] = []

  init(_ range: Range<Month>) {
    self.range = range
    starts.reserveCapacity(range.count)
    totals.reserveCapacity(range.count)
  }

  mutating func add(_ figures: CurrencyTotals, to month: Month) {
    if starts.last?.month != month { starts.append((month, totals.count)) }
    let start = starts[starts.count - 1].start
    totals.append(figures)
    if totals.count - start > 1, totals[totals.count - 2].currency > figures.currency {
      totals[start...].sort { $0.currency < $1.currency }
    }
  }

  /// Returns all months of the range, including those without figures.
  consuming func finish() -> [MonthTotals] {
    var months: [MonthTotals] = []
    months.reserveCapacity(range.count)
    var next = 0
    for month in range {
      var part = 0..<0
      if next < starts.count, starts[next].month == month {
        let start = starts[next].start
        next += 1
        part = start..<(next < starts.count ? starts[next].start : totals.count)
      }
      months.append(MonthTotals(month: month, sharing: SharedList(part, of: totals)))
    }
    return months
  }
}

/// Collects figures that arrive in category order, into one element for each category of a kind.
struct BreakdownGatherer {
  private let tree: CategoryTree
  private let kind: CategoryKind
  private let isTopLevelOnly: Bool
  private var amounts: [CategoryAmount] = []
  // The index of each category in the tree's list, and the start of its figures in `amounts`.
  private var starts: [(place: Int, start: Int)] = []
  private var number: UInt32?
  private var isListed = false

  init(_ tree: CategoryTree, kind: CategoryKind, isTopLevelOnly: Bool) {
    self.tree = tree
    self.kind = kind
    self.isTopLevelOnly = isTopLevelOnly
    amounts.reserveCapacity(256)
    starts.reserveCapacity(256)
  }

  mutating func add(_ figures: CategoryTotals.Figures) {
    if figures.key.category != number { open(figures.key.category) }
    if !isListed { return }
    let start = starts[starts.count - 1].start
    amounts.append(CategoryAmount(figures))
    if amounts.count - start > 1, amounts[amounts.count - 2].currency > figures.key.currency {
      amounts[start...].sort { $0.currency < $1.currency }
    }
  }

  consuming func finish() -> [CategoryTotal] {
    var totals: [CategoryTotal] = []
    totals.reserveCapacity(starts.count)
    for index in starts.indices {
      let end = index + 1 < starts.count ? starts[index + 1].start : amounts.count
      totals.append(
        CategoryTotal(
          category: tree.list[starts[index].place],
          sharing: SharedList(starts[index].start..<end, of: amounts)))
    }
    return totals
  }

  private mutating func open(_ next: UInt32) {
    number = next
    isListed = false
    guard let place = tree.place(of: next), tree.list[place].kind == kind else { return }
    isListed = !isTopLevelOnly || tree.list[place].parent == nil
    if isListed { starts.append((place, amounts.count)) }
  }
}
