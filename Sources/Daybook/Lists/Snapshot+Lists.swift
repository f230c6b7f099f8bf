import ProjectionSupport
import Transactions

extension Snapshot {
  /// A page of transactions: newest day first, then newest recorded first.
  ///
  /// - Parameters:
  ///   - filter: Which transactions.
  ///   - key: The key of the last row of the page before, or `nil` for the first page. The row need
  ///     not exist any more.
  ///   - limit: How many, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: O(limit + log n), at any depth, for a filter with one condition besides days.
  ///   With several conditions the shortest list is gone through, and what the others do not
  ///   hold is left out. Of a text, a payee, tags, a status and amounts an index finds the rows that may
  ///   have them; those are read until the page is full.
  public func transactions(
    _ filter: TransactionFilter = .all, after key: TransactionPosition? = nil, limit: Int
  ) throws -> [Transaction] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    let row = key.map { RowKey($0) }
    return try Transactions.page(selection(filter), after: row, limit: limit, in: view)
  }

  /// The page of transactions right before a key: the newer ones next to it, in the order of every
  /// list.
  ///
  /// - Parameters:
  ///   - filter: Which transactions.
  ///   - key: The key of the first row of the page after, which need not exist any more.
  ///   - limit: How many, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: As for the page after a key.
  public func transactions(
    _ filter: TransactionFilter = .all, before key: TransactionPosition, limit: Int
  ) throws -> [Transaction] {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    return try Transactions.page(
      selection(filter), from: RowKey(key).successor, limit: limit, in: view)
  }

  /// The page of transactions that begins `offset` rows after the newest.
  ///
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: As by key, and O(years + months + days) for the offset.
  public func transactions(_ filter: TransactionFilter = .all, offset: Int, limit: Int) throws
    -> [Transaction]
  {
    try Snapshot.check(limit, LedgerLimits.pageRowCountMax, "The limit of a page")
    try Snapshot.check(offset, .max, "The offset of a page")
    return try Transactions.page(selection(filter), offset: offset, limit: limit, in: view)
  }

  /// How many transactions there are under the filter.
  ///
  /// - Throws: ``DaybookError`` also with the code `invalidQuery` where the filter names an account or a
  ///   category that is not there, or its text is too long.
  /// - Complexity: O(years + months + days at the ends of the range) for a filter with one condition
  ///   besides days, otherwise O(rows of the shortest list), and so for several accounts.
  public func count(_ filter: TransactionFilter = .all) throws -> Int {
    try Transactions.count(selection(filter), in: view)
  }

  /// How many transactions there are under the filter, without going through many: for a list that says how long
  /// it is.
  ///
  /// - Parameters:
  ///   - filter: Which transactions.
  ///   - most: Where rows would have to be read to be counted, no more than so many are: up to
  ///     ``LedgerLimits/pageRowCountMax`` - 1.
  /// - Returns: How many there are, and whether there are more than that.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`, as ``count(_:)``.
  /// - Complexity: O(years + months + days at the ends of the range) for a filter with one condition
  ///   besides days, otherwise that of a page of so many rows.
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

  /// The days that have transactions under the filter, newest first, each with its count and sums.
  ///
  /// - Parameters:
  ///   - filter: Which transactions.
  ///   - day: Only days before this one: the last day of the page before.
  ///   - limit: How many, from 0 to ``LedgerLimits/sectionCountMax``.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: O(limit + log n) under one account, a type, a currency or nothing; otherwise the
  ///   rows of the sections are read.
  public func sections(_ filter: TransactionFilter = .all, before day: Day? = nil, limit: Int)
    throws -> [DaySection]
  {
    try Snapshot.check(limit, LedgerLimits.sectionCountMax, "The limit of sections")
    let days = try Transactions.sections(selection(filter), after: day, limit: limit, in: view)
    return days.map { DaySection($0) }
  }

  /// A filter as the lists take it.
  func selection(_ filter: TransactionFilter) throws -> Selection {
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
    // All that touches an account has a posting in its currency.
    if areAllInCurrency { currency = nil }
    let wanted = try wantedRows(filter)
    return Selection(
      accounts: accounts.isEmpty ? nil : accounts, categories: try categories(of: filter),
      type: filter.type, currency: currency, days: filter.days, matches: wanted?.test,
      candidates: try wanted.flatMap { try candidates(for: $0) },
      otherCategories: try wanted?.otherCategories.map { try Selection.Key($0) } ?? [])
  }

  /// The categories whose rows a filter takes; `nil` for all rows.
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
  /// What stands for a category in the lists.
  fileprivate init(_ category: Category) throws(DaybookError) {
    self.init(id: category.id.rawValue, number: try keyNumber(category))
  }
}
