import Entities

extension BookkeepingState {
  /// Imports the rows of a file that are not there yet.
  ///
  /// Of k rows with one fingerprint, when c are there, max(0, k − c) are recorded: the last ones.
  mutating func importRows(
    _ rows: [ImportRow], _ options: ImportOptions
  ) throws(Refusal) -> Outcome {
    guard rows.count <= Limits.importRowCountMax else {
      throw Refusal(
        .limit,
        "\(rows.count) rows are too many for one import; \(Limits.importRowCountMax) is the most: "
          + "split the file")
    }
    var report = ImportReport()
    var counts = KnownRows()
    if rows.count > 1_000 {
      expect(changeCount: rows.count)
      report.recorded.reserveCapacity(rows.count)
      if !options.keepsDuplicates { counts.remaining.reserveCapacity(rows.count) }
    }
    for (index, row) in rows.enumerated() {
      do throws(Refusal) {
        let id = try importRow(row, options, &counts)
        if let id { report.recorded.append(id) } else { report.duplicates.append(index) }
      } catch {
        guard error.code != .state else { throw error }
        var fault = RowFault(
          index: index, line: row.line, code: error.code, message: error.message)
        fault.missingRates = error.missingRates
        for place in fault.missingRates.indices { fault.missingRates[place].firstLine = row.line }
        report.skipped.append(fault)
      }
    }
    if !report.skipped.isEmpty, !options.skipsBadRows {
      throw Refusal(rows: report.skipped, of: rows.count)
    }
    return .imported(report)
  }

  /// Records a row, or returns `nil` where it is there already.
  private mutating func importRow(
    _ row: ImportRow, _ options: ImportOptions, _ counts: inout KnownRows
  ) throws(Refusal) -> TransactionID? {
    var draft = row.draft
    draft.importIdentity = ImportIdentity(reference: row.reference)
    if let id = draft.id, id != .new,
      try reading({ try record(.transaction, id.rawValue) }) != nil
    {
      return nil
    }
    var transaction: Transaction
    do throws(Refusal) {
      transaction = try self.transaction(of: draft)
    } catch {
      // A row whose account has been closed since may still be there already.
      guard error.code == .closed, !options.keepsDuplicates else { throw error }
      let old = try self.transaction(of: draft, existing: draft.shape.targets)
      if try isKnown(old, fingerprint(of: old), options, &counts) { return nil }
      throw error
    }
    // Where duplicates are kept, nothing is looked for.
    let print = options.keepsDuplicates ? nil : fingerprint(of: transaction)
    if let print, try isKnown(transaction, print, options, &counts) { return nil }
    try checkOpen(transaction.day, "import \(transaction.title)")
    let read = transaction
    transaction = try ruled(transaction)
    // The row is known by what the file says, whatever rules make of it.
    if transaction != read { try follow(read, &transaction) }
    try emit(.transaction, transaction.entityID, number: nil, nil, transaction.record())
    if let print, options.restoresDeleted, counts.deleted[print] ?? 0 > 0 {
      counts.deleted[print, default: 0] -= 1
      try count(print, deleted: -1)
    }
    return transaction.id
  }

  /// Whether a row is there already; then it is counted off.
  private mutating func isKnown(
    _ transaction: Transaction, _ print: EntityID, _ options: ImportOptions,
    _ counts: inout KnownRows
  ) throws(Refusal) -> Bool {
    try look(on: transaction.day, RowIdentity(transaction).account, &counts)
    if counts.remaining[print] == nil { try remember(print, options, &counts) }
    guard counts.remaining[print, default: 0] > 0 else { return false }
    counts.remaining[print, default: 0] -= 1
    return true
  }

  /// Counts the rows that are there on a day and account, once.
  private mutating func look(
    on day: Day, _ account: AccountID, _ counts: inout KnownRows
  ) throws(Refusal) {
    guard counts.seen.insert(KnownRows.Place(day: day, account: account)).inserted else { return }
    for transaction in try reading({ try transactions(on: day, account: account) })
    where transaction.importIdentity?.original == nil {
      guard RowIdentity(transaction).account == account else { continue }
      counts.present[fingerprint(of: transaction), default: 0] += 1
    }
  }

  /// How many rows of a fingerprint were there before this import.
  private mutating func remember(
    _ print: EntityID, _ options: ImportOptions, _ counts: inout KnownRows
  ) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(print)
    let gone = stored.map { Int(clamping: $0.entity.deleted) } ?? 0
    let changed = stored.map { Int(clamping: $0.entity.changed) } ?? 0
    if gone > 0 { counts.deleted[print] = gone }
    counts.remaining[print] =
      (counts.present[print] ?? 0) + changed + (options.restoresDeleted ? 0 : gone)
  }
}

/// What an import knows of the rows that were there before it.
private struct KnownRows {
  struct Place: Hashable {
    var day: Day
    var account: AccountID
  }

  /// Days and accounts that were looked at.
  var seen: Set<Place> = []
  /// How many rows have a fingerprint by their present values.
  var present: [EntityID: Int] = [:]
  /// How many rows of a fingerprint are there and not yet matched by a row of the file.
  var remaining: [EntityID: Int] = [:]
  /// How many rows of a fingerprint were deleted.
  var deleted: [EntityID: Int] = [:]
}

extension Draft.Shape {
  /// Every account and category it names, as postings of nothing.
  fileprivate var targets: [Posting] {
    let nothing = Money(0, Currency(packed: 0))
    let accounts: [AccountID?]
    var categories: [CategoryID?] = []
    switch self {
    case .entry(let entry): (accounts, categories) = ([entry.account], [entry.category])
    case .transfer(let transfer): accounts = [transfer.source, transfer.target]
    case .split(let split): (accounts, categories) = ([split.account], split.parts.map(\.category))
    case .postings(let postings): return postings
    }
    return accounts.compactMap { $0.map { Posting(.account($0), nothing) } }
      + categories.compactMap { $0.map { Posting(.category($0), nothing) } }
  }
}

extension Refusal {
  /// The refusal of a whole file for its bad rows.
  fileprivate init(rows faults: [RowFault], of count: Int) {
    let named = faults.prefix(Limits.faultCountMax)
    let lines = named.prefix(20).map { fault in
      (fault.line > 0 ? "line \(fault.line): " : "row \(fault.index + 1): ") + fault.message
    }
    let more = faults.count > lines.count ? "\n… and \(faults.count - lines.count) more" : ""
    self.init(
      .rows,
      "\(faults.count) of \(count) rows can't be imported, so none was; correct them, or ask to skip "
        + "bad rows:\n" + lines.joined(separator: "\n") + more)
    self.rows = Array(named)
    missingRates = faults.lazy.flatMap(\.missingRates).gathered
  }
}
