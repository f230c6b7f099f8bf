import DaybookProjections

extension Snapshot {
  /// Returns the figures of each month of the range, in order, including months without
  /// transactions.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(months), plus O(days) for a month that extends past `today`.
  public func months(_ range: Range<Month>, today: Day) throws -> [MonthTotals] {
    try Snapshot.check(range.count, LedgerLimits.seriesPointCountMax, "The number of months")
    var gathered = MonthGatherer(range)
    try forEachCountedMonth(range, today: today) { month, figures in
      gathered.add(CurrencyTotals(figures), to: month)
    }
    return gathered.finish()
  }

  /// Returns the figures of a range of days up to and including `today`, per currency.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(years + months + days at the ends), independent of the number of rows.
  public func totals(in days: Range<Day>, today: Day) throws -> [CurrencyTotals] {
    let found = try MonthlyTotals.totals(in: days, today: today, in: view)
    return try counted(found, on: days.through(today)).map(CurrencyTotals.init)
  }

  /// Returns the planned figures of a range of days, from transactions dated after `today`.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func planned(in days: Range<Day>, today: Day) throws -> [CurrencyTotals] {
    let found = try MonthlyTotals.planned(in: days, today: today, in: view)
    let later = days.clamped(to: today.adding(days: 1)..<Day(rawValue: .max))
    return try counted(found, on: later).map(CurrencyTotals.init)
  }

  /// Returns the total of each category of a kind in a range of days up to and including `today`.
  ///
  /// Excluded categories (``CategoryDetails/isExcludedFromTotals``) are left out.
  ///
  /// The built-in category for uncategorised postings comes first, followed by the others in the
  /// order in which they were recorded. Categories without figures are left out. With `rollUp`,
  /// only top-level categories are listed, each including its subcategories.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(categories × periods of the range).
  public func breakdown(
    in days: Range<Day>, kind: CategoryKind, rollUp: Bool = false, today: Day
  ) throws -> [CategoryTotal] {
    let tree = try chartOfAccounts().tree
    let parents = rollUp ? tree.parents : nil
    var gathered = BreakdownGatherer(tree, kind: kind, isTopLevelOnly: rollUp)
    if try excludedRows() == nil {
      try CategoryTotals.forEachCategory(in: days, today: today, rollingUp: parents, in: view) {
        gathered.add($0)
      }
    } else {
      var figures: [CategoryTotals.Figures] = []
      try CategoryTotals.forEachCategory(in: days, today: today, rollingUp: parents, in: view) {
        figures.append($0)
      }
      let found = try counted(figures, on: days.through(today)) { number in
        rollUp ? tree.rootNumber(of: number) : number
      }
      for figures in found { gathered.add(figures) }
    }
    return gathered.finish()
  }

  /// Returns the total of one category in a range of days up to and including `today`.
  ///
  /// If the category itself is excluded from totals, its amounts are returned nevertheless.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such category.
  public func total(
    of category: CategoryID, in days: Range<Day>, includingSubcategories: Bool = true, today: Day
  ) throws -> CategoryTotal {
    let tree = try chartOfAccounts().tree
    let members = try tree.members(category, withSubcategories: includingSubcategories)
    let number = tree.numbers[members[0]]
    var parents: [UInt32: UInt32] = [:]
    for below in members.dropFirst() { parents[tree.numbers[below]] = number }
    let figures = try CategoryTotals.breakdown(
      in: days, today: today, rollingUp: parents.isEmpty ? nil : parents, in: view
    ).filter { $0.key.category == number }
    let found = try counted(
      figures, on: days.through(today), ignoringCategories: isExcluded(category)
    ) { $0 == number || parents[$0] != nil ? number : nil }
    return CategoryTotal(
      category: tree.list[members[0]], amounts: found.map(CategoryAmount.init))
  }

  /// Returns the total of a category in each month of the range, in order, including empty months.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such category, or for more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(months × subcategories).
  public func trend(
    of category: CategoryID, over months: Range<Month>, includingSubcategories: Bool = true,
    today: Day
  ) throws -> [CategoryMonth] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let tree = try chartOfAccounts().tree
    let members = try tree.members(category, withSubcategories: includingSubcategories)
    let numbers = members.map { tree.numbers[$0] }
    let found = tree.list[members[0]]
    let isExcluded = try self.isExcluded(category)
    let listed = Set(numbers)
    return try CategoryTotals.trend(of: numbers, over: months, today: today, in: view).map {
      month, figures in
      let counted = try self.counted(
        figures, on: month.days.through(today), ignoringCategories: isExcluded
      ) { listed.contains($0) ? numbers[0] : nil }
      return CategoryMonth(
        month: month,
        total: CategoryTotal(category: found, amounts: counted.map(CategoryAmount.init)))
    }
  }

  /// Returns whether totals leave out a category because of its own property or that of a category
  /// above it.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  public func isExcluded(_ category: CategoryID) throws -> Bool {
    try chartOfAccounts().exclusions.categories.contains(category.rawValue)
  }
}

extension CurrencyTotals {
  init(_ figures: MonthlyTotals.Figures) {
    self.init(
      currency: figures.currency,
      income: Total(units: figures.income, currency: figures.currency),
      expense: Total(units: figures.expense, currency: figures.currency),
      transfers: Total(units: figures.transfers, currency: figures.currency),
      count: figures.count)
  }
}

extension CategoryAmount {
  init(_ figures: CategoryTotals.Figures) {
    self.init(
      into: Total(units: figures.moneyIn, currency: figures.key.currency),
      out: Total(units: figures.moneyOut, currency: figures.key.currency),
      count: figures.count)
  }
}
