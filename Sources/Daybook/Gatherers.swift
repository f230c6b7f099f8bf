import CategoryTotals

// Values that collect figures while the rows of a projection go by, so that a query is one pass.

/// Gathers figures that come in order of months into one element for each month of a range.
struct MonthGatherer {
  private var months: [MonthTotals] = []
  private var next: Month
  private let end: Month
  private var ofMonth: [CurrencyTotals] = []

  init(_ range: Range<Month>) {
    next = range.lowerBound
    end = range.upperBound
    months.reserveCapacity(range.count)
  }

  mutating func add(_ totals: CurrencyTotals, to month: Month) {
    if next < month { close(before: month) }
    if ofMonth.isEmpty { ofMonth.reserveCapacity(4) }
    let isInOrder = ofMonth.last.map { $0.currency < totals.currency } ?? true
    ofMonth.append(totals)
    if !isInOrder { ofMonth.sort { $0.currency < $1.currency } }
  }

  /// The months, those without figures too.
  consuming func finish() -> [MonthTotals] {
    close(before: end)
    return months
  }

  // Ends the month before `month`, and those without rows up to it.
  private mutating func close(before month: Month) {
    while next < month {
      months.append(MonthTotals(month: next, totals: ofMonth))
      if !ofMonth.isEmpty { ofMonth = [] }
      next = next.adding(1)
    }
  }
}

/// Gathers figures that come in order of categories into one element for each category of a kind.
struct BreakdownGatherer {
  private let tree: CategoryTree
  private let kind: CategoryKind
  private let isTopLevelOnly: Bool
  private var totals: [CategoryTotal] = []
  private var number: UInt32?
  private var isListed = false
  private var amounts: [CategoryAmount] = []

  init(_ tree: CategoryTree, kind: CategoryKind, isTopLevelOnly: Bool) {
    self.tree = tree
    self.kind = kind
    self.isTopLevelOnly = isTopLevelOnly
    totals.reserveCapacity(256)
  }

  mutating func add(_ figures: CategoryTotals.Figures) {
    if figures.key.category != number { open(figures.key.category) }
    if !isListed { return }
    if amounts.isEmpty { amounts.reserveCapacity(4) }
    let isInOrder = amounts.last.map { $0.currency < figures.key.currency } ?? true
    amounts.append(CategoryAmount(figures))
    if !isInOrder { amounts.sort { $0.currency < $1.currency } }
  }

  consuming func finish() -> [CategoryTotal] {
    close()
    return totals
  }

  private mutating func open(_ next: UInt32) {
    close()
    number = next
    guard let category = tree.category(next), category.kind == kind else { return }
    isListed = !isTopLevelOnly || category.parent == nil
    if isListed { totals.append(CategoryTotal(category: category, amounts: [])) }
  }

  private mutating func close() {
    if isListed { totals[totals.count - 1].amounts = amounts }
    isListed = false
    amounts = []
  }
}
