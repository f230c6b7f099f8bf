import DaybookEntities

extension BookkeepingState {
  /// Imports the rows of a file that are not already recorded.
  ///
  /// The k-th row with a given fingerprint is recognised by the id derived from the fingerprint and
  /// k, or else by an existing row with the same fingerprint but another kind of id. In each
  /// ``ImportRow/statement``, k starts again at 0.
  mutating func importRows(
    _ rows: [ImportRow], _ options: ImportOptions
  ) throws(Refusal) -> Outcome {
    guard rows.count <= Limits.importRowCountMax else {
      throw Refusal(
        .limit,
        "can't import \(rows.count) transactions at once: the limit is "
          + "\(Limits.importRowCountMax); split the file"
      )
    }
    for id in options.removed { try remove(try required(id), leavesMark: false) }
    var report = ImportReport()
    var counts = KnownRows()
    if rows.count > 1_000 {
      expect(changeCount: rows.count)
      report.recorded.reserveCapacity(rows.count)
      if !options.keepsDuplicates { counts.remaining.reserveCapacity(rows.count) }
    }
    for (index, row) in rows.enumerated() {
      // The rows of another statement are compared as if they were imported separately.
      if index > 0, row.statement != rows[index - 1].statement { counts = KnownRows() }
      do throws(Refusal) {
        switch try importRow(row, options, &counts) {
        case .recorded(let id): report.recorded.append(id)
        case .settled: report.settled.append(index)
        case .joined(let id):
          report.recorded.append(id)
          report.joined.append(JoinedRow(index: index, transaction: id))
        case .duplicate: report.duplicates.append(index)
        }
      } catch {
        guard error.code != .state else { throw error }
        var fault = RowFault(
          index: index, line: row.line, code: error.code, message: error.message)
        fault.missingRates = error.missingRates
        for place in fault.missingRates.indices { fault.missingRates[place].firstLine = row.line }
        report.skipped.append(fault)
      }
    }
    if !report.skipped.isEmpty, !options.skipsBadRows || !options.removed.isEmpty {
      throw Refusal(rows: report.skipped, of: rows.count)
    }
    return .imported(report)
  }

  /// Records a row unless it is already recorded.
  private mutating func importRow(
    _ row: ImportRow, _ options: ImportOptions, _ counts: inout KnownRows
  ) throws(Refusal) -> ImportedRow {
    if row.match == .booked { return .duplicate }
    var draft = row.draft
    draft.importIdentity = ImportIdentity(reference: row.reference)
    if let id = draft.id, id != .unassigned,
      try reading({ try record(.transaction, id.rawValue) }) != nil
    {
      return .duplicate
    }
    var transaction: Transaction
    do throws(Refusal) {
      transaction = try self.transaction(of: draft)
    } catch {
      // If the row's account has been closed since, the row may already be recorded.
      guard error.code == .closed, !options.keepsDuplicates else { throw error }
      let old = try self.transaction(of: draft, existing: draft.shape.named)
      let hasID = draft.id.map { $0 != .unassigned } ?? false
      var mark = mark(of: old, &counts, hasID: hasID)
      if try isKnown(&mark, options, &counts) { return .duplicate }
      throw error
    }
    // If duplicates are kept, rows aren't matched. The mark is needed only for the id derived from
    // a reference.
    let isReferenced = transaction.importIdentity?.isReferenced == true
    var mark: KnownRows.Mark?
    if isReferenced || !options.keepsDuplicates {
      let hasID = draft.id.map { $0 != .unassigned } ?? false
      var found = self.mark(of: transaction, &counts, hasID: hasID)
      if !options.keepsDuplicates {
        let isKnown = try isKnown(&found, options, &counts)
        if let match = row.match, try settle(match, by: transaction, found, isKnown: isKnown) {
          return .settled
        }
        if isKnown { return .duplicate }
      }
      mark = found
    }
    try checkOpen(transaction.earliestDay, "import \(transaction.title)")
    if let id = mark?.id, try reading({ try record(.transaction, id) }) == nil {
      transaction.id = TransactionID(id)
    } else if let mark, mark.takesKey, let key = mark.key {
      transaction.id = key
    }
    let read = transaction
    transaction = try ruled(transaction)
    var otherID: EntityID?
    if case .occurrence(let link)? = row.match, !options.keepsDuplicates {
      otherID = try take(link, for: &transaction)
    }
    // The row is identified by the values in the file, not by values that a rule set.
    if transaction != read { try follow(read, &transaction) }
    try emit(.transaction, transaction.entityID, number: nil, nil, transaction.record())
    if let mark, options.restoresDeleted, !options.keepsDuplicates { try restored(mark, &counts) }
    if let otherID { try self.mark(otherID, as: transaction.id) }
    if let choice = row.choice { _ = try amend(transaction.id, choice) }
    if counts.makesTransfers == nil { counts.makesTransfers = try rulesMakeTransfers() }
    if counts.makesTransfers == true, row.choice == nil, !options.keepsDuplicates,
      try joinHalves(of: transaction.id)
    {
      return .joined(transaction.id)
    }
    return .recorded(transaction.id)
  }

  /// Returns the mark that identifies a row.
  ///
  /// If the row has an id already, its reference isn't used to recognise it.
  private func mark(
    of transaction: Transaction, _ counts: inout KnownRows, hasID: Bool
  ) -> KnownRows.Mark {
    let place = KnownRows.Place(
      day: transaction.day, account: RowIdentity(transaction).account)
    var mark = KnownRows.Mark(
      text: KnownRows.Text(print: fingerprint(of: transaction)), place: place, takesKey: !hasID)
    mark.books = transaction.importIdentity?.books ?? ""
    guard !hasID, let identity = transaction.importIdentity, identity.isReferenced else {
      return mark
    }
    let first = referencedID(of: transaction, identity.reference, ordinal: 0)
    let ordinal = counts.ordinals[first, default: 0]
    counts.ordinals[first] = ordinal + 1
    mark.text.format = String(identity.format)
    mark.takesKey = false
    mark.id =
      ordinal == 0
      ? first : referencedID(of: transaction, identity.reference, ordinal: ordinal)
    return mark
  }

  /// Whether a row is already recorded.
  ///
  /// Each match uses up one of the existing rows.
  ///
  /// A row with a reference is recognised by the id derived from that reference. Any other row is
  /// recognised by its text: by the id derived from the text, or by matching a row that was
  /// imported without a reference or with a reference of another format.
  private mutating func isKnown(
    _ mark: inout KnownRows.Mark, _ options: ImportOptions, _ counts: inout KnownRows
  ) throws(Refusal) -> Bool {
    if let id = mark.id {
      mark.known = id
      if try reading({ try record(.transaction, id) }) != nil { return true }
      let gone: Stored<Fingerprint>? = try stored(id)
      if let gone {
        let isKnown = options.restoresDeleted ? try isRecorded(gone.entity) : true
        if isKnown { return true }
      }
      mark.known = nil
    }
    var ordinal = counts.ordinals[mark.text.print, default: 0]
    var isFound: Bool?
    repeat {
      let key = TransactionID(
        ofFile: mark.text.print, on: mark.place.day, account: mark.place.account, ordinal: ordinal)
      isFound = try isKnown(by: key, &mark, options)
      ordinal += 1
    } while isFound == nil
    counts.ordinals[mark.text.print] = ordinal
    if isFound == true { return true }
    try look(at: mark.place, &counts)
    let remaining: Int
    if let known = counts.remaining[mark.text] {
      remaining = known
    } else {
      remaining = try remember(mark, options, &counts)
    }
    counts.remaining[mark.text] = max(0, remaining - 1)
    return remaining > 0
  }

  /// Returns whether the id derived from a row's text belongs, or belonged, to an imported row.
  ///
  /// If `false`, the row may take the id; `nil` if the id belongs to another transaction from the
  /// same books.
  private mutating func isKnown(
    by key: TransactionID, _ mark: inout KnownRows.Mark, _ options: ImportOptions
  ) throws(Refusal) -> Bool? {
    if let (present, _) = try reading({ try record(.transaction, key.rawValue) }) {
      if !mark.books.isEmpty {
        let stored: Stored<Transaction>? = try stored(key.rawValue)
        let reference = stored?.entity.importIdentity?.reference ?? ""
        if reference.hasPrefix(mark.books) { return nil }
      }
      mark.known = key.rawValue
      // A transaction whose text was erased no longer has the import mark and isn't recognised.
      return present[Tag.Transaction.importMark] != nil
    }
    let gone: Stored<Fingerprint>? = try stored(key.rawValue)
    mark.isDeleted = gone != nil
    if let gone {
      let isKnown = options.restoresDeleted ? try isRecorded(gone.entity) : true
      if isKnown {
        mark.known = key.rawValue
        return true
      }
    }
    mark.key = key
    return false
  }

  /// Counts the existing transactions of a day and account, except for transactions recognised by
  /// their ids; does nothing if they have been counted already.
  private mutating func look(
    at place: KnownRows.Place, _ counts: inout KnownRows
  ) throws(Refusal) {
    guard counts.seen.insert(place).inserted else { return }
    for transaction in try reading({ try transactions(on: place.day, account: place.account) })
    where transaction.importIdentity?.original == nil && !transaction.isOfFile {
      guard RowIdentity(transaction).account == place.account else { continue }
      let print = fingerprint(of: transaction)
      if let identity = transaction.importIdentity, identity.isReferenced {
        counts.referenced[print, default: [:]][String(identity.format), default: 0] += 1
      } else {
        counts.present[print, default: 0] += 1
      }
    }
  }

  /// The number of rows recorded before this import that a row can match.
  private mutating func remember(
    _ mark: KnownRows.Mark, _ options: ImportOptions, _ counts: inout KnownRows
  ) throws(Refusal) -> Int {
    let stored: Stored<Fingerprint>? = try stored(mark.text.print)
    let known = stored?.entity ?? Fingerprint(id: mark.text.print)
    let gone = Int(clamping: known.deleted)
    if gone > 0 { counts.deleted[mark.text.print] = gone }
    var remaining = (counts.present[mark.text.print] ?? 0) + Int(clamping: known.changed)
    if !options.restoresDeleted { remaining += gone }
    for (format, count) in counts.referenced[mark.text.print] ?? [:]
    where format != mark.text.format {
      remaining += count
    }
    // The reference format of changed or deleted rows isn't stored.
    if mark.id == nil {
      remaining += Int(clamping: known.changedReferenced)
      if !options.restoresDeleted { remaining += Int(clamping: known.deletedReferenced) }
    }
    return remaining
  }

  /// Removes a restored row from the count of deleted rows.
  private mutating func restored(
    _ mark: KnownRows.Mark, _ counts: inout KnownRows
  ) throws(Refusal) {
    if let id = mark.id {
      guard try isMarked(id) else { return }
      try unmark(id)
      let text: Stored<Fingerprint>? = try stored(mark.text.print)
      guard let text, text.entity.deletedReferenced > 0 else { return }
      try count(mark.text.print, of: ImportIdentity(reference: "?"), deleted: -1)
    } else if mark.isDeleted, let key = mark.key {
      try unmark(key.rawValue)
    } else if counts.deleted[mark.text.print] ?? 0 > 0 {
      counts.deleted[mark.text.print, default: 0] -= 1
      try count(mark.text.print, deleted: -1)
    }
  }
}

extension Draft.Shape {
  /// All accounts and categories of the shape, as postings of zero.
  fileprivate var named: [Posting] {
    let nothing = Money(0, Currency(packed: 0))
    let accounts: [AccountID?]
    var categories: [CategoryID?] = []
    switch self {
    case .entry(let entry): (accounts, categories) = ([entry.account], [entry.category])
    case .transfer(let transfer): accounts = [transfer.source, transfer.target]
    case .split(let split):
      (accounts, categories) = (
        [split.account] + split.parts.map(\.account), split.parts.map(\.category)
      )
    case .postings(let postings): return postings
    }
    return accounts.compactMap { $0.map { Posting(.account($0), nothing) } }
      + categories.compactMap { $0.map { Posting(.category($0), nothing) } }
  }
}

extension Refusal {
  /// Refuses a whole file because of its bad rows.
  fileprivate init(rows faults: [RowFault], of count: Int) {
    let named = faults.prefix(Limits.faultCountMax)
    let lines = named.prefix(20).map { fault in
      (fault.line > 0 ? "line \(fault.line): " : "row \(fault.index + 1): ") + fault.message
    }
    let more = faults.count > lines.count ? "\n… and \(faults.count - lines.count) more" : ""
    self.init(
      .rows,
      "\(faults.count) of \(count) rows can't be imported, so none was; correct them, or skip bad "
        + "rows:\n"
        + lines.joined(separator: "\n") + more)
    self.rows = Array(named)
    missingRates = faults.lazy.flatMap(\.missingRates).gathered
  }
}
