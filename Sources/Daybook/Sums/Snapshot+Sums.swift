internal import DaybookEngine
import DaybookProjections

extension Snapshot {
  /// Returns the count and the sums of the transactions that match a filter.
  ///
  /// The sums include planned transactions that the list shows. Amounts that are excluded from totals
  /// are in ``TransactionSums/excluded`` instead; in the list of an account, a split that counts in
  /// part counts as a whole. What
  /// a transaction cost in the base currency according to the transaction itself is used as it is;
  /// everything else is converted at the rate of its day in the list.
  ///
  /// What a category has on a day in a currency is converted and rounded once, and each transaction
  /// has its share, so that the net amounts of the parts of a list add up to that of the list.
  ///
  /// - Parameters:
  ///   - filter: The conditions for the transactions.
  ///   - base: The currency of the converted sums; the ledger's base currency if `nil`.
  ///   - rowCountMax: The maximum number of rows to read. If more would have to be read, the sums
  ///     are those of the newest transactions, and ``TransactionSums/isComplete`` is `false`. Rows
  ///     needn't be read for a filter with one condition other than days.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the filter names an account or category that doesn't exist, its text is too long, or
  ///   `rowCountMax` is negative. `CancellationError` if the task is cancelled while rows are read.
  /// - Complexity: O(years + months + days at the ends of the range) for no condition, or for one
  ///   condition on an account, a category, a type or a currency, with or without days; plus O(days)
  ///   for each currency to convert. Otherwise O(rows that meet the most selective condition). The
  ///   rows of days without a rate are counted.
  public func sums(
    of filter: TransactionFilter = .all, base: Currency? = nil,
    readingAtMost rowCountMax: Int = .max
  ) throws -> TransactionSums {
    try Snapshot.check(rowCountMax, "The number of rows to read")
    var selection = try selection(filter, isSummed: true)
    selection.isCancelled = { Task.isCancelled }
    let base = try base ?? settings().baseCurrency
    let found = try Transactions.sums(
      selection, base: base, readingAtMost: rowCountMax, in: view)
    let isExcluded = filter.isExcluded ?? false
    var shares = base.map { CategoryShares(to: $0, isExcluded: isExcluded) }
    var ofDay: [Day: SelectionSums] = [:]
    return try sums(found, selection, base: base, &shares) { day, currency, base in
      // Stored totals don't have the number of rows, so the rows of days without a rate are read,
      // once for all currencies.
      if ofDay[day] == nil {
        ofDay = [day: try Transactions.sums(selection, on: day, base: base, in: view)]
      }
      return ofDay[day]?.contributors[day]?[currency] ?? Sums()
    }
  }

  /// Converts sums to the form of the API.
  ///
  /// - Parameters:
  ///   - selection: The selection, or `nil` if the rows were read.
  ///   - contributors: Returns the number of transactions that make up each amount of a day in a
  ///     currency, for amounts that can't be converted.
  func sums(
    _ found: SelectionSums, _ selection: Selection?, base: Currency?,
    _ shares: inout CategoryShares?,
    _ contributors: (Day, Currency, _ base: Currency) throws -> Sums
  ) throws -> TransactionSums {
    var excluded: ExcludedSums?
    if let leftOut = found.leftOut.first, leftOut.count > 0 {
      var shares = base.map { CategoryShares(to: $0, isExcluded: true) }
      excluded = ExcludedSums(
        count: leftOut.count, amounts: amounts(of: leftOut),
        converted: try converted(leftOut, selection, &shares, contributors))
    }
    return TransactionSums(
      count: found.count, amounts: amounts(of: found),
      converted: try converted(found, selection, &shares, contributors),
      isComplete: found.isComplete, readCount: found.readCount, excluded: excluded)
  }

  private func amounts(of found: SelectionSums) -> [CurrencySums] {
    found.amounts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }.map {
      CurrencySums(in: $0, moneyIn: $1[0], moneyOut: $1[1], transfers: $1[2])
    }
  }

  private func converted(
    _ found: SelectionSums, _ selection: Selection?, _ shares: inout CategoryShares?,
    _ contributors: (Day, Currency, _ base: Currency) throws -> Sums
  ) throws -> ConvertedSums? {
    guard let base = shares?.base else { return nil }
    var sums = (0..<3).map { field in
      var sum = ConvertedSum()
      sum.add(found.own[field])
      return sum
    }
    // From the last day to the first, as the converter's cache needs it.
    for (day, amounts) in found.foreign.sorted(by: { $0.key > $1.key }) {
      for (currency, amount) in amounts where !amount.isZero {
        if let units = try shares?.convert(
          amount, currency, on: day, of: found, selection, in: self)
        {
          for field in sums.indices { sums[field].add(units[field]) }
          continue
        }
        let counts =
          try found.contributors[day]?[currency] ?? contributors(day, currency, base)
        for field in sums.indices where amount[field] != 0 {
          sums[field].leaveOut(amount[field], currency, count: Int(clamping: counts[field]))
        }
      }
    }
    return ConvertedSums(
      base: base, moneyIn: sums[0].converted(to: base), moneyOut: sums[1].converted(to: base),
      transfers: sums[2].converted(to: base))
  }
}
