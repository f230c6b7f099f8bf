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
  /// - Complexity: O(rows of the months); later, only months with changes are read again.
  public func tagMonths(
    _ months: Range<Month>, base: Currency? = nil, today: Day
  ) throws -> [NamedMonths] {
    try namedMonths(.tags, months, base: base, today: today) { _ in true }
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
  /// - Complexity: O(rows of the months); later, only months with changes are read again.
  public func payeeMonths(
    _ months: Range<Month>, startingWith prefix: String = "", base: Currency? = nil, today: Day
  ) throws -> [NamedMonths] {
    try Snapshot.check(
      prefix.utf8.count, LedgerLimits.searchTextByteCountMax, "The byte count of the prefix")
    var folding = SearchFolding()
    folding.fold(prefix)
    let start = folding.scalars
    return try namedMonths(.payees, months, base: base, today: today) { $0.starts(with: start) }
  }

  /// Groups the transactions of some months by name, and sums each group by month.
  ///
  /// - Parameter isWanted: Returns whether to include a name, in the form that is compared.
  private func namedMonths(
    _ subject: FigureCache.Key.Subject, _ months: Range<Month>, base: Currency?, today: Day,
    where isWanted: ([UInt32]) -> Bool
  ) throws -> [NamedMonths] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let base = try base ?? settings().baseCurrency
    var groups: [[UInt32]: (name: String, sums: [Month: TransactionSums])] = [:]
    for month in months {
      let key = FigureCache.Key(subject: subject, days: month.days.through(today), base: base)
      if key.days.isEmpty { continue }
      let named = try cache.figures.figure(key, in: self) {
        try namedSums(subject, on: key.days, base: base)
      }
      for one in named where isWanted(one.key) {
        // The newest transaction determines how the name is written.
        groups[one.key, default: ("", [:])].name = one.name
        groups[one.key]?.sums[month] = one.sums
      }
    }
    var shares = base.map { CategoryShares(to: $0) }
    let nothing = try sums(SelectionSums(base: base), nil, base: base, &shares) { _, _, _ in Sums()
    }
    return groups.values.map { group in
      NamedMonths(
        name: group.name,
        months: months.map { MonthSums(month: $0, sums: group.sums[$0] ?? nothing) })
    }.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  /// Groups the transactions on some days of a month by payee or tag, and sums each group.
  private func namedSums(
    _ subject: FigureCache.Key.Subject, on days: Range<Day>, base: Currency?
  ) throws -> [NamedSums] {
    var groups: [[UInt32]: (name: String, sums: SelectionSums)] = [:]
    var folding = SearchFolding()
    let all =
      try excludedRows().map {
        Selection().applying($0.exclusions, $0.places, isExcluded: false)
      } ?? Selection()
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: days.lowerBound.biased, number: 0),
      to: StatePosition(cluster: days.upperBound.biased, number: 0)
    ) { position, id, record in
      if Task.isCancelled { throw CancellationError() }
      if try !all.acceptsExclusion(of: record) { return true }
      let transaction = try Transaction(record, id: id, number: position.number)
      func add(_ key: [UInt32], _ name: String) throws {
        // The newest transaction comes last.
        groups[key, default: ("", SelectionSums(base: base))].name = name
        try groups[key]?.sums.add(record, position.number, on: transaction.day, of: all)
      }
      if subject == .tags {
        for tag in Set(transaction.tags.map { $0.utf8.map(UInt32.init) }) {
          try add(tag, String(decoding: tag.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
        }
      } else {
        folding.fold(transaction.payee)
        if !folding.scalars.isEmpty { try add(folding.scalars, transaction.payee) }
      }
      return true
    }
    var shares = base.map { CategoryShares(to: $0) }
    return try groups.map { key, group in
      NamedSums(
        key: key, name: group.name,
        sums: try sums(group.sums, nil, base: base, &shares) { _, _, _ in Sums() })
    }
  }
}

/// The transactions of a tag or payee in a month.
private struct NamedSums: Sendable {
  /// The name in the form that is compared: the bytes of a tag, or the folded scalars of a payee.
  var key: [UInt32]
  var name: String
  var sums: TransactionSums
}
