public import Daybook

/// The rows of a file and their state in the ledger, for reviewing an import before it is recorded.
///
/// ```swift
/// var plan = try await ImportPlan(file, mapping: mapping, for: ledger)
/// for index in plan.items.indices where plan.items[index].state == .new {
///   plan.items[index].choice = .take(category: ["Food"], payee: nil)
/// }
/// let summary = try await plan.record(in: ledger)
/// ```
public struct ImportPlan: Sendable {
  /// The state of a row in the ledger.
  public enum State: Hashable, Sendable {
    /// The row isn't in the ledger.
    case new
    /// The row is already recorded.
    case known
    /// A similar transaction exists, with the same amount on the same account within a few days.
    case likely(Transaction)
    /// The row can't be recorded; the value is the reason.
    case bad(String)

    fileprivate var isNew: Bool {
      switch self {
      case .new, .likely: true
      case .known, .bad: false
      }
    }
  }

  /// The decision about a row.
  public enum Choice: Hashable, Sendable {
    /// There is no decision yet. The row isn't recorded.
    case undecided
    /// Record the row, optionally with a different category (a path from the top) or payee.
    case take(category: CategoryPath?, payee: String?)
    /// Don't record the row.
    case skip
  }

  /// A category for a row whose file has none, and the reason for it.
  ///
  /// It is recorded only if it is chosen.
  public struct Suggestion: Hashable, Sendable {
    /// The category's path from the top.
    public let category: CategoryPath
    /// The reason: a rule, or the payee's transactions.
    public let reason: CategorySuggestion
  }

  /// A row of the plan.
  public struct Item: Sendable {
    /// The row, as read from the file.
    public let row: StatementRow
    /// The state of the row in the ledger.
    public let state: State
    /// The pending transaction or due date that the row matches, and settles when it is recorded.
    public let match: RowMatch?
    /// The suggested category of a row that can be recorded and has none in the file.
    public let suggestion: Suggestion?
    /// The decision about the row.
    public var choice: Choice = .undecided

    /// Whether the row can be recorded: it is new, or the ledger has only a similar transaction.
    public var isNew: Bool { state.isNew }

    /// Whether the row has a single category, which can be changed.
    public var hasCategory: Bool { row.hasCategory }
  }

  /// The maximum number of days between similar transactions.
  public static let likelyDayCount = 3

  /// The rows, in file order.
  public var items: [Item] = []
  private let settings: ImportSettings
  private let path: String?
  private let mapped: MappedFile
  private let resolver: NameResolver

  /// Reads a file and looks up its rows in the ledger, without recording anything.
  ///
  /// - Throws: The same errors as `CSVImporter.run`, except that rows refused by the ledger are in
  ///   the plan with state `bad`.
  /// - Complexity: O(*n* + *m*), where *n* is the number of rows and *m* is the number of the
  ///   ledger's transactions on the days that the file covers.
  public init(
    _ file: CSVFile, mapping: ImportMapping, settings: ImportSettings = ImportSettings(),
    for ledger: Ledger
  ) async throws {
    let mapped = try MappedFile(
      file, mapping: mapping, currencies: try ledger.definedCurrencies(),
      accountCurrencies: try ledger.read { try $0.accountCurrencies() })
    try await self.init(
      mapped, try ledger.read { try NameResolver($0) }, settings: settings, path: file.path,
      for: ledger)
  }

  init(
    _ mapped: MappedFile, _ resolver: NameResolver, settings: ImportSettings, path: String?,
    for ledger: Ledger
  ) async throws {
    self.settings = settings
    self.path = path
    self.mapped = mapped
    self.resolver = resolver
    var batch = ImportBatch(settings: settings, path: path)
    batch.settings.isDryRun = true
    batch.badLines = mapped.badLines
    batch.badLineCount = mapped.badLineCount
    batch.skipsRefused = true
    batch.hasMatches = true
    var resolver = resolver
    var owners: [Int] = []
    var drafts: [(place: Int, draft: Draft)] = []
    var states = [State](repeating: .new, count: mapped.rows.count)
    for (place, row) in mapped.rows.enumerated() {
      do {
        try row.addImportRows(to: &batch.rows, &resolver)
        if row.hasCategory, row.category.names.isEmpty, let added = batch.rows.last {
          drafts.append((place, added.draft))
        }
        owners += repeatElement(place, count: batch.rows.count - owners.count)
      } catch {
        states[place] = .bad(error.reason)
      }
    }
    batch.resolver = resolver
    let summary = try await batch.land(in: ledger, nil)
    for index in summary.duplicateIndices { states[owners[index]] = .known }
    for fault in summary.faults { states[owners[fault.index]] = .bad(fault.message.asSentence) }
    var matches: [Int: RowMatch] = [:]
    for match in summary.matches { matches[owners[match.index]] = match }
    var suggestions: [Int: Suggestion] = [:]
    try ledger.read { snapshot in
      try Self.findLikely(mapped.rows, &states, matches, in: snapshot)
      let open = drafts.filter { states[$0.place].isNew }
      for (row, reason) in zip(open, try snapshot.suggestions(for: open.map(\.draft))) {
        guard let reason, let path = try snapshot.path(of: reason.category) else { continue }
        suggestions[row.place] = Suggestion(category: path, reason: reason)
      }
    }
    items = mapped.rows.indices.map {
      Item(
        row: mapped.rows[$0], state: states[$0], match: matches[$0], suggestion: suggestions[$0])
    }
  }

  /// Records the rows with the choice `take`, as one commit.
  ///
  /// Later imports recognise a row by its contents in the file, regardless of the chosen category
  /// and payee.
  /// - Throws: The same errors as `CSVImporter.run`. In these cases, nothing was recorded.
  public func record(
    in ledger: Ledger, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    var batch = ImportBatch(settings: settings, path: path)
    batch.settings.skipsBadRows = true
    batch.hasMatches = true
    batch.badLines = mapped.badLines
    batch.badLineCount = mapped.badLineCount
    var resolver = resolver
    for item in items {
      switch (item.state, item.choice) {
      case (.known, _):
        // The ledger counts equal rows. If a file contains two of them, the batch must contain
        // both, even if one is already recorded.
        try item.row.addImportRows(to: &batch.rows, &resolver)
      case (.new, .take(let category, let payee)), (.likely, .take(let category, let payee)):
        let first = batch.rows.count
        try item.row.addImportRows(to: &batch.rows, &resolver)
        var amendment = Amendment(payee: payee)
        if let category, item.hasCategory {
          amendment.category = resolver.category(
            category, kind: item.row.isInflow ? .income : .expense)
        }
        if amendment != Amendment() {
          batch.rows[first].choice = amendment
        }
      default: continue
      }
    }
    batch.resolver = resolver
    var summary = try await batch.land(in: ledger, progress)
    summary.leftOut = mapped.skippedCount
    summary.statedBalanceMismatches = mapped.mismatches
    summary.impliedOpenings = mapped.impliedOpenings
    return summary
  }

  // MARK: Similar transactions

  private static func findLikely(
    _ rows: [StatementRow], _ states: inout [State], _ matches: [Int: RowMatch],
    in snapshot: borrowing Snapshot
  ) throws {
    let matched = Set(matches.values.compactMap { $0.transaction?.id })
    let days = rows.map(\.day)
    guard let first = days.min(), let last = days.max() else { return }
    for (name, places) in Dictionary(grouping: rows.indices, by: { rows[$0].account }) {
      guard let account = try snapshot.account(named: name) else { continue }
      let span =
        first.adding(days: -likelyDayCount)..<last.adding(days: likelyDayCount + 1)
      var there = try snapshot.allTransactions(TransactionFilter(account: account.id, days: span))
        .filter { !matched.contains($0.id) }
        .map { (transaction: $0, units: $0.units(of: account.id)) }
      // A transaction that is a recorded row of this file isn't a similar transaction for another
      // row.
      for place in places where states[place] == .known {
        let row = rows[place]
        let found = there.firstIndex {
          $0.transaction.day == row.day && $0.units == Int128(row.amount.minorUnits)
        }
        if let found { there.remove(at: found) }
      }
      for place in places where states[place] == .new && matches[place] == nil {
        let row = rows[place]
        let found = there.firstIndex {
          abs($0.transaction.day.distance(to: row.day)) <= likelyDayCount
            && $0.units == Int128(row.amount.minorUnits)
        }
        guard let found else { continue }
        states[place] = .likely(there.remove(at: found).transaction)
      }
    }
  }
}

extension StatementRow {
  /// Whether the row has a single category.
  fileprivate var hasCategory: Bool { target == nil && fee == nil && parts.isEmpty }
}

extension Transaction {
  /// Returns the change of an account's balance.
  func units(of account: AccountID) -> Int128 {
    postings.reduce(0) { sum, posting in
      posting.account == .account(account) ? sum + Int128(posting.amount.minorUnits) : sum
    }
  }
}
