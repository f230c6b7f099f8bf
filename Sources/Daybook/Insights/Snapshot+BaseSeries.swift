import DaybookProjections

/// Series of months in the base currency.
extension Snapshot {
  /// Returns the figures of each month of the range in the base currency, including months without
  /// transactions.
  ///
  /// Each day is converted at its own rates.
  ///
  /// - Parameters:
  ///   - range: The months.
  ///   - base: The currency of the result; the ledger's base currency if `nil`.
  ///   - today: The last day that counts.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency, or for more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(days with rows + rows of the days that can't be converted) for the first call;
  ///   later, only months with changes are read again.
  public func baseMonths(_ range: Range<Month>, base: Currency? = nil, today: Day) throws
    -> [ConvertedMonth]
  {
    try Snapshot.check(range.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let base = try self.base(base)
    return try range.map { month in
      let key = FigureCache.Key(
        subject: .totals, days: month.days.through(today), base: base)
      let totals = try cache.figures.figure(
        key, in: self,
        noting: { view in
          try MonthlyTotals.noteReading(in: view)
          try CategoryTotals.noteReading(in: view)
          try CategoryTotals.noteReadingCosts(in: view)
        }
      ) { try baseTotals(in: month.days, base: base, today: today) }
      noteRows(ofIncomplete: [totals.income, totals.expense, totals.transfers])
      return ConvertedMonth(month: month, totals: totals)
    }
  }

  /// Returns the total of a category in each month of the range in the base currency, including
  /// empty months.
  ///
  /// This is ``trend(of:over:includingSubcategories:today:)`` with each day converted at its own
  /// rates.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such category or no base currency, or for more than
  ///   ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(days × categories below) for the first call; later, only months with changes are
  ///   read again.
  public func baseTrend(
    of category: CategoryID, over months: Range<Month>, includingSubcategories: Bool = true,
    base: Currency? = nil, today: Day
  ) throws -> [ConvertedCategoryMonth] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let base = try self.base(base)
    let tree = try chartOfAccounts().tree
    let members = try tree.members(category, withSubcategories: includingSubcategories)
    let found = tree.list[members[0]]
    let numbers = members.map { tree.numbers[$0] }
    let ids = Set(members.map { tree.list[$0].id })
    let none = ConvertedSum().converted(to: base)
    let isExcluded = try self.isExcluded(category)
    let subject = FigureCache.Key.Subject.category(
      category, includingSubcategories: includingSubcategories)
    return try months.map { month in
      let key = FigureCache.Key(
        subject: subject, days: month.days.through(today), base: base)
      let amount = try categoryFigure(key) {
        var summing = CategorySumming(
          kind: found.kind, tree: tree, grouping: .one(found, members: ids),
          base: base, ignoringExcludedCategories: isExcluded)
        let subtracted = try self.subtracted(
          on: key.days, settledIn: base, ignoringCategories: isExcluded)
        var last: Day?
        try CategoryTotals.forEachDay(
          of: numbers, in: month.days, today: today, settledIn: base, in: view
        ) { day, figures in
          if day != last {
            for excluded in subtracted[day] ?? [] { try summing.add(excluded, on: day, in: self) }
            last = day
          }
          try summing.add(figures, on: day, in: self)
        }
        return try summing.finish(in: self).first?.amount ?? none
      }
      noteRows(ofIncomplete: [amount])
      return ConvertedCategoryMonth(month: month, amount: amount)
    }
  }

  /// Returns the net worth in the base currency at the end of the last day of each month in the
  /// range.
  ///
  /// Each month's net worth is converted at the rates of its last day. The count of an unconverted
  /// part is its number of accounts.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency, or for more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(accounts × months).
  public func baseNetWorthSeries(
    over months: Range<Month>, base: Currency? = nil, includesLiabilities: Bool = true
  ) throws -> [DatedConverted] {
    var converter = Converter(to: try self.base(base))
    let accounts = try worthAccounts(includesLiabilities)
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let points = months.map(\.last)
    let series = try accounts.map {
      try Balances.series(of: try keyNumber($0), on: points, in: view)
    }
    // Go from the last day to the first, because a rate applies to the days after it.
    return try points.indices.reversed().map { index in
      let amount = try worth(
        series.lazy.map { $0[index] }, on: points[index], of: accounts, &converter)
      return DatedConverted(day: points[index], amount: amount)
    }.reversed()
  }
}
