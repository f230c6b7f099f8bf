import DaybookProjections

/// Income, expenses, transfers and net worth on the days of the closed period, in a base currency.
///
/// Amounts in a closed period can't change, but their value in another currency depends on rates,
/// which can still be recorded, corrected and removed. To find the effect of changed rates, query
/// the closed worth before and after the change, and compare.
public struct ClosedWorth: Sendable {
  /// The currency of the figures.
  public let base: Currency
  /// The last closed day.
  public let through: Day
  /// Income, expenses, transfers and net worth on each day.
  private let days: [Day: Figures]

  private struct Figures: Hashable, Sendable {
    var totals: ConvertedTotals?
    var worth: Converted
  }

  /// Returns the closed days with different figures, in order.
  public func days(differingFrom other: ClosedWorth) -> [Day] {
    Set(days.keys).union(other.days.keys).filter { days[$0] != other.days[$0] }.sorted()
  }
}

extension ClosedWorth {
  fileprivate init(
    in snapshot: borrowing Snapshot, from first: Day, to last: Day, through: Day, base: Currency
  ) throws {
    self.base = base
    self.through = through
    var days: [Day: Figures] = [:]
    let accounts = try snapshot.worthAccounts()
    let numbers = try accounts.map { try keyNumber($0) }
    var converter = Converter(to: base)
    // Go from the last day to the first, because a rate applies to the days after it.
    for back in 0...first.distance(to: last) {
      let day = last.adding(days: -Int(back))
      let balances = try Balances.balances(of: numbers, on: day, in: snapshot.view)
      let worth = try snapshot.worth(balances, on: day, of: accounts, &converter)
      days[day] = Figures(totals: nil, worth: worth)
    }
    let span = first..<last.adding(days: 1)
    var summing = TotalsSumming(base: base, days: span)
    var current: Day?
    try snapshot.forEachCountedDay(in: span, today: last) { day, figures in
      if let ended = current, ended != day {
        days[ended]?.totals = try summing.finish(in: snapshot)
      }
      current = day
      try summing.add(figures, on: day, in: snapshot)
    }
    if let ended = current { days[ended]?.totals = try summing.finish(in: snapshot) }
    self.days = days
  }
}

extension Snapshot {
  /// Returns the figures of the closed days in the ledger's base currency.
  ///
  /// The result begins with the first day that has a transaction, and covers at most
  /// ``LedgerLimits/seriesPointCountMax`` days.
  ///
  /// - Parameter day: The earliest day to include.
  /// - Returns: `nil` if no such day is closed, or if the ledger has no base currency or no
  ///   transactions.
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(days × accounts).
  public func closedWorth(from day: Day = .min) throws -> ClosedWorth? {
    let settings = try settings()
    let count = try count()
    guard let through = settings.closedThrough, let base = settings.baseCurrency, day <= through,
      count > 0, let oldest = try transactions(.all, offset: count - 1, limit: 1).first,
      oldest.day <= through
    else { return nil }
    let first = max(day, oldest.day)
    let last = min(through, first.adding(days: LedgerLimits.seriesPointCountMax - 1))
    return try ClosedWorth(in: self, from: first, to: last, through: through, base: base)
  }
}
