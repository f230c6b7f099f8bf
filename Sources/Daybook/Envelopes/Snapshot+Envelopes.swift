extension Snapshot {
  /// Returns the envelopes of each month of a range, with the money that is ready to assign.
  ///
  /// Every expense category has an envelope, which doesn't include its subcategories. What isn't
  /// spent is carried over to the next month. Overspending is carried over if the category says so
  /// (``CategoryDetails/carriesOverspending``); otherwise the envelope starts the next month at
  /// zero, and the overspending reduces the money that is ready to assign from then on.
  ///
  /// A category's goal (``CategoryDetails/goal``) applies to all months; ``Envelope/needed`` is what
  /// it needs in a month.
  ///
  /// Money on accounts of the kind equity, and on accounts outside the budget
  /// (``AccountDetails/isOutsideBudget``), can't be assigned. What only such accounts pay doesn't
  /// count as spent. Amounts are in the base currency, and are converted as for
  /// ``baseBreakdown(in:kind:rollUp:base:today:)``.
  ///
  /// - Parameters:
  ///   - months: The months.
  ///   - today: The last day whose transactions count.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency, or for more than ``LedgerLimits/seriesPointCountMax`` months.
  /// - Complexity: O(months since the first × categories + accounts × months). The first call of a
  ///   ledger also takes O(transactions of cards and of accounts outside the budget), and O(days with
  ///   rows) for months with amounts in other currencies; later calls, only for months with changes.
  public func envelopes(over months: Range<Month>, today: Day) throws -> [EnvelopeMonth] {
    try Snapshot.check(months.count, LedgerLimits.seriesPointCountMax, "The number of months")
    let base = try self.base(nil)
    if months.isEmpty { return [] }
    var reader = try EnvelopeReader(months, today: today, base: base, in: self)
    return try reader.read(in: self)
  }
}
