package import DaybookBookkeeping
package import DaybookEngine
package import DaybookEntities

/// A selection of transactions, which must meet all given conditions.
package struct Selection {
  /// An account or category with its number in keys.
  package struct Key: Hashable, Sendable {
    /// The id of the account or category.
    package let id: EntityID
    /// The recording number of the account or category.
    package let number: UInt32

    /// Creates a key.
    package init(id: EntityID, number: UInt32) {
      self.id = id
      self.number = number
    }
  }

  /// Selects transactions with postings to any of these accounts; if the list is empty, selects
  /// none.
  package private(set) var accounts: [Key]?
  /// Selects transactions with postings to any of these categories; if the list is empty, selects
  /// none.
  package private(set) var categories: [Key]?
  /// Selects transactions of this type.
  package private(set) var type: TransactionType?
  /// Selects transactions with a posting to an account or category in this currency.
  package private(set) var currency: Currency?
  /// Selects transactions on these days, a half-open range.
  package private(set) var days: Range<Day>?
  /// Selects transactions whose packed record passes a test, such as a text search.
  package let matches: ((RawSpan) throws -> Bool)?
  /// The rows that may pass the test, or `nil` if there is no index.
  ///
  /// They include all rows that pass the test, except rows of ``otherCategories``.
  package private(set) var candidates: (any CandidateRows)?
  /// The categories whose rows may pass the test without being candidates.
  ///
  /// Some of these categories may have no such rows.
  package let otherCategories: [Key]
  /// Called for every row that is read, so that a long search can be cancelled.
  package var isCancelled: (() -> Bool)?
  /// The accounts and categories that sums leave out; `nil` if everything counts.
  package private(set) var exclusions: Exclusions?
  /// Selects transactions of which totals leave something out (`true`) or count something (`false`).
  ///
  /// Sums add up what is left out if it is `true`, and otherwise what counts.
  package private(set) var isExcluded: Bool?
  /// The categories whose parts ``isExcluded`` refers to; `nil` for all.
  private var partCategories: [Key]?
  /// The rows of which totals leave something out.
  private var excludedPlaces: ExcludedPlaces?

  /// Creates a selection of all transactions.
  package init() {
    accounts = nil
    categories = nil
    type = nil
    currency = nil
    days = nil
    matches = nil
    otherCategories = []
  }

  /// Creates a selection by ids.
  ///
  /// - Parameter categories: The categories; subcategories are included only if they are listed.
  /// - Throws: ``ProjectionFault/Code/missingEntity`` if an account or a category doesn't exist.
  package init(
    accounts: [AccountID]? = nil, categories: [CategoryID]? = nil, type: TransactionType? = nil,
    currency: Currency? = nil, days: Range<Day>? = nil, in view: borrowing View,
    matches: ((RawSpan) throws -> Bool)? = nil
  ) throws {
    var ofAccounts: [Key]?
    if let accounts { ofAccounts = try Selection.keys(accounts.map(\.rawValue), .account, view) }
    var ofCategories: [Key]?
    if let categories {
      ofCategories = try Selection.keys(categories.map(\.rawValue), .category, view)
    }
    self.init(
      accounts: ofAccounts, categories: ofCategories, type: type, currency: currency, days: days,
      matches: matches)
  }

  /// Creates a selection by keys, for callers that already have the recording numbers.
  ///
  /// - Parameters:
  ///   - candidates: The rows that may pass the test, if an index is available.
  ///   - otherCategories: The categories whose rows may pass the test without being candidates.
  package init(
    accounts: [Key]?, categories: [Key]?, type: TransactionType? = nil, currency: Currency? = nil,
    days: Range<Day>? = nil, matches: ((RawSpan) throws -> Bool)? = nil,
    candidates: (any CandidateRows)? = nil, otherCategories: [Key] = []
  ) {
    self.accounts = accounts.map(Selection.ordered)
    self.categories = categories.map(Selection.ordered)
    self.otherCategories = Selection.ordered(otherCategories)
    self.candidates = candidates
    self.type = type
    self.currency = currency
    self.days = days
    self.matches = matches
  }

  /// Returns the selection with exclusions, which sums leave out.
  ///
  /// - Parameters:
  ///   - places: The rows of which totals leave something out.
  ///   - isExcluded: The condition; see ``isExcluded``.
  package func applying(
    _ exclusions: Exclusions, _ places: ExcludedPlaces, isExcluded: Bool?
  ) -> Selection {
    var selection = self
    selection.exclusions = exclusions
    selection.isExcluded = isExcluded
    selection.excludedPlaces = places
    selection.partCategories = categories
    if isExcluded == true, candidates == nil { selection.candidates = places }
    return selection
  }

  /// The selection of what the sums of this one leave out; `nil` if there are no exclusions, or if
  /// the selection has a condition on them.
  package var leftOut: Selection? {
    guard isExcluded == nil, let exclusions, let excludedPlaces else { return nil }
    return applying(exclusions, excludedPlaces, isExcluded: true)
  }

  /// The selection with sums of everything.
  var withoutExclusions: Selection {
    var selection = self
    selection.exclusions = nil
    selection.isExcluded = nil
    return selection
  }

  /// Returns which amounts of a transaction are summed.
  func summed(of record: RawSpan) throws -> SummedAmounts {
    try SummedAmounts(of: record, exclusions, isExcluded: isExcluded ?? false)
  }

  /// Returns whether a transaction meets the condition on exclusions.
  package func acceptsExclusion(of record: RawSpan) throws -> Bool {
    guard let isExcluded, let exclusions else { return true }
    let extent = try exclusions.extent(of: record) {
      partCategories == nil || isIn(partCategories, $0)
    }
    switch extent {
    case .nothing: return !isExcluded
    case .part: return true
    case .allParts, .whole: return isExcluded
    }
  }

  // Returns the keys ordered by number, without repeats.
  private static func ordered(_ keys: [Key]) -> [Key] {
    let isOrdered = keys.indices.dropFirst().allSatisfy { keys[$0 - 1].number < keys[$0].number }
    if isOrdered { return keys }
    var ordered: [Key] = []
    ordered.reserveCapacity(keys.count)
    for key in keys.sorted(by: { $0.number < $1.number }) where key != ordered.last {
      ordered.append(key)
    }
    return ordered
  }

  private static func keys(
    _ ids: [EntityID], _ kind: EntityKind, _ view: borrowing View
  ) throws -> [Key] {
    var keys: [Key] = []
    for id in ids { keys.append(try key(id, kind, view)) }
    return keys
  }

  /// Returns the selection limited to a range of days.
  package func limited(to days: Range<Day>) -> Selection {
    var selection = self
    selection.days = self.days.map { days.clamped(to: $0) } ?? days
    return selection
  }

  /// Returns the selection without a condition, for rows that are known to meet it.
  func without(_ condition: AccessPath.Condition) -> Selection {
    var selection = self
    switch condition {
    case .accounts: selection.accounts = nil
    case .categories: selection.categories = nil
    case .type: selection.type = nil
    case .currency: selection.currency = nil
    case .typeAndCurrency: (selection.type, selection.currency) = (nil, nil)
    }
    return selection
  }

  /// Whether there are conditions other than the days.
  var hasConditions: Bool {
    accounts != nil || categories != nil || type != nil || currency != nil || matches != nil
      || isExcluded != nil
  }

  private static func key(
    _ id: EntityID, _ kind: EntityKind, _ view: borrowing View
  ) throws -> Key {
    if id.high == 0, let builtin = UInt32(exactly: id.low), (1...5).contains(builtin) {
      return Key(id: id, number: builtin)
    }
    guard let position = try view.position(of: id, kind: kind) else {
      throw ProjectionFault.missing(id, in: Transactions.name)
    }
    return Key(id: id, number: try keyNumber(position.number, in: Transactions.name))
  }

  // MARK: Rows

  /// Returns the bounds of the places on the selected days that come after `key` in the list.
  func bounds(after key: RowKey?) -> Range<RowKey> {
    let whole = Day(rawValue: .min)..<Day(rawValue: .max)
    let days = self.days ?? whole
    let lower = RowKey.first(of: days.lowerBound)
    var upper = RowKey.first(of: days.upperBound)
    if let key { upper = min(upper, key) }
    return lower..<max(lower, upper)
  }

  /// Returns the bounds of the places on the selected days, starting at the place `key`.
  func bounds(from key: RowKey) -> Range<RowKey> {
    let whole = bounds(after: nil)
    let lower = max(whole.lowerBound, key)
    return lower..<max(lower, whole.upperBound)
  }

  /// Throws if ``isCancelled`` returns `true`.
  ///
  /// - Throws: `CancellationError`.
  func checkCancellation() throws {
    if isCancelled?() ?? false { throw CancellationError() }
  }

  /// Returns whether a record meets every condition other than the days.
  ///
  /// - Throws: `CancellationError` if ``isCancelled`` returns `true`.
  package func accepts(_ record: RawSpan) throws -> Bool {
    try checkCancellation()
    let figures = try TransactionFigures(record)
    if let type, figures.type != type { return false }
    if accounts != nil || categories != nil || currency != nil, try !accepts(figures) {
      return false
    }
    if isExcluded != nil, try !acceptsExclusion(of: record) { return false }
    guard let matches else { return true }
    return try matches(record)
  }

  private func accepts(_ figures: borrowing TransactionFigures) throws -> Bool {
    var needsAccount = accounts != nil
    var needsCategory = categories != nil
    var needsCurrency = currency != nil
    var isEquityAlone = true
    var hasInEquity = false
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      if needsAccount, !code.isCategory, isIn(accounts, cursor.id) { needsAccount = false }
      if needsCategory, code.isCategory, isIn(categories, cursor.id) { needsCategory = false }
      let isEquity = code == .opening || code == .exchange || code == .outside
      isEquityAlone = isEquityAlone && isEquity
      if needsCurrency, cursor.currency == currency {
        if isEquity { hasInEquity = true } else { needsCurrency = false }
      }
    }
    // Built-in equity accounts count only if there are no other accounts, as in the lists.
    if isEquityAlone, hasInEquity { needsCurrency = false }
    return !needsAccount && !needsCategory && !needsCurrency
  }

  func isIn(_ keys: [Key]?, _ id: EntityID) -> Bool {
    guard let keys else { return false }
    for key in keys where key.id == id { return true }
    return false
  }

  /// Adds a row's contribution to the sums of its day; see ``DaySums``.
  func add(_ record: RawSpan, to sums: inout [Currency: Int128]) throws {
    let figures = try TransactionFigures(record)
    let summed = try self.summed(of: record)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      if let currency, cursor.currency != currency { continue }
      let isCategory = cursor.code.isCategory
      if isCategory, !summed.includesPart(in: cursor.id) { continue }
      if accounts != nil {
        if isCategory || !isIn(accounts, cursor.id) || !summed.includesAccounts { continue }
        sums[cursor.currency, default: 0] += Int128(cursor.units)
      } else if categories != nil {
        guard isCategory, isIn(categories, cursor.id) else { continue }
        sums[cursor.currency, default: 0] += Int128(cursor.units)
      } else if isCategory {
        sums[cursor.currency, default: 0] -= Int128(cursor.units)
      }
    }
  }
}

/// The count and sums of the selected transactions on one day.
package struct DaySums: Hashable, Sendable {
  /// The day.
  package let day: Day
  /// The number of transactions.
  package let count: Int
  /// The sums by currency, ordered by currency code, without sums of 0.
  ///
  /// With a condition on accounts, they are the sums of the postings to these accounts. With a
  /// condition on categories but none on accounts, they are the sums of the postings to these
  /// categories, positive for spending. Without such a condition, they are income minus expense.
  /// With a condition on the currency, sums in other currencies are left out.
  package let sums: [Total]

  /// Sums the selected transactions of one day.
  package init(of transactions: some Sequence<Transaction>, on day: Day, _ selection: Selection)
    throws
  {
    var count = 0
    var sums: [Currency: Int128] = [:]
    for transaction in transactions {
      count += 1
      let record = transaction.record().bytes
      try selection.add(record.span.bytes, to: &sums)
    }
    self.init(day: day, count: count, sums: sums)
  }

  init(day: Day, count: Int, sums: [Currency: Int128]) {
    self.day = day
    self.count = count
    self.sums = sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { Total(units: $0.value, currency: $0.key) }
  }
}
