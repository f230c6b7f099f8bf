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
  /// If both a direct and an inverse rate exist, the later one applies. If neither exists, or if
  /// the rates through the base currency or another currency are more than 30 days newer, the
  /// amount is converted through that currency. See ``conversionPath(from:to:on:)`` for the rates.
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

  /// Returns the rates by which an amount is converted on a day, and their age.
  ///
  /// The rule is described at `Conversion.find`. ``convert(_:to:on:)`` and all figures in a base
  /// currency use it.
  ///
  /// - Returns: `nil` if no rate is known.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and `MoneyError` if the rates can't be
  ///   combined.
  /// - Complexity: O(log rates); O(currencies) if there is no direct rate or only an old one.
  public func conversionPath(
    from source: Currency, to target: Currency, on day: Day
  ) throws -> ConversionPath? {
    var pivots: [Currency]?
    var since = Day(rawValue: .min)
    return try path(from: source, to: target, on: day, &pivots, since: &since)
  }

  /// Returns the rates by which the net worth on a day is converted, one path for each currency with
  /// a balance, in order of currency code.
  ///
  /// Currencies without a rate, and the base currency itself, are left out.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  public func netWorthRates(
    on day: Day, base: Currency? = nil, includesLiabilities: Bool = true
  ) throws -> [ConversionPath] {
    let base = try self.base(base)
    let accounts = try worthAccounts(includesLiabilities)
    let balances = try Balances.balances(of: accounts.map(keyNumber), on: day, in: view)
    let currencies = Set(zip(accounts, balances).filter { $1 != 0 }.map(\.0.currency))
    return try currencies.subtracting([base]).sorted().compactMap {
      try conversionPath(from: $0, to: base, on: day)
    }
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
    var summing = TotalsSumming(base: base, days: days)
    try forEachCountedDay(in: days, today: today) { day, figures in
      try summing.add(figures, on: day, in: self)
    }
    return try summing.finish(in: self)
  }

  /// Returns the total of each category of a kind in the base currency.
  ///
  /// Amounts are converted as for ``baseTotals(in:base:today:)``. Categories without figures are
  /// left out. See also ``breakdown(in:kind:rollUp:today:)``.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there is no base currency.
  /// - Complexity: O(days × categories with rows) for the first call, and after commits that change
  ///   these days.
  public func baseBreakdown(
    in days: Range<Day>, kind: CategoryKind, rollUp: Bool = false, base: Currency? = nil,
    today: Day
  ) throws -> [ConvertedCategoryTotal] {
    let base = try self.base(base)
    let key = FigureCache.Key(
      subject: .categories(kind, rollUp: rollUp), days: days.through(today), base: base)
    let totals = try categoryFigure(key) {
      let tree = try chartOfAccounts().tree
      var summing = CategorySumming(
        kind: kind, tree: tree, grouping: rollUp ? .top : .each, base: base)
      let subtracted = try self.subtracted(on: key.days, settledIn: base)
      var last: Day?
      try CategoryTotals.forEachDay(in: days, today: today, settledIn: base, in: view) {
        day, figures in
        if day != last {
          for excluded in subtracted[day] ?? [] { try summing.add(excluded, on: day, in: self) }
          last = day
        }
        try summing.add(figures, on: day, in: self)
      }
      return try summing.finish(in: self)
    }
    noteRows(ofIncomplete: totals.map(\.amount))
    return totals
  }

  /// Returns a cached figure that is computed from the totals of categories.
  func categoryFigure<Figure: Sendable>(
    _ key: FigureCache.Key, _ compute: () throws -> Figure
  ) throws -> Figure {
    try cache.figures.figure(
      key, in: self,
      noting: { view in
        try CategoryTotals.noteReading(in: view)
        try CategoryTotals.noteReadingCosts(in: view)
      }, compute)
  }

  /// Informs observers that rows were counted, if amounts couldn't be converted.
  func noteRows(ofIncomplete amounts: [Converted]) {
    if !amounts.allSatisfy(\.isComplete) { view.noteReading(EntityKind.transaction) }
  }

  /// Returns the net worth at the end of a day in the base currency, at that day's rates.
  ///
  /// It is the sum of the accounts' balances, each of which is converted and rounded.
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
    var converter = Converter(to: try self.base(base))
    let accounts = try worthAccounts(includesLiabilities)
    var balances = try Balances.balances(of: accounts.map(keyNumber), on: day, in: view)
    if includesAccruedInterest {
      let accrued = try accruedWorth(on: [day])[0]
      for (index, account) in accounts.enumerated() { balances[index] += accrued[account.id] ?? 0 }
    }
    return try worth(balances, on: day, of: accounts, &converter)
  }

  /// Converts the balances of accounts at the end of a day at that day's rates, each separately, so
  /// that the result is the sum of the accounts' converted balances.
  func worth(
    _ balances: some Sequence<Int128>, on day: Day, of accounts: [Account],
    _ converter: inout Converter
  ) throws -> Converted {
    var sum = ConvertedSum()
    var left: [Currency: Int128] = [:]
    for (account, units) in zip(accounts, balances) where units != 0 {
      if let converted = try converter.convert(units, account.currency, on: day, in: self) {
        sum.add(converted)
      } else {
        left[account.currency, default: 0] += units
      }
    }
    for (currency, units) in left where units != 0 {
      sum.leaveOut(units, currency, count: accounts.count { $0.currency == currency })
    }
    return sum.converted(to: converter.target)
  }
}

extension Day {
  /// The day after the last day, used as the end of a range that includes all days.
  static let end = Day(rawValue: Day.max.rawValue + 1)
}
