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
  ///   hold is left out. Of a text an index finds the rows that may hold it; those are read.
  public func transactions(
    _ filter: TransactionFilter = .all, after key: TransactionKey? = nil, limit: Int
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
    _ filter: TransactionFilter = .all, before key: TransactionKey, limit: Int
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
  /// - Complexity: O(years + months + days at the ends of the range) for a filter with one condition
  ///   besides days, otherwise O(rows of the shortest list).
  public func count(_ filter: TransactionFilter = .all) throws -> Int {
    try Transactions.count(selection(filter), in: view)
  }

  /// The days that have transactions under the filter, newest first, each with its count and sums.
  ///
  /// - Parameters:
  ///   - filter: Which transactions.
  ///   - day: Only days before this one: the last day of the page before.
  ///   - limit: How many, from 0 to ``LedgerLimits/sectionCountMax``.
  /// - Throws: ``DaybookError`` also with the code `invalidQuery`.
  /// - Complexity: O(limit + log n) under an account, a type, a currency or nothing; otherwise the
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
    var account: Selection.Key?
    if let id = filter.account, id.isBuiltin {
      account = Selection.Key(id: id.rawValue, number: UInt32(id.rawValue.low))
    } else if let id = filter.account {
      let found = try known(id)
      account = Selection.Key(id: id.rawValue, number: try keyNumber(found))
      // All that touches an account has a posting in its currency.
      if currency == found.currency { currency = nil }
    }
    var categories: [Selection.Key]?
    if let category = filter.category {
      let tree = try directory().tree
      categories = try tree.members(category, withSubcategories: filter.includesSubcategories)
        .map { Selection.Key(id: tree.list[$0].id.rawValue, number: tree.numbers[$0]) }
    }
    let text = try wantedText(filter.text)
    var others: [Selection.Key] = []
    if let text, !text.categories.isEmpty {
      others = try text.categories.map { try Selection.Key($0) }
    }
    return Selection(
      account: account, categories: categories, type: filter.type, currency: currency,
      days: filter.days, matches: text?.test,
      candidates: try text.flatMap { try candidates(for: $0.term) },
      otherCategories: others)
  }
}

extension Selection.Key {
  /// What stands for a category in the lists.
  fileprivate init(_ category: Category) throws(DaybookError) {
    self.init(id: category.id.rawValue, number: try keyNumber(category))
  }
}
