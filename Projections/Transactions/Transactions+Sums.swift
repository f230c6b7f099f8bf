package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

/// What a transaction has in a category in one currency.
package struct CategoryPart {
  /// The category.
  package let category: CategoryID
  /// The currency.
  package let currency: Currency
  /// The transaction's recording number.
  package let number: UInt64
  /// The sum of its postings to the category.
  package fileprivate(set) var net: Int128
}

/// The count and the amounts of selected transactions.
///
/// The fields of the amounts are the money that came in, the money that went out, and the amount of
/// transfers; see ``Selection/forEachAmount(of:_:)``.
package struct SelectionSums {
  /// The number of transactions.
  package private(set) var count = 0
  /// The number of rows that were read.
  package private(set) var readCount = 0
  /// Whether every selected transaction is included, because the maximum of rows sufficed.
  package private(set) var isComplete = true
  /// The amounts in each currency.
  package private(set) var amounts: [Currency: Sums] = [:]
  /// The amounts in the base currency, including the costs that transactions state in it.
  package private(set) var own = Sums()
  /// By day, the amounts in other currencies whose cost isn't stated in the base currency.
  package private(set) var foreign: [Day: [Currency: Sums]] = [:]
  /// By day, the transactions' parts in categories that make up ``foreign``; empty if the sums are
  /// from stored totals.
  package private(set) var parts: [Day: [CategoryPart]] = [:]
  /// The number of transactions that add to each field of ``foreign``; empty if the sums are from
  /// stored totals.
  package private(set) var contributors: [Day: [Currency: Sums]] = [:]

  /// The sums of what the others leave out: one element, or empty if there are no exclusions.
  package fileprivate(set) var leftOut: [SelectionSums] = []

  private let base: Currency?

  /// Creates empty sums.
  package init(base: Currency?) { self.base = base }

  /// Adds a row's amounts, which are converted on a day.
  ///
  /// - Parameter number: The transaction's recording number.
  package mutating func add(
    _ record: RawSpan, _ number: UInt64, on day: Day, of selection: Selection
  ) throws {
    count += 1
    let figures = try TransactionFigures(record)
    var row: [Currency: Sums] = [:]
    var parts: [CategoryPart] = []
    try selection.forEachAmount(of: figures, in: record) { currency, category, sums in
      add(sums, in: currency)
      if base == nil || currency == base { return }
      row[currency, default: Sums()] += sums
      guard let category else { return }
      let net = sums[1] - sums[0]
      if let index = parts.firstIndex(where: { $0.category == category && $0.currency == currency })
      {
        parts[index].net += net
      } else {
        parts.append(
          CategoryPart(category: category, currency: currency, number: number, net: net))
      }
    }
    guard let base, !row.isEmpty else { return }
    if let cost = try selection.cost(of: figures, record, in: base) {
      row[cost.original, default: Sums()] += -cost.replaced
      own += cost.cost
      parts.removeAll { $0.currency == cost.original }
    }
    if !parts.isEmpty { self.parts[day, default: []] += parts }
    for (currency, sums) in row where !sums.isZero {
      foreign[day, default: [:]][currency, default: Sums()] += sums
      contributors[day, default: [:]][currency, default: Sums()] +=
        Sums(sums[0] == 0 ? 0 : 1, sums[1] == 0 ? 0 : 1, sums[2] == 0 ? 0 : 1)
    }
  }

  /// Replaces a row's amounts by their cost, if the transaction states it in the base currency.
  fileprivate mutating func addCost(
    of record: RawSpan, on day: Day, of selection: Selection
  ) throws {
    let figures = try TransactionFigures(record)
    guard let base, let cost = try selection.cost(of: figures, record, in: base) else { return }
    add(-cost.replaced, in: cost.original, on: day)
    own += cost.cost
  }

  fileprivate mutating func add(_ sums: Sums, in currency: Currency, on day: Day) {
    if currency == base {
      own += sums
    } else {
      foreign[day, default: [:]][currency, default: Sums()] += sums
    }
  }

  fileprivate mutating func add(_ sums: Sums, in currency: Currency) {
    amounts[currency, default: Sums()] += sums
    if currency == base { own += sums }
  }

  /// Subtracts the amounts that totals leave out, and keeps them as ``leftOut``.
  fileprivate mutating func subtract(_ other: SelectionSums) {
    for (currency, sums) in other.amounts { amounts[currency, default: Sums()] += -sums }
    own += -other.own
    for (day, amounts) in other.foreign {
      for (currency, sums) in amounts {
        foreign[day, default: [:]][currency, default: Sums()] += -sums
      }
    }
    readCount += other.readCount
    isComplete = isComplete && other.isComplete
    leftOut = [other]
  }

  fileprivate mutating func finish(count: Int) { self.count = count }

  fileprivate mutating func finish(readCount: Int, isComplete: Bool) {
    self.readCount += readCount
    self.isComplete = isComplete
  }
}

extension Selection {
  /// Calls `body` with each amount that a transaction adds to the selection's sums.
  ///
  /// With a condition on accounts, these are the postings to the accounts. Otherwise they are the
  /// postings to categories, in the selected ones if there is such a condition. Without either,
  /// transfers add the amounts that left accounts. With a condition on the currency, amounts in
  /// other currencies are left out.
  func forEachAmount(
    of figures: borrowing TransactionFigures, in record: RawSpan,
    _ body: (Currency, CategoryID?, Sums) -> Void
  ) throws {
    let summed = try self.summed(of: record)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      if let currency, cursor.currency != currency { continue }
      let units = Int128(cursor.units)
      let code = cursor.code
      if accounts != nil {
        guard !code.isCategory, isIn(accounts, cursor.id), summed.includesAccounts else { continue }
        body(cursor.currency, nil, Sums(max(units, 0), max(-units, 0)))
      } else if code.isCategory {
        if categories != nil, !isIn(categories, cursor.id) { continue }
        if !summed.includesPart(in: cursor.id) { continue }
        body(cursor.currency, CategoryID(cursor.id), Sums(max(-units, 0), max(units, 0)))
      } else if categories == nil, figures.type == .transfer, code == .account, units < 0,
        summed.includesTransfer
      {
        body(cursor.currency, nil, Sums(0, 0, -units))
      }
    }
  }

  /// Returns the part of a transaction's amounts whose cost in a currency is stated, and that cost;
  /// see ``Settlement``.
  fileprivate func cost(
    of figures: borrowing TransactionFigures, _ record: RawSpan, in base: Currency
  ) throws -> (original: Currency, replaced: Sums, cost: Sums)? {
    if accounts != nil || figures.type == .transfer { return nil }
    var lines = Lines()
    var ids: [EntityID] = []
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let isCategory = cursor.code.isCategory
      var number = cursor.code.builtinNumber
      if isCategory || number == 0 {
        let index = ids.firstIndex(of: cursor.id) ?? ids.endIndex
        if index == ids.endIndex { ids.append(cursor.id) }
        // Numbers of built-in accounts are below 16.
        number = 16 + UInt32(index)
      }
      lines.add(
        Line(
          kind: isCategory ? .expense : .account, number: number, currency: cursor.currency,
          units: cursor.units))
    }
    guard let settlement = lines.settlement, settlement.currency == base,
      currency ?? settlement.original == settlement.original
    else { return nil }
    let summed = try self.summed(of: record)
    var (replaced, cost) = (Sums(), Sums())
    for part in lines.settled(settlement) {
      let line = lines[part.position]
      let category = ids[Int(line.number) - 16]
      if categories != nil, !isIn(categories, category) { continue }
      if !summed.includesPart(in: category) { continue }
      replaced += Sums(line.moneyOut, line.moneyIn)
      cost += Sums(max(-part.cost, 0), max(part.cost, 0))
    }
    return (settlement.original, replaced, cost)
  }
}

extension Transactions {
  /// Adds up the amounts of the selected transactions.
  ///
  /// - Parameters:
  ///   - base: The currency to which the caller converts the sums, if any.
  ///   - rowCountMax: The maximum number of rows to read. If more are needed, the sums are those of
  ///     the newest rows.
  /// - Complexity: O(years + months and days at the ends of the range) for one condition, plus
  ///   O(days) for each currency other than `base`. With several conditions or a text, the rows of
  ///   the shortest list are read.
  package static func sums(
    _ selection: Selection, base: Currency?, readingAtMost rowCountMax: Int, in view: borrowing View
  ) throws -> SelectionSums {
    let handle = try view.tables(of: Transactions.self)
    let path = try AccessPath.choose(for: selection, handle, view)
    if try path.isSummed(selection, base: base, view) {
      var sums = try storedSums(selection.withoutExclusions, path, base: base, handle, view)
      if let leftOut = selection.leftOut {
        sums.subtract(
          try readSums(leftOut, base: base, readingAtMost: rowCountMax, handle, view))
      }
      return sums
    }
    return try readSums(selection, base: base, readingAtMost: rowCountMax, handle, view)
  }

  /// Adds up the amounts of the selected transactions of a day from their rows.
  package static func sums(
    _ selection: Selection, on day: Day, base: Currency, in view: borrowing View
  ) throws -> SelectionSums {
    let whole = selection.limited(to: day..<day.adding(days: 1))
    let handle = try view.tables(of: Transactions.self)
    return try readSums(whole, base: base, readingAtMost: .max, handle, view)
  }

  private static func readSums(
    _ selection: Selection, base: Currency?, readingAtMost rowCountMax: Int,
    _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> SelectionSums {
    var selection = selection
    let isCancelled = selection.isCancelled
    var readCount = 0
    var isCutShort = false
    selection.isCancelled = {
      isCutShort = readCount >= rowCountMax
      if isCutShort { return true }
      readCount += 1
      return isCancelled?() ?? false
    }
    var path = try AccessPath.choose(for: selection, handle, view)
    path.readsAll = true
    let isTested = path.isTested
    var sums = SelectionSums(base: base)
    let leftOut = selection.leftOut
    var excluded = SelectionSums(base: base)
    do {
      try path.forEachRow(in: selection.bounds(after: nil), handle, view) { row, _, record in
        if !isTested { try selection.checkCancellation() }
        try sums.add(record, UInt64(row.number), on: row.day, of: selection)
        if let leftOut, try leftOut.acceptsExclusion(of: record) {
          try excluded.add(record, UInt64(row.number), on: row.day, of: leftOut)
        }
        return true
      }
    } catch is CancellationError where isCutShort {}
    sums.finish(readCount: readCount, isComplete: !isCutShort)
    if leftOut != nil { sums.leftOut = [excluded] }
    return sums
  }

  private static func storedSums(
    _ selection: Selection, _ path: AccessPath, base: Currency?, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> SelectionSums {
    let days = selection.days ?? Period(level: .all, index: 0).days
    var sums = SelectionSums(base: base)
    for buckets in path.buckets {
      switch buckets {
      case .all:
        for type in TransactionType.allCases {
          for case .type(_, let currency, _) in try AccessPath.type(type, handle, view).buckets {
            try add(type, currency, days, base: base, to: &sums, handle, view)
          }
        }
      case .type(let type, let currency, _):
        try add(type, currency, days, base: base, to: &sums, handle, view)
      case .account(let key):
        try addFlow(of: key, days, base: base, to: &sums, view)
      }
    }
    if let categories = selection.categories, !categories.isEmpty {
      try addCategories(categories, selection, days, base: base, to: &sums, handle, view)
    }
    sums.finish(count: try count(selection, in: view))
    return sums
  }

  private static func add(
    _ type: TransactionType, _ currency: Currency, _ days: Range<Day>, base: Currency?,
    to sums: inout SelectionSums, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws {
    func amounts(_ sums: Sums) -> Sums {
      type == .transfer ? Sums(0, 0, sums[1]) : Sums(sums[1], sums[2])
    }
    let prefix = BucketKey.type(type, currency)
    for span in PeriodSpan.spans(of: days) {
      try view.forEachSum(in: handle[buckets], prefix: prefix, span) { _, found in
        sums.add(amounts(span.isSubtracted ? -found : found), in: currency)
        return true
      }
    }
    guard let base, base != currency else { return }
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try view.forEachSum(in: handle[buckets], prefix: prefix, span) { key, found in
      sums.add(amounts(found), in: currency, on: try day(key, after: prefix))
      return true
    }
    let settlement = BucketKey.settled(type, currency, base)
    try view.forEachSum(in: handle[settled], prefix: settlement, span) { key, found in
      let day = try day(key, after: settlement)
      sums.add(-Sums(found[0], found[1]), in: currency, on: day)
      sums.add(Sums(found[2], found[3]), in: base, on: day)
      return true
    }
  }

  private static func day(_ key: RawSpan, after prefix: TableKey) throws -> Day {
    var reader = ByteReader(key)
    reader.offset = prefix.count
    return Day(rawValue: try reader.keyIndex())
  }

  private static func addFlow(
    of key: Selection.Key, _ days: Range<Day>, base: Currency?, to sums: inout SelectionSums,
    _ view: borrowing View
  ) throws {
    let currency = try Buckets.currency(of: key, view)
    let flow = try Balances.flow(of: key.number, in: days, in: view)
    sums.add(Sums(flow.moneyIn, flow.moneyOut), in: currency)
    guard let base, base != currency else { return }
    let span = PeriodSpan(.day, days.lowerBound.rawValue, days.upperBound.rawValue)
    try Balances.forEachFlow(of: key.number, in: span, in: view) { index, flow in
      sums.add(Sums(flow.moneyIn, flow.moneyOut), in: currency, on: Day(rawValue: index))
      return true
    }
  }

  private static func addCategories(
    _ categories: [Selection.Key], _ selection: Selection, _ days: Range<Day>, base: Currency?,
    to sums: inout SelectionSums, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws {
    let numbers = Set(categories.map(\.number))
    var hasForeign = false
    try CategoryTotals.forEachCategory(in: days, today: nil, in: view) { figures in
      guard numbers.contains(figures.key.category) else { return }
      sums.add(Sums(figures.moneyOut, figures.moneyIn), in: figures.key.currency)
      if let base, figures.key.currency != base { hasForeign = true }
    }
    guard let base, hasForeign else { return }
    try CategoryTotals.forEachDay(in: days, today: nil, in: view) { day, figures in
      guard numbers.contains(figures.key.category), figures.key.currency != base else { return }
      sums.add(Sums(figures.moneyOut, figures.moneyIn), in: figures.key.currency, on: day)
    }
    // The table of costs doesn't tell money in from money out, so the rows of these days are read.
    var readCount = 0
    for (day, costs) in try CategoryTotals.costs(in: base, on: days, in: view)
    where costs.keys.contains(where: { numbers.contains($0.category) }) {
      let whole = selection.limited(to: day..<day.adding(days: 1))
      try AccessPath.choose(for: whole, handle, view)
        .forEachRow(in: whole.bounds(after: nil), handle, view) { _, _, record in
          try selection.checkCancellation()
          readCount += 1
          try sums.addCost(of: record, on: day, of: selection)
          return true
        }
    }
    sums.finish(readCount: readCount, isComplete: true)
  }
}

extension AccessPath {
  /// Whether tables of totals have the sums of the path's rows.
  ///
  /// The totals of an account count a transaction on the day of the account. The list of several
  /// accounts shows it on its own day, so there they are the same only over all days.
  fileprivate func isSummed(
    _ selection: Selection, base: Currency?, _ view: borrowing View
  ) throws -> Bool {
    guard kinds.count < 2, !isTested else { return false }
    guard let accounts = selection.accounts, accounts.count != 1 else { return true }
    guard selection.days == nil else { return false }
    guard let base else { return true }
    return try accounts.allSatisfy { try Buckets.currency(of: $0, view) == base }
  }
}
