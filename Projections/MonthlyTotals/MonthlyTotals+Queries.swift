package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension MonthlyTotals {
  /// Income, expense and transfers in one currency.
  package struct Figures: Hashable, Sendable {
    /// The currency of all amounts.
    package let currency: Currency
    /// The income in minor units.
    package let income: Int128
    /// The expense minus refunds, in minor units.
    package let expense: Int128
    /// The amount moved between accounts, in minor units, measured by the amounts that left
    /// accounts.
    package let transfers: Int128
    /// The number of transactions.
    package let count: Int

    /// Creates figures from income, expense, transfers and count; `nil` if all are zero.
    package init?(_ sums: Sums, in currency: Currency) {
      if sums.isZero { return nil }
      self.init(
        currency: currency, income: sums[0], expense: sums[1], transfers: sums[2],
        count: Int(clamping: sums[3]))
    }

    init(currency: Currency, income: Int128, expense: Int128, transfers: Int128, count: Int) {
      self.currency = currency
      self.income = income
      self.expense = expense
      self.transfers = transfers
      self.count = count
    }

    /// Income, expense, transfers and count.
    package var sums: Sums { Sums(income, expense, transfers, Int128(count)) }
  }

  /// Calls `body` with the figures of each month and currency in a range, up to `today`.
  ///
  /// The months are in ascending order. Within a month, the figures are in the order of keys:
  /// currency codes of three letters with two decimals first, then other codes by length.
  ///
  /// - Parameter today: The last day that counts, or `nil` to count all days.
  /// - Complexity: One ordered scan of the months, and of the days in the month that contains
  ///   `today`.
  package static func forEachMonth(
    _ months: Range<Month>, today: Day?, in view: borrowing View,
    _ body: (Month, Figures) throws -> Void
  ) throws {
    let table = try view.tables(of: MonthlyTotals.self)[totals]
    let cut = today.map { $0.adding(days: 1).monthOf }
    let whole = cut.map { months.clamped(to: Month(rawValue: .min)..<$0) } ?? months
    let span = PeriodSpan(.month, whole.lowerBound.rawValue, whole.upperBound.rawValue)
    try view.forEachSum(in: table, prefix: TableKey(), span) { key, sums in
      let (index, currency) = try place(key)
      if let figures = try figures(sums, currency) { try body(Month(rawValue: index), figures) }
      return true
    }
    guard let today, let cut, months.contains(cut) else { return }
    let later = today.adding(days: 1)
    for figures in try figures(in: cut.first..<later, quietFrom: later, table, view) {
      try body(cut, figures)
    }
  }

  /// Returns the first month with figures in a currency, or in any currency if `currency` is `nil`.
  ///
  /// - Complexity: O(months without such figures before it).
  package static func firstMonth(in currency: Currency?, in view: borrowing View) throws -> Month? {
    let table = try view.tables(of: MonthlyTotals.self)[totals]
    var first: Month?
    try view.forEachSum(in: table, prefix: TableKey(), PeriodSpan(.month, .min, .max)) {
      key, sums in
      let (index, found) = try place(key)
      if currency.map({ $0 == found }) ?? true, try figures(sums, found) != nil {
        first = Month(rawValue: index)
      }
      return first == nil
    }
    return first
  }

  /// Returns the figures of a range of days, up to `today`, ordered by currency code.
  ///
  /// - Parameter today: The last day that counts, or `nil` to count all days.
  /// - Complexity: O(years + months and days at the ends of the range).
  package static func totals(
    in range: Range<Day>, today: Day?, in view: borrowing View
  ) throws -> [Figures] {
    let table = try view.tables(of: MonthlyTotals.self)[totals]
    return try figures(
      in: range.through(today), quietFrom: today?.adding(days: 1), table, view)
  }

  /// Returns the figures of the planned transactions in a range of days, which are dated after
  /// `today`.
  package static func planned(
    in range: Range<Day>, today: Day, in view: borrowing View
  ) throws -> [Figures] {
    let table = try view.tables(of: MonthlyTotals.self)[totals]
    let later = range.clamped(to: today.adding(days: 1)..<Day(rawValue: .max))
    return try figures(in: later, quietFrom: nil, table, view)
  }

  /// Calls `body` with the figures of each day and currency in a range, up to `today`.
  ///
  /// The figures are ordered by day, so that they can be converted at each day's rate.
  package static func forEachDay(
    in range: Range<Day>, today: Day?, in view: borrowing View,
    _ body: (Day, Figures) throws -> Void
  ) throws {
    let table = try view.tables(of: MonthlyTotals.self)[totals]
    let days = range.through(today)
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try view.forEachSum(in: table, prefix: TableKey(), span) { key, sums in
      let (index, currency) = try place(key)
      if let figures = try figures(sums, currency) { try body(Day(rawValue: index), figures) }
      return true
    }
  }

  /// Informs observers that a query read the totals.
  package static func noteReading(in view: borrowing View) throws {
    view.noteReading(try view.tables(of: MonthlyTotals.self)[totals])
  }

  // MARK: Rows

  private static func figures(
    in range: Range<Day>, quietFrom: Day?, _ table: Table, _ view: borrowing View
  ) throws -> [Figures] {
    var totals: [Currency: Sums] = [:]
    for span in PeriodSpan.spans(of: range, quietFrom: quietFrom) {
      try view.forEachSum(in: table, prefix: TableKey(), span) { key, sums in
        let (_, currency) = try place(key)
        totals[currency, default: Sums()] += span.isSubtracted ? -sums : sums
        return true
      }
    }
    return try totals.sorted { $0.key < $1.key }.compactMap { try figures($0.value, $0.key) }
  }

  @inline(__always)
  private static func figures(_ sums: Sums, _ currency: Currency) throws -> Figures? {
    if sums.isZero { return nil }
    let count = try checkedCount(sums[3], in: name, "\(currency)")
    return Figures(
      currency: currency, income: sums[0], expense: sums[1], transfers: sums[2], count: count)
  }

  @inline(__always)
  private static func place(_ key: RawSpan) throws -> (index: Int32, currency: Currency) {
    var reader = ByteReader(key)
    let index = try reader.keyIndex()
    return (index, try reader.keyCurrency())
  }
}
