package import Bookkeeping
package import Entities
package import Projecting
package import ProjectionSupport

/// Which transactions are asked for; all conditions that are given must hold.
package struct Selection {
  /// An account or category, and the number that stands for it in keys.
  package struct Key: Hashable, Sendable {
    /// Which one.
    package let id: EntityID
    /// Its number.
    package let number: UInt32

    /// A key of its parts.
    package init(id: EntityID, number: UInt32) {
      self.id = id
      self.number = number
    }
  }

  /// Those that touch any of these accounts; none where the list is empty.
  package private(set) var accounts: [Key]?
  /// Those that touch any of these categories; none where the list is empty.
  package private(set) var categories: [Key]?
  /// Those of a type.
  package private(set) var type: TransactionType?
  /// Those with a posting to an account or category in a currency.
  package private(set) var currency: Currency?
  /// Those of some days, half-open.
  package private(set) var days: Range<Day>?
  /// Those whose packed record passes a test, such as one for a text.
  package let matches: ((RawSpan) throws -> Bool)?
  /// Where an index knows: rows among which are all that pass the test, but for those of
  /// ``otherCategories``.
  package let candidates: (any CandidateRows)?
  /// Categories whose rows may pass the test too; some may be named that have none.
  package let otherCategories: [Key]
  /// Asked with every row that has to be looked at, so that a long search can be given up.
  package var isCancelled: (() -> Bool)?

  /// All transactions.
  package init() {
    accounts = nil
    categories = nil
    type = nil
    currency = nil
    days = nil
    matches = nil
    candidates = nil
    otherCategories = []
  }

  /// A selection by ids.
  ///
  /// - Parameter categories: the categories themselves; whoever asks for subcategories lists them.
  /// - Throws: ``ProjectionFault/Code/missingEntity`` where an account or a category does not exist.
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

  /// A selection by keys, for whoever knows the numbers.
  ///
  /// - Parameters:
  ///   - candidates: the rows that may pass the test, where an index knows.
  ///   - otherCategories: categories whose rows may pass it too.
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

  // By number, each once.
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

  /// The same of fewer days.
  package func limited(to days: Range<Day>) -> Selection {
    var selection = self
    selection.days = self.days.map { days.clamped(to: $0) } ?? days
    return selection
  }

  /// The same without a condition, of rows that are known to hold it.
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

  /// Whether there are conditions besides that of the days.
  var hasConditions: Bool {
    accounts != nil || categories != nil || type != nil || currency != nil || matches != nil
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

  /// The places of the selected days: from the first, inclusive, to the last, exclusive.
  func bounds(after key: RowKey?) -> Range<RowKey> {
    let whole = Day(rawValue: .min)..<Day(rawValue: .max)
    let days = self.days ?? whole
    let lower = RowKey.first(of: days.lowerBound)
    var upper = RowKey.first(of: days.upperBound)
    if let key { upper = min(upper, key) }
    return lower..<max(lower, upper)
  }

  /// The places of the selected days from a place on.
  func bounds(from key: RowKey) -> Range<RowKey> {
    let whole = bounds(after: nil)
    let lower = max(whole.lowerBound, key)
    return lower..<max(lower, whole.upperBound)
  }

  /// Gives up where ``isCancelled`` says so.
  ///
  /// - Throws: `CancellationError`.
  func checkCancellation() throws {
    if isCancelled?() ?? false { throw CancellationError() }
  }

  /// Whether a record passes every condition but that of the days.
  ///
  /// - Throws: `CancellationError` where ``isCancelled`` says so.
  package func accepts(_ record: RawSpan) throws -> Bool {
    try checkCancellation()
    let figures = try TransactionFigures(record)
    if let type, figures.type != type { return false }
    if accounts != nil || categories != nil || currency != nil, try !accepts(figures) {
      return false
    }
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
    // As in the lists: equity that is built in counts where there is nothing else.
    if isEquityAlone, hasInEquity { needsCurrency = false }
    return !needsAccount && !needsCategory && !needsCurrency
  }

  private func isIn(_ keys: [Key]?, _ id: EntityID) -> Bool {
    guard let keys else { return false }
    for key in keys where key.id == id { return true }
    return false
  }

  /// Adds what a selected row adds to its day's section: see ``DaySums``.
  func add(_ record: RawSpan, to sums: inout [Currency: Int128]) throws {
    let figures = try TransactionFigures(record)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      if let currency, cursor.currency != currency { continue }
      let isCategory = cursor.code.isCategory
      if accounts != nil {
        if isCategory || !isIn(accounts, cursor.id) { continue }
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

/// The transactions of one day under a selection.
package struct DaySums: Hashable, Sendable {
  /// The day.
  package let day: Day
  /// How many there are.
  package let count: Int
  /// What they come to, by currency in order of codes; currencies whose sum is 0 are left out.
  ///
  /// Under accounts it is what was posted to them; else, under categories, what was posted
  /// to them, positive for what was spent; else income less expense. Under a currency the other
  /// currencies are left out.
  package let sums: [Total]

  /// What selected transactions of one day come to.
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
