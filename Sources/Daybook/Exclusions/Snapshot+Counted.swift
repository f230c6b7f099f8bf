internal import DaybookEngine
internal import DaybookProjections

// The stored totals without what totals leave out.

extension Snapshot {
  /// Calls `body` with what counts on each day and in each currency of a range, in order of days.
  ///
  /// See `MonthlyTotals.forEachDay`.
  func forEachCountedDay(
    in range: Range<Day>, today: Day?, _ body: (Day, MonthlyTotals.Figures) throws -> Void
  ) throws {
    guard let excluded = try excludedRows() else {
      return try MonthlyTotals.forEachDay(in: range, today: today, in: view, body)
    }
    let leftOut = excluded.totals(on: range.through(today))
    var day: Day?
    var sums: [Currency: Sums] = [:]
    func finish() throws {
      guard let day else { return }
      for (currency, excluded) in leftOut[day] ?? [:] {
        sums[currency, default: Sums()] += -excluded
      }
      for (currency, sums) in sums.sorted(by: { $0.key < $1.key }) {
        if let figures = MonthlyTotals.Figures(sums, in: currency) { try body(day, figures) }
      }
      sums.removeAll(keepingCapacity: true)
    }
    try MonthlyTotals.forEachDay(in: range, today: today, in: view) { next, figures in
      if next != day { try finish() }
      day = next
      sums[figures.currency, default: Sums()] += figures.sums
    }
    try finish()
  }

  /// Calls `body` with what counts in each month and currency of a range, in order of months.
  ///
  /// See `MonthlyTotals.forEachMonth`.
  func forEachCountedMonth(
    _ months: Range<Month>, today: Day?, _ body: (Month, MonthlyTotals.Figures) throws -> Void
  ) throws {
    guard !months.isEmpty, let excluded = try excludedRows() else {
      return try MonthlyTotals.forEachMonth(months, today: today, in: view, body)
    }
    var leftOut: [Month: [Currency: Sums]] = [:]
    let days = months.lowerBound.first..<months.upperBound.first
    for (day, sums) in excluded.totals(on: days.through(today)) {
      for (currency, sums) in sums {
        leftOut[day.monthOf, default: [:]][currency, default: Sums()] += sums
      }
    }
    try MonthlyTotals.forEachMonth(months, today: today, in: view) { month, figures in
      var sums = figures.sums
      if let excluded = leftOut[month]?[figures.currency] { sums += -excluded }
      if let rest = MonthlyTotals.Figures(sums, in: figures.currency) { try body(month, rest) }
    }
  }

  /// Returns figures of a range of days without what totals leave out.
  func counted(
    _ figures: [MonthlyTotals.Figures], on days: Range<Day>
  ) throws -> [MonthlyTotals.Figures] {
    guard let excluded = try excludedRows() else { return figures }
    var leftOut: [Currency: Sums] = [:]
    for sums in excluded.totals(on: days).values {
      for (currency, sums) in sums { leftOut[currency, default: Sums()] += sums }
    }
    return figures.compactMap { figures in
      var sums = figures.sums
      if let excluded = leftOut[figures.currency] { sums += -excluded }
      return MonthlyTotals.Figures(sums, in: figures.currency)
    }
  }

  /// Returns figures of categories on a range of days without what totals leave out.
  ///
  /// - Parameters:
  ///   - ignoringCategories: Whether excluded categories count, because one of them is queried.
  ///   - target: Returns the category in whose figures those of a category are included.
  func counted(
    _ figures: [CategoryTotals.Figures], on days: Range<Day>, ignoringCategories: Bool = false,
    target: (UInt32) -> UInt32?
  ) throws -> [CategoryTotals.Figures] {
    guard let excluded = try excludedRows() else { return figures }
    var leftOut: [CategoryTotals.Key: Sums] = [:]
    let found = excluded.categoryTotals(
      on: days, ignoringCategories: ignoringCategories, target: target)
    for sums in found.values {
      for (key, sums) in sums { leftOut[key, default: Sums()] += sums }
    }
    return figures.compactMap { figures in
      guard let sums = leftOut[figures.key] else { return figures }
      let rest = CategoryTotals.Figures(
        key: figures.key, moneyIn: figures.moneyIn - sums[0], moneyOut: figures.moneyOut - sums[1],
        count: figures.count - Int(clamping: sums[2]))
      return rest.count == 0 && rest.moneyIn == 0 && rest.moneyOut == 0 ? nil : rest
    }
  }

  /// Returns, by day, the figures of categories that totals leave out, with the sign reversed.
  func subtracted(
    on days: Range<Day>, settledIn base: Currency, ignoringCategories: Bool = false,
    where isWanted: (ExcludedRows.Row) -> Bool = { _ in true }
  ) throws -> [Day: [CategoryTotals.Figures]] {
    guard let excluded = try excludedRows() else { return [:] }
    return excluded.categoryTotals(
      on: days, settledIn: base, ignoringCategories: ignoringCategories, where: isWanted
    ).mapValues { sums in sums.map { CategoryTotals.Figures(subtracting: $1, of: $0) } }
  }

  /// Returns the figures of categories on a day that count, or those that totals leave out.
  ///
  /// - Parameters:
  ///   - costs: The stored amounts of the day whose cost in `base` is stated. They are replaced by
  ///     figures of their cost.
  ///   - isExcluded: Whether to return the figures that totals leave out.
  func categoryFigures(
    on day: Day, replacing costs: [CategoryTotals.Key: CategoryTotals.Settled]?, by base: Currency,
    isExcluded: Bool = false
  ) throws -> [CategoryTotals.Figures] {
    let leftOut =
      try excludedRows()?.categoryTotals(on: day..<day.adding(days: 1), settledIn: base)[day] ?? [:]
    if isExcluded { return leftOut.map { CategoryTotals.Figures($0.value, of: $0.key) } }
    var found: [CategoryTotals.Figures] = []
    try CategoryTotals.forEachCategory(on: day, replacing: costs, by: base, in: view) {
      found.append($0)
    }
    if leftOut.isEmpty { return found }
    var rest: [CategoryTotals.Key: Sums] = leftOut.mapValues { -$0 }
    for figures in found {
      rest[figures.key, default: Sums()] +=
        Sums(figures.moneyIn, figures.moneyOut, Int128(figures.count))
    }
    return rest.compactMap { $1.isZero ? nil : CategoryTotals.Figures($1, of: $0) }
  }

  /// Returns the number of transactions on a day that satisfy a predicate, without those that totals
  /// leave out.
  ///
  /// - Parameters:
  ///   - ignoringCategories: Whether excluded categories count, because one of them is queried.
  ///   - isCounted: The predicate; its second argument returns whether the parts in a category count.
  /// - Complexity: O(rows of the day).
  func countCountedRows(
    on day: Day, ignoringCategories: Bool = false,
    where isCounted: (Transaction, _ counts: (CategoryID) -> Bool) -> Bool
  ) throws -> Int {
    let excluded = try excludedRows()?.exclusions
    let categories = ignoringCategories ? [] : excluded?.categories ?? []
    return try countRows(on: day) { transaction in
      if let excluded, excluded.leavesOut(transaction) { return false }
      return isCounted(transaction) { !categories.contains($0.rawValue) }
    }
  }
}

extension Snapshot {
  /// Returns whether totals leave out no transaction, as a whole or in part.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(1) if nothing is excluded; otherwise, the first call of a ledger reads what is.
  public func countsEverything() throws -> Bool { try excludedRows() == nil }

  /// Returns whether totals leave out an account.
  func isExcluded(_ account: AccountID?) throws -> Bool {
    guard let account else { return false }
    return try chartOfAccounts().exclusions.accounts.contains(account.rawValue)
  }
}

extension Exclusions {
  /// Whether no account and no category is excluded.
  var isEmpty: Bool { accounts.isEmpty && categories.isEmpty }

  /// Returns whether a transaction is left out as a whole.
  func leavesOut(_ transaction: Transaction) -> Bool {
    transaction.isExcludedFromTotals || isElsewhere(transaction)
  }

  /// Returns whether a transaction has accounts, and all of them are excluded.
  func isElsewhere(_ transaction: Transaction) -> Bool {
    if accounts.isEmpty { return false }
    var hasAccount = false
    for posting in transaction.postings {
      guard let id = posting.accountID, !id.isBuiltin else { continue }
      if !accounts.contains(id.rawValue) { return false }
      hasAccount = true
    }
    return hasAccount
  }
}
