internal import DaybookEngine
import DaybookProjections

extension Snapshot {
  /// Returns the sums of each tag's transactions, month by month, up to and including `today`.
  ///
  /// A transaction with several tags counts for each of them. Amounts that are excluded from totals
  /// don't count. Tags without transactions in these
  /// months are left out; the others are sorted by number of transactions, then by name. Tags are
  /// compared exactly, as in ``tags(today:)``.
  ///
  /// - Parameters:
  ///   - months: The months.
  ///   - base: The currency of the converted sums; the ledger's base currency if `nil`.
  ///   - today: The last day to include.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   more than ``LedgerLimits/seriesPointCountMax`` months. `CancellationError` if the task is
  ///   cancelled.
  /// - Complexity: O(rows of the months).
  public func tagMonths(
    _ months: Range<Month>, base: Currency? = nil, today: Day
  ) throws -> [NamedMonths] {
    try namedMonths(months, base: base, today: today) { transaction, add in
      for tag in Set(transaction.tags.map { Array($0.utf8) }) {
        add(tag, String(decoding: tag, as: UTF8.self))
      }
    }
  }

  /// Returns the sums of each payee's transactions, month by month, up to and including `today`.
  ///
  /// Payees without transactions in these months are left out; the others are sorted by number of
  /// transactions, then by name. Case and accents are ignored, as in
  /// ``payees(startingWith:limit:today:)``.
  ///
  /// - Parameters:
  ///   - months: The months.
  ///   - prefix: The beginning of the payees' names; empty for all payees.
  ///   - base: The currency of the converted sums; the ledger's base currency if `nil`.
  ///   - today: The last day to include.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   more than ``LedgerLimits/seriesPointCountMax`` months. `CancellationError` if the task is
  ///   cancelled.
  /// - Complexity: O(rows of the months).
  public func payeeMonths(
    _ months: Range<Month>, startingWith prefix: String = "", base: Currency? = nil, today: Day
  ) throws -> [NamedMonths] {
    try Snapshot.check(
      prefix.utf8.count, LedgerLimits.searchTextByteCountMax, "The byte count of the prefix")
    var folding = SearchFolding()
    folding.fold(prefix)
    let start = folding.scalars
    return try namedMonths(months, base: base, today: today) { transaction, add in
      folding.fold(transaction.payee)
      if folding.scalars.isEmpty || !folding.scalars.starts(with: start) { return }
      add(folding.scalars, transaction.payee)
    }
  }

  /// Groups the transactions of some months by name, and sums each group by month.
  ///
  /// - Parameter forEachName: Calls its last argument with each name of a transaction, in the form
  ///   that is compared and in the form that is shown.
  private func namedMonths<Key: Hashable>(
    _ months: Range<Month>, base: Currency?, today: Day,
    _ forEachName: (Transaction, _ add: (Key, String) -> Void) throws -> Void
  ) throws -> [NamedMonths] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let base = try base ?? settings().baseCurrency
    var groups: [Key: NamedRows] = [:]
    let days = months.isEmpty ? today..<today : months.lowerBound.first..<months.upperBound.first
    let counted = days.through(today)
    let all =
      try excludedRows().map {
        Selection().applying($0.exclusions, $0.places, isExcluded: false)
      } ?? Selection()
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: counted.lowerBound.biased, number: 0),
      to: StatePosition(cluster: counted.upperBound.biased, number: 0)
    ) { position, id, record in
      if Task.isCancelled { throw CancellationError() }
      if try !all.acceptsExclusion(of: record) { return true }
      let transaction = try Transaction(record, id: id, number: position.number)
      var keys: [Key] = []
      try forEachName(transaction) { key, name in
        keys.append(key)
        // The newest transaction comes last, and determines how the name is written.
        groups[key, default: NamedRows()].name = name
      }
      let month = transaction.day.monthOf
      for key in keys {
        try groups[key, default: NamedRows()].sums[month, default: SelectionSums(base: base)]
          .add(record, position.number, on: transaction.day, of: all)
      }
      return true
    }
    var shares = base.map { CategoryShares(to: $0) }
    return try groups.values.map { group in
      NamedMonths(
        name: group.name,
        months: try months.map { month in
          let sums = group.sums[month] ?? SelectionSums(base: base)
          return MonthSums(
            month: month,
            sums: try self.sums(sums, nil, base: base, &shares) { _, _, _ in Sums() })
        })
    }.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }
}

/// The transactions of a tag or payee.
private struct NamedRows {
  var name = ""
  var sums: [Month: SelectionSums] = [:]
}
