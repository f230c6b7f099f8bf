internal import DaybookEngine
internal import DaybookEntities
internal import DaybookProjections

/// The transactions of which totals leave something out, as of one commit.
///
/// Stored totals contain everything, so that an exclusion can change without changing them. Queries
/// subtract what these transactions add to the totals. The transactions are read once, and then
/// updated with the changes of later commits.
final class ExcludedRows: Sendable {
  /// A part of a transaction in a category, or a posting to an account.
  struct Part: Hashable, Sendable {
    var kind: Line.Kind
    var number: UInt32
    var currency: Currency
    var units: Int64
    /// Whether the account or category is excluded.
    var isExcluded: Bool

    /// Whether this is a posting to an account that isn't built in.
    var isOnAccount: Bool { kind == .account && number > 3 }
  }

  /// A transaction.
  struct Row: Hashable, Sendable {
    var place: RowKey
    var type: TransactionType
    /// How much of it totals leave out; nothing of a transfer to or from an excluded account.
    var extent: Exclusions.Extent
    var parts: [Part]

    /// Whether there are accounts, and all of them are excluded, so that the net worth isn't affected.
    var isElsewhere: Bool {
      var hasAccount = false
      for part in parts where part.isOnAccount {
        if !part.isExcluded { return false }
        hasAccount = true
      }
      return hasAccount
    }
  }

  /// The excluded accounts and categories.
  let exclusions: Exclusions
  /// The numbers of the excluded categories.
  let categories: Set<UInt32>
  /// The rows in ascending order of their places.
  let rows: [Row]
  /// The places of the rows of which totals leave something out.
  let places: ExcludedPlaces

  /// The rows of a ledger in which nothing is excluded.
  static let nothing = ExcludedRows(Exclusions(accounts: [], categories: []), [], [])

  private init(_ exclusions: Exclusions, _ categories: Set<UInt32>, _ rows: [Row]) {
    self.exclusions = exclusions
    self.categories = categories
    self.rows = rows
    places = ExcludedPlaces(rows.filter { $0.extent != .nothing }.map(\.place))
  }

  /// Returns the rows on some days.
  func rows(on days: Range<Day>) -> ArraySlice<Row> {
    rows[firstIndex(from: days.lowerBound)..<firstIndex(from: days.upperBound)]
  }

  private func firstIndex(from day: Day) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].place.day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ExcludedRows {
  /// Reads the rows.
  ///
  /// - Complexity: O(transactions that are excluded or have an excluded account or category).
  convenience init(_ chart: ChartOfAccounts, in view: borrowing View) throws {
    let exclusions = chart.exclusions
    var reader = RowReader(chart)
    try Transactions.forEachExcluded(in: view) { place in
      let stored = try view.entity(
        .transaction, cluster: place.day.biased, number: place.number)
      if let record = stored?.record {
        let bytes = record.bytes
        try reader.read(bytes.span.bytes, place.number)
      }
    }
    // Each account separately, because its list may show a transaction on another day.
    for id in exclusions.accounts {
      let key = Selection.Key(id: id, number: try reader.number(ofAccount: id))
      try Transactions.forEach(
        Selection(accounts: [key], categories: nil), limit: .max, in: view
      ) { place, _, record in try reader.read(record, place.number) }
    }
    for id in exclusions.categories {
      let key = Selection.Key(id: id, number: try reader.number(ofCategory: id))
      try Transactions.forEach(
        Selection(accounts: nil, categories: [key]), limit: .max, in: view
      ) { place, _, record in try reader.read(record, place.number) }
    }
    self.init(
      exclusions, try Set(exclusions.categories.map { try reader.number(ofCategory: $0) }),
      reader.rows.values.sorted { $0.place < $1.place })
  }

  /// Returns the rows after the changes of some transactions.
  func updated(
    by changes: [ChangesSince.Entity], _ chart: ChartOfAccounts
  ) throws -> ExcludedRows {
    if changes.isEmpty { return self }
    let numbers = Set(changes.map(\.number))
    var reader = RowReader(chart)
    for change in changes {
      guard let record = change.after else { continue }
      let bytes = record.bytes
      try reader.read(bytes.span.bytes, change.number)
    }
    let kept = rows.filter { !numbers.contains($0.place.number) }
    if kept.count == rows.count, reader.rows.isEmpty { return self }
    return ExcludedRows(
      exclusions, categories, (kept + reader.rows.values).sorted { $0.place < $1.place })
  }
}

/// Reads packed transactions, each once.
private struct RowReader {
  private let chart: ChartOfAccounts
  /// The rows of which totals leave something out, or which have an excluded account.
  private(set) var rows: [UInt64: ExcludedRows.Row] = [:]

  init(_ chart: ChartOfAccounts) { self.chart = chart }

  mutating func read(_ record: RawSpan, _ number: UInt64) throws {
    if rows[number] != nil { return }
    let figures = try TransactionFigures(record)
    var parts: [ExcludedRows.Part] = []
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      parts.append(try part(cursor.code, cursor.id, cursor.currency, cursor.units))
    }
    let extent = try chart.exclusions.extent(of: record)
    if extent == .nothing, !parts.contains(where: \.isExcluded) { return }
    rows[number] = ExcludedRows.Row(
      place: RowKey(day: figures.day, number: number), type: figures.type, extent: extent,
      parts: parts)
  }

  private func part(
    _ code: PostingAccountCode, _ id: EntityID, _ currency: Currency, _ units: Int64
  ) throws -> ExcludedRows.Part {
    var part = ExcludedRows.Part(
      kind: .account, number: code.builtinNumber, currency: currency, units: units,
      isExcluded: false)
    if code.isCategory {
      let category = try chart.tree.known(CategoryID(id))
      part.kind = category.kind == .income ? .income : .expense
      part.number = try keyNumber(category)
      part.isExcluded = chart.exclusions.categories.contains(id)
    } else if code == .account {
      part.number = try number(ofAccount: id)
      part.isExcluded = chart.exclusions.accounts.contains(id)
    }
    return part
  }

  func number(ofAccount id: EntityID) throws -> UInt32 {
    if let account = chart.accountsByID[AccountID(id)] { return try keyNumber(account) }
    throw DaybookError(
      code: .damaged, message: "There is no account \(AccountID(id)).",
      remedy: "Run `daybook verify`.")
  }

  func number(ofCategory id: EntityID) throws -> UInt32 {
    try keyNumber(try chart.tree.known(CategoryID(id)))
  }
}
