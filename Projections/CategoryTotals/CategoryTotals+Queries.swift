package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension CategoryTotals {
  /// A category and a currency.
  package struct Key: Hashable, Comparable, Sendable {
    /// The category's recording number.
    package let category: UInt32
    /// The currency.
    package let currency: Currency

    /// Creates a key.
    package init(category: UInt32, currency: Currency) {
      self.category = category
      self.currency = currency
    }

    /// Orders keys by category, then by the currency's code.
    package static func < (left: Key, right: Key) -> Bool {
      left.category != right.category
        ? left.category < right.category : left.currency < right.currency
    }
  }

  /// The amounts posted to and from a category in one currency.
  package struct Figures: Hashable, Sendable {
    /// The category and the currency of the amounts.
    package let key: Key
    /// The sum of the positive postings, in minor units: the spending of an expense category.
    package let moneyIn: Int128
    /// The sum of the negative postings, without its sign.
    ///
    /// It represents the refunds of an expense category, or the income of an income category.
    package let moneyOut: Int128
    /// The number of transactions with postings to the category.
    package let count: Int

    /// Creates figures.
    package init(key: Key, moneyIn: Int128, moneyOut: Int128, count: Int) {
      self.key = key
      self.moneyIn = moneyIn
      self.moneyOut = moneyOut
      self.count = count
    }
  }

  /// Calls `body` with the figures of every category in a range of days, up to `today`.
  ///
  /// The figures are ordered by category number. Within a category, they are in the order of keys:
  /// currency codes of three letters with two decimals first, then other codes by length.
  ///
  /// - Parameters:
  ///   - today: The last day that counts, or `nil` to count all days.
  ///   - parents: For each category with a parent, the parent's number. If given, a category's
  ///     figures include those of its subcategories, and a transaction with postings to several of
  ///     these categories is counted once.
  /// - Complexity: O(categories) for one period. A range of days is divided into a few periods.
  package static func forEachCategory(
    in range: Range<Day>, today: Day?, rollingUp parents: [UInt32: UInt32]? = nil,
    in view: borrowing View, _ body: (Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let spans = PeriodSpan.spans(
      of: days, quietFrom: today?.adding(days: 1), takingAllTime: true)
    if spans.count == 1, spans[0].isSinglePeriod, parents == nil {
      // The rows of a single period are already in order.
      return try view.forEachSum(in: handle[totals], prefix: TableKey(), spans[0]) { key, sums in
        if let figures = try figures(sums, place(key).key) { try body(figures) }
        return true
      }
    }
    var gathered = Gathered()
    for span in spans {
      try view.forEachSum(in: handle[totals], prefix: TableKey(), span) { key, sums in
        let (_, key) = try place(key)
        gathered.add(span.isSubtracted ? -sums : sums, to: key)
        return true
      }
    }
    if let parents {
      gathered.rollUp(parents)
      try forEachSplit(in: days, handle[splits], view) { gathered.takeRepeated($0, parents) }
    }
    try gathered.forEachFigure(body)
  }

  /// Returns the figures of every category in a range of days, ordered by category number and
  /// currency code.
  ///
  /// See ``forEachCategory(in:today:rollingUp:in:_:)``.
  package static func breakdown(
    in range: Range<Day>, today: Day?, rollingUp parents: [UInt32: UInt32]? = nil,
    in view: borrowing View
  ) throws -> [Figures] {
    var figures: [Figures] = []
    try forEachCategory(in: range, today: today, rollingUp: parents, in: view) {
      figures.append($0)
    }
    return figures.sorted { $0.key < $1.key }
  }

  /// Calls `body` with the figures of each category in each month before a month, by ascending
  /// month.
  ///
  /// - Complexity: O(months × categories with rows).
  package static func forEachMonth(
    before end: Month, in view: borrowing View, _ body: (Month, Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let span = PeriodSpan(.month, .min, end.rawValue)
    try view.forEachSum(in: handle[totals], prefix: TableKey(), span) { key, sums in
      let (index, key) = try place(key)
      if let figures = try figures(sums, key) { try body(Month(rawValue: index), figures) }
      return true
    }
  }

  /// Returns the combined figures of some categories for each month, up to `today`, ordered by
  /// currency code.
  ///
  /// - Parameter categories: The categories' numbers. A transaction with postings to several of
  ///   them is counted once.
  /// - Returns: An element for each month, without figures if the month has no transactions. The
  ///   figures contain the number of the first category.
  /// - Complexity: O(months × categories).
  package static func trend(
    of categories: [UInt32], over months: Range<Month>, today: Day?, in view: borrowing View
  ) throws -> [(month: Month, figures: [Figures])] {
    let handle = try view.tables(of: CategoryTotals.self)
    guard let first = categories.first else { return months.map { ($0, []) } }
    // Roll up all other categories to the first one.
    var parents: [UInt32: UInt32] = [:]
    for category in categories where category != first { parents[category] = first }
    var result: [(month: Month, figures: [Figures])] = []
    for month in months {
      var gathered = Gathered()
      let days = month.days.through(today)
      for span in PeriodSpan.spans(of: days, quietFrom: today?.adding(days: 1)) {
        try gather(categories, span, handle[totals], view, &gathered)
      }
      if !parents.isEmpty, gathered.mayRepeat {
        try forEachSplit(in: days, handle[splits], view) { gathered.takeRepeated($0, parents) }
      }
      var figures: [Figures] = []
      try gathered.forEachFigure { figures.append($0) }
      result.append((month, figures))
    }
    return result
  }

  /// Calls `body` with the figures of each day, category and currency in a range, up to `today`.
  ///
  /// The figures are ordered by day, so that they can be converted at each day's rate.
  ///
  /// - Parameter currency: If given, amounts whose cost in this currency is stated are replaced by
  ///   figures of their cost.
  package static func forEachDay(
    in range: Range<Day>, today: Day?, settledIn currency: Currency? = nil,
    in view: borrowing View, _ body: (Day, Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let settled = try currency.map { try CategoryTotals.costs(in: $0, on: days, in: view) }
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try view.forEachSum(in: handle[totals], prefix: TableKey(), span) { key, sums in
      let (index, key) = try place(key)
      let day = Day(rawValue: index)
      try figures(sums, key)?.divided(by: settled?[day], in: currency) { try body(day, $0) }
      return true
    }
  }

  /// Calls `body` with the figures of each day and currency for some categories, up to `today`.
  ///
  /// The figures are ordered by day.
  ///
  /// - Parameter currency: If given, amounts whose cost in this currency is stated are replaced by
  ///   figures of their cost.
  /// - Complexity: O(days × categories).
  package static func forEachDay(
    of categories: [UInt32], in range: Range<Day>, today: Day?, settledIn currency: Currency? = nil,
    in view: borrowing View, _ body: (Day, Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let settled = try currency.map { try CategoryTotals.costs(in: $0, on: days, in: view) }
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try forEachSum(of: categories, span, handle[totals], view) { index, key, sums in
      let day = Day(rawValue: index)
      try figures(sums, key)?.divided(by: settled?[day], in: currency) { try body(day, $0) }
    }
  }

  /// Calls `body` with the figures of each category on one day, in the order of keys.
  ///
  /// - Parameters:
  ///   - costs: The amounts of the day whose cost in `currency` is stated; they are replaced by
  ///     figures of their cost.
  /// - Complexity: O(log rows + categories with rows).
  package static func forEachCategory(
    on day: Day, replacing costs: [Key: Settled]?, by currency: Currency, in view: borrowing View,
    _ body: (Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let span = PeriodSpan(.day, day.rawValue, day.rawValue + 1)
    try view.forEachSum(in: handle[totals], prefix: TableKey(), span) { key, sums in
      try figures(sums, place(key).key)?.divided(by: costs, in: currency, body)
      return true
    }
  }

  /// Informs observers that a query read the totals of categories.
  package static func noteReading(in view: borrowing View) throws {
    view.noteReading(try view.tables(of: CategoryTotals.self)[totals])
  }

  /// Returns the sum of some categories' numbers of transactions.
  ///
  /// A transaction with postings to several of the categories is counted for each of them.
  package static func count(
    of categories: [UInt32], in period: Period, in view: borrowing View
  ) throws -> Int {
    let table = try view.tables(of: CategoryTotals.self)[totals]
    let span = PeriodSpan(period.level, period.index, period.index + 1)
    var count: Int128 = 0
    try forEachSum(of: categories, span, table, view) { _, _, sums in count += sums[2] - sums[3] }
    return try checkedCount(count, in: name, "\(categories.count) categories in \(period)")
  }

  // MARK: Rows

  private static func gather(
    _ categories: [UInt32], _ span: PeriodSpan, _ table: Table, _ view: borrowing View,
    _ gathered: inout Gathered
  ) throws {
    guard let first = categories.first else { return }
    try forEachSum(of: categories, span, table, view) { _, key, sums in
      let rolled = Key(category: first, currency: key.currency)
      gathered.add(span.isSubtracted ? -sums : sums, to: rolled)
    }
  }

  // Calls `body` with the sums of some categories in each period of a span.
  private static func forEachSum(
    of categories: [UInt32], _ span: PeriodSpan, _ table: Table, _ view: borrowing View,
    _ body: (_ index: Int32, Key, Sums) throws -> Void
  ) throws {
    for index in span.lower..<span.upper {
      var period = TableKey()
      period.append(span.level, index)
      for category in categories {
        var from = period
        from.append(number: category)
        var to = from
        to.append(u8: 0xff)
        try view.forEachSum(in: table, from: from, to: to) { key, sums in
          let (_, key) = try place(key)
          try body(index, key, sums)
          return true
        }
      }
    }
  }

  // Calls `body` with the categories and currencies of each transaction that has postings to
  // several categories.
  private static func forEachSplit(
    in days: Range<Day>, _ table: Table, _ view: borrowing View, _ body: ([Key]) -> Void
  ) throws {
    if days.isEmpty { return }
    var from = TableKey()
    from.append(RowKey.first(of: days.lowerBound))
    var to = TableKey()
    to.append(RowKey.first(of: days.upperBound))
    var row: RowKey?
    var keys: [Key] = []
    try view.forEachRow(in: table, from: from, to: to) { key, _ in
      var reader = ByteReader(key)
      let next = try reader.rowKey()
      if next != row {
        if row != nil { body(keys) }
        row = next
        keys.removeAll(keepingCapacity: true)
      }
      let category = try reader.keyNumber()
      keys.append(Key(category: category, currency: try reader.keyCurrency()))
      return true
    }
    if row != nil { body(keys) }
  }

  // Inlined, like `place(_:)`. Otherwise, the result would be stored word by word and immediately
  // loaded two words at a time, which stalls the processor.
  @inline(__always)
  static func figures(_ sums: Sums, _ key: Key) throws -> Figures? {
    if sums.isZero { return nil }
    let count = try checkedCount(sums[2], in: name, "category \(key.category) in \(key.currency)")
    return Figures(key: key, moneyIn: sums[0], moneyOut: sums[1], count: count)
  }

  @inline(__always)
  static func place(_ key: RawSpan) throws -> (index: Int32, key: Key) {
    var reader = ByteReader(key)
    let index = try reader.keyIndex()
    let category = try reader.keyNumber()
    return (index, Key(category: category, currency: try reader.keyCurrency()))
  }
}
