import DaybookProjections

extension Snapshot {
  /// Returns the rates recorded from `base` to `quoted`, oldest first within each pair.
  ///
  /// A `nil` currency matches every currency.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(rates of the pairs).
  public func rates(base: Currency? = nil, quoted: Currency? = nil) throws -> [ExchangeRate] {
    var found: [ExchangeRate] = []
    for pair in try Rates.pairs(in: view) {
      if let base, base != pair.base { continue }
      if let quoted, quoted != pair.quoted { continue }
      try Rates.forEach(pair.base, in: pair.quoted, over: Day.min..<Day.end, in: view) { rate in
        found.append(
          ExchangeRate(base: pair.base, quoted: pair.quoted, day: rate.day, quote: rate.quote))
        return true
      }
    }
    return found
  }

  /// Converts an amount at the rate of `day` or the nearest earlier one, rounding once, half to
  /// even.
  ///
  /// If both a direct and an inverse rate exist, the later one applies. If neither exists, the
  /// amount is converted through the base currency or another currency.
  ///
  /// - Returns: `nil` if no rate is known.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   the result doesn't fit an amount.
  /// - Complexity: O(log rates); O(currencies) if there is no direct rate.
  public func convert(_ money: Money, to currency: Currency, on day: Day) throws -> Money? {
    var converter = Converter(to: currency)
    let units = try converter.convert(
      Int128(money.minorUnits), money.currency, on: day, in: self)
    guard let units else { return nil }
    guard let fitting = Int64(exactly: units) else {
      throw DaybookError(
        code: .invalidQuery,
        message:
          "Couldn't convert \(money) to \(currency): the result is too large for one amount.",
        remedy: "Convert a smaller amount.")
    }
    return Money(fitting, currency)
  }

  /// Returns the figures of a range of days, up to and including `today`, in the base currency.
  ///
  /// What a transaction cost in `base` according to the transaction itself is used as it is: 20 CHF
  /// charged to an account as 21.24 EUR count as 21.24 EUR. Everything else is converted at the rates
  /// of its day. A sum of 0 needs no rate and is not reported as unconverted.
  ///
  /// - Parameters:
  ///   - days: The range.
  ///   - base: The currency of the result; the ledger's base currency if `nil`.
  ///   - today: The last day to include.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  /// - Complexity: O(days with rows + rows of the days that can't be converted).
  public func baseTotals(in days: Range<Day>, base: Currency? = nil, today: Day) throws
    -> ConvertedTotals
  {
    let base = try self.base(base)
    var summing = TotalsSumming(base: base)
    try MonthlyTotals.forEachDay(in: days, today: today, settledIn: base, in: view) {
      day, figures in
      try summing.add(figures, on: day, in: self)
    }
    return summing.finish()
  }

  /// Returns the total of each category of a kind in the base currency.
  ///
  /// Amounts are converted as for ``baseTotals(in:base:today:)``. Categories without figures are
  /// left out. See also ``breakdown(in:kind:rollUp:today:)``.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  /// - Complexity: O(days × categories with rows).
  public func baseBreakdown(
    in days: Range<Day>, kind: CategoryKind, rollUp: Bool = false, base: Currency? = nil,
    today: Day
  ) throws -> [ConvertedCategoryTotal] {
    let base = try self.base(base)
    let tree = try chartOfAccounts().tree
    var summing = CategorySumming(
      kind: kind, tree: tree, grouping: rollUp ? .top : .each, base: base)
    try CategoryTotals.forEachDay(in: days, today: today, settledIn: base, in: view) {
      day, figures in
      try summing.add(figures, on: day, in: self)
    }
    return try summing.finish(in: self)
  }

  /// Returns the net worth at the end of a day in the base currency, at that day's rates.
  ///
  /// The count of an unconverted part is its number of accounts.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - base: The currency of the result; the ledger's base currency if `nil`.
  ///   - includesLiabilities: Whether liabilities are included.
  ///   - includesAccruedInterest: Whether interest that isn't posted or paid yet is included.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  public func baseNetWorth(
    on day: Day, base: Currency? = nil, includesLiabilities: Bool = true,
    includesAccruedInterest: Bool = false
  ) throws -> Converted {
    let base = try self.base(base)
    var converter = Converter(to: base)
    return try worth(
      try netWorth(
        on: day, includesLiabilities: includesLiabilities,
        includesAccruedInterest: includesAccruedInterest), on: day,
      of: try worthAccounts(includesLiabilities), &converter)
  }

  /// Converts the balances of accounts at the end of a day at that day's rates.
  func worth(
    _ totals: [Total], on day: Day, of accounts: [Account], _ converter: inout Converter
  ) throws -> Converted {
    var sum = ConvertedSum()
    for total in totals where total.units != 0 {
      if let units = try converter.convert(total.units, total.currency, on: day, in: self) {
        sum.add(units)
      } else {
        let count = accounts.filter { $0.currency == total.currency }.count
        sum.leaveOut(total.units, total.currency, count: count)
      }
    }
    return sum.converted(to: converter.target)
  }
}

extension Day {
  /// The day after the last day, used as the end of a range that includes all days.
  static let end = Day(rawValue: Day.max.rawValue + 1)
}
