import DaybookProjections

extension Snapshot {
  /// Returns the change of the net worth over a range of days, divided into income, expenses, other
  /// sources, amounts excluded from totals, and the gain or loss by exchange rates.
  ///
  /// - Parameters:
  ///   - days: The days; pass days through today to exclude planned transactions.
  ///   - base: The currency of the result; the ledger's base currency if `nil`.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the range is empty or there is no base currency.
  /// - Complexity: O(accounts + days with rows + transfers on the way at either end).
  public func worthChange(in days: Range<Day>, base: Currency? = nil) throws -> WorthChange {
    guard let last = days.last else {
      throw DaybookError(
        code: .invalidQuery, message: "Couldn't explain the net worth: the range has no days.",
        remedy: "Pass at least one day.")
    }
    let base = try self.base(base)
    let before = days.lowerBound.adding(days: -1)
    let totals = try baseTotals(in: days, base: base, today: last)
    return WorthChange(
      first: days.lowerBound, last: last, start: try baseNetWorth(on: before, base: base),
      end: try baseNetWorth(on: last, base: base), income: totals.income, expense: totals.expense,
      other: try otherSources(in: days, before: before, last: last, base),
      excluded: try excludedSources(in: days, base))
  }

  private func excludedSources(in days: Range<Day>, _ base: Currency) throws -> Converted {
    var converter = Converter(to: base)
    var sum = ConvertedSum()
    let changes = try excludedRows()?.worthChanges(on: days, settledIn: base) ?? [:]
    // From the last day to the first, as the converter's cache needs it.
    for (day, amounts) in changes.sorted(by: { $0.key > $1.key }) {
      for (currency, amount) in amounts where amount.units != 0 {
        if let units = try converter.convert(amount.units, currency, on: day, in: self) {
          sum.add(units)
        } else {
          sum.leaveOut(amount.units, currency, count: amount.count)
        }
      }
    }
    return sum.converted(to: base)
  }

  private func otherSources(
    in days: Range<Day>, before: Day, last: Day, _ base: Currency
  ) throws -> Converted {
    var converter = Converter(to: base)
    var sum = ConvertedSum()
    func add(_ units: Int128, _ currency: Currency, on day: Day, count: () throws -> Int) throws {
      if units == 0 { return }
      if let converted = try converter.convert(units, currency, on: day, in: self) {
        sum.add(converted)
      } else {
        sum.leaveOut(units, currency, count: try count())
      }
    }
    let excluded = try excludedRows()
    let elsewhere = excluded?.outside(on: days) ?? [:]
    try MonthlyTotals.forEachOutside(in: days, in: view) { day, currency, units in
      try add(units - (elsewhere[day]?[currency] ?? 0), currency, on: day) {
        try countRows(on: day) {
          $0.comesFromOutside(in: currency) && !(excluded?.exclusions.isElsewhere($0) ?? false)
        }
      }
    }
    for account in try accounts(includingClosed: true, includingDeleted: true)
    where !account.isExcludedFromTotals {
      if account.kind == .equity {
        let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
        try Balances.forEachFlow(of: keyNumber(account), in: span, in: view) { index, flow in
          try add(-flow.net, account.currency, on: Day(rawValue: index)) { flow.count }
          return true
        }
      } else if let day = account.openingDay, days.contains(day) {
        try add(Int128(account.openingBalance), account.currency, on: day) { 1 }
      }
    }
    let accounts = Set(try worthAccounts().map(\.id))
    for (day, sign) in [(before, Int128(1)), (last, -1)] {
      for transaction in try onTheWay(at: day) {
        for (currency, units) in transaction.missing(from: accounts, at: day) {
          try add(sign * units, currency, on: day) { 1 }
        }
      }
    }
    return sum.converted(to: base)
  }
}

extension Transaction {
  /// Whether the transaction has an amount in a currency from or to Outside or Opening.
  fileprivate func comesFromOutside(in currency: Currency) -> Bool {
    postings.contains {
      $0.amount.currency == currency
        && ($0.account == .account(.outside) || $0.account == .account(.opening))
    }
  }

  /// Returns the amounts that balances at the end of a day lack, because they count there on a later
  /// day than the transaction's; negative for those that count on an earlier day.
  fileprivate func missing(from accounts: Set<AccountID>, at day: Day) -> [Currency: Int128] {
    var missing: [Currency: Int128] = [:]
    for posting in postings {
      guard case .account(let id) = posting.account, accounts.contains(id) else { continue }
      let isCounted = self.day(on: id) <= day
      if isCounted == (self.day <= day) { continue }
      let units = Int128(posting.amount.minorUnits)
      missing[posting.amount.currency, default: 0] += isCounted ? -units : units
    }
    return missing
  }
}
