import MonthlyTotals

/// What the days of the closed period come to in a base currency, from one day on.
///
/// Amounts of a closed period can't change, but what they are worth in another currency follows the rates, and those
/// may still be recorded, corrected and removed. Ask before and after, and compare.
public struct ClosedWorth: Sendable {
  /// The currency of the figures.
  public let base: Currency
  /// The last closed day.
  public let through: Day
  /// Income, expense, transfers and net worth of each day that has any.
  private let days: [Day: Figures]

  private struct Figures: Hashable, Sendable {
    var totals: ConvertedTotals?
    var worth: Converted
  }

  /// The closed days that come to something else here than there, in order.
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
    var converter = Converter(to: base)
    // From the last to the first: a rate holds for the days after it.
    for back in 0...first.distance(to: last) {
      let day = last.adding(days: -Int(back))
      let worth = try snapshot.worth(
        try snapshot.netWorth(on: day), on: day, of: accounts, &converter)
      days[day] = Figures(totals: nil, worth: worth)
    }
    var summing = TotalsSumming(base: base)
    var current: Day?
    try MonthlyTotals.forEachDay(
      in: first..<last.adding(days: 1), today: last, in: snapshot.view
    ) { day, figures in
      if let ended = current, ended != day { days[ended]?.totals = summing.finish() }
      current = day
      try summing.add(figures, on: day, in: snapshot)
    }
    if let ended = current { days[ended]?.totals = summing.finish() }
    self.days = days
  }
}

extension Snapshot {
  /// What the closed days come to in the ledger's base currency, from a day on.
  ///
  /// Days before the first row are left out, and what is beyond ``LedgerLimits/seriesPointCountMax`` days.
  ///
  /// - Parameter day: The first day; the first one that has a row where that is later.
  /// - Returns: `nil` where no such day is closed, or the ledger has no base currency or no rows.
  /// - Throws: ``DaybookError`` where the views cannot answer; see ``Snapshot``.
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
