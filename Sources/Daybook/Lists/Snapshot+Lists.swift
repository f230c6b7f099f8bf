import DaybookProjections

extension Snapshot {
  /// Returns a page of transactions, newest day first, and within a day newest recorded first.
  ///
  /// The list of a single account is ordered by the days that count on the account; see
  /// `Transaction.day(on:)` and ``TransactionFilter/day(of:)``.
  ///
  /// - Parameters:
  ///   - filter: The conditions for the transactions.
  ///   - key: The key of the previous page's last row, or `nil` for the first page. The row may
  ///     have been deleted.
  ///   - limit: The maximum number of rows, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   an argument is invalid.
  /// - Complexity: O(limit + log n), at any depth, for a filter with one condition other than days.
  ///   With several conditions, the list of the most selective condition is scanned, and its rows
  ///   that don't meet the other conditions are skipped. For a text, a payee, tags, a status or
  ///   amounts, an index finds candidate rows, which are read until the page is full.
  public func transactions(
    _ filter: TransactionFilter = .all, after key: TransactionPosition? = nil, limit: Int
  ) throws -> [Transaction] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    let selection = try selection(filter)
    let row = try key.map { try Transactions.place(RowKey($0), in: selection, view) }
    return try Transactions.page(selection, after: row, limit: limit, in: view)
  }

  /// Returns the page of transactions just before a key, which are the next newer ones, newest
  /// first.
  ///
  /// - Parameters:
  ///   - filter: The conditions for the transactions.
  ///   - key: The key of the next page's first row, which may have been deleted.
  ///   - limit: The maximum number of rows, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   an argument is invalid.
  /// - Complexity: The same as for the page after a key.
  public func transactions(
    _ filter: TransactionFilter = .all, before key: TransactionPosition, limit: Int
  ) throws -> [Transaction] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    let selection = try selection(filter)
    let row = try Transactions.place(RowKey(key), in: selection, view)
    return try Transactions.page(selection, from: row.successor, limit: limit, in: view)
  }

  /// Returns the page of transactions that begins `offset` rows after the newest one.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   an argument is invalid.
  /// - Complexity: The same as for the page after a key, plus O(years + months + days) for the
  ///   offset.
  public func transactions(_ filter: TransactionFilter = .all, offset: Int, limit: Int) throws
    -> [Transaction]
  {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    try Snapshot.check(offset, .max, "The offset of a page")
    return try Transactions.page(selection(filter), offset: offset, limit: limit, in: view)
  }

  /// Returns the number of transactions that match the filter.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the filter names an account or category that doesn't exist, or its text is too long.
  /// - Complexity: O(years + months + days at the ends of the range) for a filter with one
  ///   condition other than days; otherwise, and for several accounts, O(rows that meet the most
  ///   selective condition).
  public func count(_ filter: TransactionFilter = .all) throws -> Int {
    try Transactions.count(selection(filter), in: view)
  }

  /// Returns the number of transactions that match the filter, counted up to a maximum.
  ///
  /// Use it to show a list's length without counting many rows.
  ///
  /// - Parameters:
  ///   - filter: The conditions for the transactions.
  ///   - most: The maximum to count if counting requires reading rows: up to
  ///     ``LedgerLimits/pageRowCountMax`` - 1.
  /// - Returns: The counted number, and whether there are more.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   the same reasons as ``count(_:)``.
  /// - Complexity: O(years + months + days at the ends of the range) for a filter with one
  ///   condition other than days, otherwise the same as for a page of `most` rows.
  public func count(
    _ filter: TransactionFilter, upTo most: Int
  ) throws -> (count: Int, hasMore: Bool) {
    try Snapshot.check(most, LedgerLimits.pageRowCountMax - 1, "The most that are counted")
    let selection = try selection(filter)
    if try Transactions.isCounted(selection, in: view) {
      return (try Transactions.count(selection, in: view), false)
    }
    let found = try Transactions.page(selection, after: nil, limit: most + 1, in: view).count
    return (min(found, most), found > most)
  }

  /// Returns the days with transactions that match the filter, newest first, each with its count
  /// and sums.
  ///
  /// - Parameters:
  ///   - filter: The conditions for the transactions.
  ///   - day: The last day of the previous page, or `nil` for the first page; only earlier days are
  ///     returned.
  ///   - limit: The maximum number of days, from 0 to ``LedgerLimits/sectionCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   an argument is invalid.
  /// - Complexity: O(limit + log n) for a filter by one account, a type, a currency or nothing;
  ///   otherwise the rows of the sections are read.
  public func sections(_ filter: TransactionFilter = .all, before day: Day? = nil, limit: Int)
    throws -> [DaySection]
  {
    try Snapshot.check(limit, LedgerLimits.sectionCountMax, "The limit of sections")
    let days = try Transactions.sections(
      selection(filter, isSummed: true), after: day, limit: limit, in: view)
    return days.map { DaySection($0) }
  }

  /// Converts a filter to the selection that the list tables use.
  ///
  /// - Parameter isSummed: Whether the amounts are added up, without what totals leave out.
  func selection(_ filter: TransactionFilter, isSummed: Bool = false) throws -> Selection {
    var currency = filter.currency
    var accounts: [Selection.Key] = []
    var areAllInCurrency = !filter.accounts.isEmpty
    for id in filter.accounts {
      if id.isBuiltin {
        accounts.append(Selection.Key(id: id.rawValue, number: UInt32(id.rawValue.low)))
        areAllInCurrency = false
      } else {
        let found = try known(id)
        accounts.append(Selection.Key(id: id.rawValue, number: try keyNumber(found)))
        areAllInCurrency = areAllInCurrency && currency == found.currency
      }
    }
    // Every transaction of an account has a posting in its currency, so there is nothing to filter.
    if areAllInCurrency { currency = nil }
    let wanted = try wantedRows(filter)
    let selection = Selection(
      accounts: accounts.isEmpty ? nil : accounts, categories: try categories(of: filter),
      type: filter.type, currency: currency, days: filter.days, matches: wanted?.test,
      candidates: try wanted.flatMap { try candidates(for: $0) },
      otherCategories: try wanted?.otherCategories.map { try Selection.Key($0) } ?? [])
    // A list contains what totals leave out, unless its filter says otherwise.
    guard isSummed || filter.isExcluded != nil else { return selection }
    guard let excluded = try excludedRows() else {
      // Nothing is excluded, so everything counts.
      return filter.isExcluded == true
        ? selection.applying(
          Exclusions(accounts: [], categories: []), ExcludedPlaces([]), isExcluded: true)
        : selection
    }
    return selection.applying(
      excluded.exclusions, excluded.places, isExcluded: filter.isExcluded)
  }

  /// Returns the categories by which a filter selects parts of a split: the filter's categories
  /// and, if included, their subcategories.
  ///
  /// Returns an empty set if the filter has no category.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``.
  public func categoryMembers(of filter: TransactionFilter) throws -> Set<CategoryID> {
    Set(try categories(of: filter)?.map { CategoryID($0.id) } ?? [])
  }

  /// Returns the categories whose rows match a filter, or `nil` if the filter has no categories.
  private func categories(of filter: TransactionFilter) throws -> [Selection.Key]? {
    var wanted = filter.categories.map { (id: $0, deep: filter.includesSubcategories) }
    if filter.isUncategorized {
      wanted += [CategoryID.uncategorizedExpense, .uncategorizedIncome].map { ($0, false) }
    }
    if wanted.isEmpty { return nil }
    let tree = try chartOfAccounts().tree
    return try wanted.flatMap { category in
      try tree.members(category.id, withSubcategories: category.deep)
        .map { Selection.Key(id: tree.list[$0].id.rawValue, number: tree.numbers[$0]) }
    }
  }
}

extension Selection.Key {
  /// Creates the key of a category in the list tables.
  fileprivate init(_ category: Category) throws(DaybookError) {
    self.init(id: category.id.rawValue, number: try keyNumber(category))
  }
}
