import DaybookProjections

extension Snapshot {
  /// Returns the balance of an account at the end of a day, in its currency.
  ///
  /// For the current balance, pass today.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account.
  /// - Complexity: O(periods): at most about a hundred rows, regardless of the number of
  ///   transactions.
  public func balance(of account: AccountID, on day: Day) throws -> Total {
    let found = try known(account)
    let units = try Balances.balance(of: try keyNumber(found), on: day, in: view)
    return Total(units: units, currency: found.currency)
  }

  /// Returns the balance of every account at the end of a day, in the order in which the accounts
  /// were recorded.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - includingClosed: Whether to include closed accounts.
  ///   - includingDeleted: Whether to include deleted accounts.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func balances(
    on day: Day, includingClosed: Bool = true, includingDeleted: Bool = false
  ) throws -> [AccountBalance] {
    let listed = try accounts(
      includingClosed: includingClosed, includingDeleted: includingDeleted)
    let units = try Balances.balances(of: listed.map(keyNumber), on: day, in: view)
    return zip(listed, units).map { account, units in
      AccountBalance(
        account: account, balance: Total(units: units, currency: account.currency))
    }
  }

  /// Returns the balance of an account at the end of each day of a series.
  ///
  /// The series ends on the last day of the range and contains every earlier step within the range,
  /// counted back from that day. In a month without the last day's number, the point is the last
  /// day of the month.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account, or for more than ``LedgerLimits/seriesPointCountMax`` points.
  /// - Complexity: O(days with rows + points).
  public func balanceSeries(of account: AccountID, over days: Range<Day>, every step: Step = .day)
    throws -> [DatedTotal]
  {
    let found = try known(account)
    return try balances(of: found, on: try step.points(in: days))
  }

  /// Returns the balance of an account at the end of each given day; the days are ascending.
  func balances(of found: Account, on points: [Day]) throws -> [DatedTotal] {
    let units = try Balances.series(of: try keyNumber(found), on: points, in: view)
    return zip(points, units).map { day, units in
      DatedTotal(day: day, total: Total(units: units, currency: found.currency))
    }
  }

  /// Returns an account's balance right after each of the given transactions, for the running
  /// balances of a list.
  ///
  /// All transactions of the account count, on the days that count on the account. Transactions of
  /// the same day count in list order.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - keys: The positions of the transactions, in any order. A position doesn't have to belong
  ///     to a transaction of the account.
  /// - Returns: A balance for each key, in the account's currency.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account.
  /// - Complexity: O(rows of the account on the days of the keys).
  public func balances(of account: AccountID, after keys: [TransactionPosition]) throws -> [Total] {
    _ = try known(account)
    let selection = try Selection(accounts: [account], in: view)
    let keys = try keys.map { try Transactions.place(RowKey($0), in: selection, view) }
    return try balances(of: account, afterOwn: keys)
  }

  /// Returns an account's balance right after each of some places in the account's list.
  private func balances(of account: AccountID, afterOwn keys: [RowKey]) throws -> [Total] {
    let found = try known(account)
    var balances = [Total](repeating: Total(units: 0, currency: found.currency), count: keys.count)
    let byDay = Dictionary(grouping: keys.indices) { keys[$0].day }
    let days = byDay.keys.sorted()
    let ends = try Balances.series(of: try keyNumber(found), on: days, in: view)
    for (day, end) in zip(days, ends) {
      let places = (byDay[day] ?? []).sorted { keys[$0] > keys[$1] }
      let units = try Transactions.balances(
        of: account, after: places.map { keys[$0] }, end: end, in: view)
      for (place, units) in zip(places, units) { balances[place].units = units }
    }
    return balances
  }

  /// Returns the total balance of several accounts right after each of the given transactions.
  ///
  /// Use it for the running balances of a list of several accounts with the same currency.
  ///
  /// - Parameters:
  ///   - accounts: The accounts, in any order; duplicates count once.
  ///   - keys: The positions of the transactions, in any order.
  /// - Returns: A balance for each key; `nil` if the accounts have different currencies, one is
  ///   built in, or `accounts` is empty.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no such account.
  /// - Complexity: O(rows of the accounts on the days of the keys).
  public func balances(
    of accounts: [AccountID], after keys: [TransactionPosition]
  ) throws -> [Total]? {
    let different = Set(accounts)
    if different.isEmpty || different.contains(where: \.isBuiltin) { return nil }
    guard Set(try different.map { try known($0).currency }).count == 1 else { return nil }
    var sums: [Total] = []
    for account in different {
      let balances =
        try different.count == 1
        ? balances(of: account, after: keys)
        : balances(of: account, afterOwn: keys.map { RowKey($0) })
      if sums.isEmpty {
        sums = balances
      } else {
        for index in sums.indices { sums[index].units += balances[index].units }
      }
    }
    return sums
  }

  /// Returns the total of all asset and liability accounts at the end of a day, except those that are
  /// excluded from totals.
  ///
  /// There is one total for each currency of these accounts, in order of currency code. Closed
  /// accounts count, and so do deleted accounts that still have transactions, so that past figures
  /// don't change.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - includesLiabilities: Whether liabilities are included; if `false`, only assets count.
  ///   - includesAccruedInterest: Whether interest that isn't posted or paid yet is included; see
  ///     ``accruedInterest(of:on:)``.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(accounts).
  public func netWorth(
    on day: Day, includesLiabilities: Bool = true, includesAccruedInterest: Bool = false
  ) throws -> [Total] {
    var sums: [Currency: Int128] = [:]
    let accrued = includesAccruedInterest ? try accruedWorth(on: [day])[0] : [:]
    let listed = try worthAccounts(includesLiabilities)
    let units = try Balances.balances(of: listed.map(keyNumber), on: day, in: view)
    for (account, units) in zip(listed, units) {
      sums[account.currency, default: 0] += units + (accrued[account.id] ?? 0)
    }
    return sums.sortedTotals()
  }

  /// Returns the net worth per currency at the end of the last day of each month in the range.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` for
  ///   more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(accounts × months).
  public func netWorthSeries(
    over months: Range<Month>, includesLiabilities: Bool = true,
    includesAccruedInterest: Bool = false
  ) throws -> [DatedTotals] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let points = months.map(\.last)
    var sums = [[Currency: Int128]](repeating: [:], count: points.count)
    let accrued = includesAccruedInterest ? try accruedWorth(on: points) : nil
    for account in try worthAccounts(includesLiabilities) {
      let series = try Balances.series(of: try keyNumber(account), on: points, in: view)
      for (position, units) in series.enumerated() {
        let interest = accrued?[position][account.id] ?? 0
        sums[position][account.currency, default: 0] += units + interest
      }
    }
    return zip(points, sums).map { DatedTotals(day: $0, totals: $1.sortedTotals()) }
  }

  /// Returns the accounts that count towards net worth.
  func worthAccounts(_ includesLiabilities: Bool = true) throws -> [Account] {
    try accounts(includingClosed: true, includingDeleted: true).filter {
      try ($0.kind == .asset || includesLiabilities && $0.kind == .liability)
        && !$0.isExcludedFromTotals && isKept($0)
    }
  }

  /// Returns the account with the given id, even if it is deleted; throws if there is no such
  /// account.
  func known(_ account: AccountID) throws -> Account {
    if let found = try chartOfAccounts().accountsByID[account] { return found }
    throw DaybookError(
      code: .invalidQuery, message: "There is no account \(account).",
      remedy: "List the accounts; built-in ones have no balance.")
  }
}

extension Step {
  /// Returns the ascending days of a series: the last day, and every earlier step within the range.
  func points(in days: Range<Day>) throws(DaybookError) -> [Day] {
    guard !days.isEmpty else { return [] }
    let last = days.upperBound.adding(days: -1)
    var points: [Day] = []
    var next = last
    while next >= days.lowerBound {
      points.append(next)
      try Snapshot.check(points.count, LedgerLimits.seriesPointCountMax, "The number of points")
      // Count from the last day, so that month ends stay month ends: 31 March, 28 February, 31
      // January.
      let earlier = day(points.count, before: last)
      guard earlier < next else { break }  // The calendar begins here.
      next = earlier
    }
    return points.reversed()
  }

  private func day(_ count: Int, before last: Day) -> Day {
    switch self {
    case .day: last.adding(days: -count)
    case .week: last.adding(days: -7 * count)
    case .month: last.adding(months: -count)
    case .year: last.adding(months: -12 * count)
    }
  }
}

extension [Currency: Int128] {
  /// Returns one total per currency, in order of currency code.
  func sortedTotals() -> [Total] {
    sorted { $0.key < $1.key }.map { Total(units: $0.value, currency: $0.key) }
  }
}

/// Returns the number that projections use for an account in keys.
func keyNumber(_ account: Account) throws(DaybookError) -> UInt32 {
  try keyNumber(account.number)
}

/// Returns the number that projections use for a category in keys.
func keyNumber(_ category: Category) throws(DaybookError) -> UInt32 {
  try keyNumber(category.number)
}

private func keyNumber(_ number: UInt64) throws(DaybookError) -> UInt32 {
  if let fitting = UInt32(exactly: number) { return fitting }
  throw DaybookError(
    code: .damaged, message: "The transaction number \(number) is out of range.",
    remedy: "Run `daybook verify`.")
}
