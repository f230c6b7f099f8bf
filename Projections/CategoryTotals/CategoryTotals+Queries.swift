package import Bookkeeping
import Entities
package import Projecting
import ProjectionSupport

extension CategoryTotals {
  /// A category and a currency.
  package struct Key: Hashable, Comparable, Sendable {
    /// The category's number.
    package let category: UInt32
    /// The currency.
    package let currency: Currency

    /// Orders by category, then by the currency's code.
    package static func < (left: Key, right: Key) -> Bool {
      left.category != right.category
        ? left.category < right.category : left.currency < right.currency
    }
  }

  /// What went into and came out of a category in one currency.
  package struct Figures: Hashable, Sendable {
    /// The category's number, and the currency of the amounts.
    package let key: Key
    /// The sum of the positive postings in minor units: what was spent.
    package let moneyIn: Int128
    /// The sum of the negative postings without their sign: refunds, or what was earned.
    package let moneyOut: Int128
    /// How many transactions touch it.
    package let count: Int
  }

  /// Gives the figures of every category in a range of days, as far as `today`, to `body`: by category
  /// number, and within a category in the order of the keys: three letters with two decimals first, then by length.
  ///
  /// - Parameters:
  ///   - today: rows dated later don't count; `nil` counts them all.
  ///   - parents: the number of the category above, for each that has one. Where it is given, what a
  ///     category's subcategories have is part of its own figures, and a transaction that touches
  ///     several of them is counted once.
  /// - Complexity: O(categories) for one period; a range is cut into few periods.
  package static func forEachCategory(
    in range: Range<Day>, today: Day?, rollingUp parents: [UInt32: UInt32]? = nil,
    in view: borrowing View, _ body: (Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let spans = PeriodSpan.spans(
      of: days, quietFrom: today?.adding(days: 1), takingAllTime: true)
    if spans.count == 1, spans[0].isSinglePeriod, parents == nil {
      // The rows of one period are in order already.
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

  /// The figures of every category in a range of days, by category number, then by currency; see
  /// ``forEachCategory(in:today:rollingUp:in:_:)``.
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

  /// The figures of some categories taken together, month by month, as far as `today`; by currency in
  /// order of codes.
  ///
  /// - Parameter categories: numbers. A transaction that touches several of them is counted once.
  /// - Returns: one element for each month, empty where nothing happened. The figures carry the first
  ///   of the categories.
  /// - Complexity: O(months x categories).
  package static func trend(
    of categories: [UInt32], over months: Range<Month>, today: Day?, in view: borrowing View
  ) throws -> [(month: Month, figures: [Figures])] {
    let handle = try view.tables(of: CategoryTotals.self)
    guard let first = categories.first else { return months.map { ($0, []) } }
    // All of them roll up to the first.
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

  /// Gives the figures of each day, category and currency of a range, as far as `today`, to `body`, in
  /// order of days: what is converted at each day's rate.
  package static func forEachDay(
    in range: Range<Day>, today: Day?, in view: borrowing View,
    _ body: (Day, Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try view.forEachSum(in: handle[totals], prefix: TableKey(), span) { key, sums in
      let (index, key) = try place(key)
      if let figures = try figures(sums, key) { try body(Day(rawValue: index), figures) }
      return true
    }
  }

  /// Gives the figures of each day and currency of some categories in a range, as far as `today`, to
  /// `body`, in order of days.
  ///
  /// - Complexity: O(days × categories).
  package static func forEachDay(
    of categories: [UInt32], in range: Range<Day>, today: Day?, in view: borrowing View,
    _ body: (Day, Figures) throws -> Void
  ) throws {
    let handle = try view.tables(of: CategoryTotals.self)
    let days = range.through(today)
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try forEachSum(of: categories, span, handle[totals], view) { index, key, sums in
      if let figures = try figures(sums, key) { try body(Day(rawValue: index), figures) }
    }
  }

  /// How many transactions touch each of some categories in a period, added up.
  ///
  /// A transaction that touches several of them is counted under each.
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

  // Gives the sums of some categories in each period of a span.
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

  // Gives the categories and currencies of each transaction that touches several categories.
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

  // Inlined, as is the place: what they return would be written word by word and at once be read two
  // words at a time, for which the processor waits.
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
