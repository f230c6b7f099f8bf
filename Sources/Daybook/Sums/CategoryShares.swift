internal import DaybookEngine
import DaybookProjections

/// Converts the amounts of lists such that the parts of a list add up to the whole.
///
/// What a category has on a day in a currency is converted and rounded once, as in the figures of
/// categories, months and budgets. If only some of its transactions are in a list, each has its
/// share; see `Conversion.shares(of:)`.
struct CategoryShares {
  let base: Currency
  private let isExcluded: Bool
  private var converter: Converter
  private var tree: CategoryTree?
  private var day: Day?
  // What the categories have on `day`, without amounts whose cost is stated.
  private var figures: [CategoryTotals.Figures] = []
  // The transactions of `day` by category and currency, once they were needed.
  private var rows: [Place: [Row]]?

  private struct Place: Hashable {
    let category: CategoryID
    let currency: Currency
  }

  private struct Row {
    let number: UInt64
    var net: Int128
    var share: Int128 = 0
  }

  /// - Parameter isExcluded: Whether the list contains what totals leave out, instead of what counts.
  init(to base: Currency, isExcluded: Bool = false) {
    self.base = base
    self.isExcluded = isExcluded
    converter = Converter(to: base)
  }

  /// Converts the money in, the money out and the transfers of a day in another currency; returns
  /// `nil` if no rate is known.
  ///
  /// - Parameters:
  ///   - found: The sums to which the amounts belong.
  ///   - selection: The selection, or `nil` if the rows were read.
  mutating func convert(
    _ amount: Sums, _ currency: Currency, on day: Day, of found: SelectionSums,
    _ selection: Selection?, in snapshot: borrowing Snapshot
  ) throws -> Sums? {
    guard let conversion = try converter.conversion(from: currency, on: day, in: snapshot) else {
      return nil
    }
    var units = Sums()
    for field in 0..<3 where amount[field] != 0 {
      units[field] = try conversion.convert(amount[field])
    }
    // Postings to accounts have no categories.
    if selection?.accounts != nil || (amount[0] == 0 && amount[1] == 0) { return units }
    try begin(day, in: snapshot)
    let net: Int128
    if let selection, found.parts.isEmpty {
      net = try stored(selection, amount, currency, conversion, in: snapshot)
    } else {
      net = try shares(of: found.parts[day] ?? [], currency, conversion, in: snapshot)
    }
    // A posting to a category is money that went out.
    if amount[0] == 0 { units[1] = net } else { units[0] = units[1] - net }
    return units
  }

  private mutating func begin(_ day: Day, in snapshot: borrowing Snapshot) throws {
    if day == self.day { return }
    let days = day..<day.adding(days: 1)
    let costs = try CategoryTotals.costs(in: base, on: days, in: snapshot.view)
    figures = try snapshot.categoryFigures(
      on: day, replacing: costs[day], by: base, isExcluded: isExcluded)
    (self.day, rows) = (day, nil)
    tree = try tree ?? snapshot.chartOfAccounts().tree
  }

  // Sums what whole categories have.
  private mutating func stored(
    _ selection: Selection, _ amount: Sums, _ currency: Currency, _ conversion: Conversion,
    in snapshot: borrowing Snapshot
  ) throws -> Int128 {
    let wanted = selection.categories.map { Set($0.map(\.number)) }
    let kind = selection.type.map { $0 == .income ? CategoryKind.income : .expense }
    var (net, moneyIn, moneyOut): (Int128, Int128, Int128) = (0, 0, 0)
    for figures in figures where figures.key.currency == currency {
      if let wanted, !wanted.contains(figures.key.category) { continue }
      if let kind, tree?.category(figures.key.category)?.kind != kind { continue }
      net += try conversion.convert(figures.moneyIn - figures.moneyOut)
      moneyIn += figures.moneyIn
      moneyOut += figures.moneyOut
    }
    // An income can have parts in expense categories. Then the day's rows are read.
    guard let day, kind != nil, (moneyOut, moneyIn) != (amount[0], amount[1]) else { return net }
    let found = try Transactions.sums(selection, on: day, base: base, in: snapshot.view)
    return try shares(of: found.parts[day] ?? [], currency, conversion, in: snapshot)
  }

  // Sums the shares of some transactions in what their categories have.
  private mutating func shares(
    of parts: [CategoryPart], _ currency: Currency, _ conversion: Conversion,
    in snapshot: borrowing Snapshot
  ) throws -> Int128 {
    var sum: Int128 = 0
    let own = parts.filter { $0.currency == currency }
    for (category, parts) in Dictionary(grouping: own, by: \.category) {
      let whole = figures.first {
        $0.key.currency == currency && tree?.category($0.key.category)?.id == category
      }
      if whole?.count == parts.count {
        sum += try conversion.convert(parts.reduce(0) { $0 + $1.net })
        continue
      }
      let place = Place(category: category, currency: currency)
      let rows = try rows(of: place, conversion, in: snapshot)
      let numbers = Set(parts.map(\.number))
      for row in rows where numbers.contains(row.number) { sum += row.share }
    }
    return sum
  }

  private mutating func rows(
    of place: Place, _ conversion: Conversion, in snapshot: borrowing Snapshot
  ) throws -> [Row] {
    if let known = rows?[place] { return known }
    guard let day else { return [] }
    var found: [Row] = []
    let base = base
    let exclusions = try snapshot.excludedRows()?.exclusions
    let isLeftOut = exclusions?.categories.contains(place.category.rawValue) ?? false
    try snapshot.view.forEachEntity(
      .transaction, from: StatePosition(cluster: day.biased, number: 0),
      to: StatePosition(cluster: day.biased + 1, number: 0)
    ) { position, id, record in
      let transaction = try Transaction(record, id: id, number: position.number)
      let own = transaction.postings.filter {
        $0.account == .category(place.category) && $0.amount.currency == place.currency
      }
      if own.isEmpty || transaction.settledCurrency == base { return true }
      let isWhole = exclusions?.leavesOut(transaction) ?? false
      if (isWhole || isLeftOut) != isExcluded { return true }
      found.append(
        Row(
          number: position.number, net: own.reduce(0) { $0 + Int128($1.amount.minorUnits) }))
      return true
    }
    let shares = try conversion.shares(of: found.map(\.net))
    for index in found.indices { found[index].share = shares[index] }
    rows = (rows ?? [:]).merging([place: found]) { $1 }
    return found
  }
}
