internal import DaybookEngine
internal import DaybookProjections

// What the rows add to stored totals and totals leave out.

extension ExcludedRows.Row {
  /// All lines of the transaction.
  var lines: Lines { lines(where: { _ in true }) }

  /// The lines of which something counts.
  var countedLines: Lines {
    lines(where: { extent != .whole && (!$0.isExcluded || $0.kind == .account) })
  }

  private func lines(where isWanted: (ExcludedRows.Part) -> Bool) -> Lines {
    var lines = Lines()
    for part in parts where isWanted(part) {
      lines.add(
        Line(kind: part.kind, number: part.number, currency: part.currency, units: part.units))
    }
    return lines
  }
}

extension Lines {
  /// What each line costs in a currency, by position, if the transaction states it.
  func costs(in currency: Currency?) -> [Int: Int128] {
    guard let currency, let settlement, settlement.currency == currency else { return [:] }
    return Dictionary(
      settled(settlement).map { ($0.position, $0.cost) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ExcludedRows {
  /// Returns what is left out of income, expense, transfers and counts, by day and currency.
  func totals(on days: Range<Day>) -> [Day: [Currency: Sums]] {
    var found: [Day: [Currency: Sums]] = [:]
    for row in rows(on: days) where row.extent != .nothing {
      let lines = row.lines
      let (isTransfer, day) = (row.type == .transfer, row.place.day)
      for (currency, sums) in MonthlyTotals.figures(of: lines, isTransfer: isTransfer) {
        found[day, default: [:]][currency, default: Sums()] += sums
      }
      for (currency, sums) in MonthlyTotals.figures(of: row.countedLines, isTransfer: isTransfer) {
        found[day, default: [:]][currency, default: Sums()] += -sums
      }
    }
    return found
  }

  /// Returns whether a line is left out.
  ///
  /// - Parameter ignoringCategories: Whether excluded categories count.
  func isLeftOut(_ line: Line, of row: Row, ignoringCategories: Bool = false) -> Bool {
    row.extent == .whole
      || line.isCategory && !ignoringCategories && categories.contains(line.number)
  }

  /// Returns what is left out of categories, by day: the amounts in and out, and the counts.
  ///
  /// - Parameters:
  ///   - currency: If given, amounts whose cost in this currency is stated are replaced by their
  ///     cost.
  ///   - ignoringCategories: Whether excluded categories count, because one of them is queried.
  ///   - target: Returns the number of the category to which a category's amounts are added; `nil`
  ///     to skip them. A transaction is counted once for each target and currency.
  func categoryTotals(
    on days: Range<Day>, settledIn currency: Currency? = nil, ignoringCategories: Bool = false,
    where isWanted: (Row) -> Bool = { _ in true }, target: (UInt32) -> UInt32? = { $0 }
  ) -> [Day: [CategoryTotals.Key: Sums]] {
    var found: [Day: [CategoryTotals.Key: Sums]] = [:]
    for row in rows(on: days) where row.extent != .nothing && isWanted(row) {
      let lines = row.lines
      let costs = lines.costs(in: currency)
      var (leftOut, counted): (Set<CategoryTotals.Key>, Set<CategoryTotals.Key>) = ([], [])
      for position in 0..<lines.count where lines[position].isCategory {
        let line = lines[position]
        guard let category = target(line.number) else { continue }
        let cost = costs[position]
        let key = CategoryTotals.Key(
          category: category, currency: cost == nil ? line.currency : currency ?? line.currency)
        guard isLeftOut(line, of: row, ignoringCategories: ignoringCategories) else {
          counted.insert(key)
          continue
        }
        leftOut.insert(key)
        let sums =
          cost.map { Sums(max($0, 0), max(-$0, 0)) } ?? Sums(line.moneyIn, line.moneyOut)
        found[row.place.day, default: [:]][key, default: Sums()] += sums
      }
      for key in leftOut.subtracting(counted) {
        found[row.place.day, default: [:]][key, default: Sums()] += Sums(0, 0, 1)
      }
    }
    return found
  }

  /// Returns, by day, the part of the left out spending whose cost in a currency is stated, with the
  /// sign reversed.
  func settled(
    in currency: Currency, on days: Range<Day>
  ) -> [Day: [CategoryTotals.Settled]] {
    var found: [Day: [CategoryTotals.Settled]] = [:]
    for row in rows(on: days) where row.extent != .nothing {
      let lines = row.lines
      for (position, cost) in lines.costs(in: currency) where isLeftOut(lines[position], of: row) {
        let line = lines[position]
        found[row.place.day, default: []].append(
          CategoryTotals.Settled(
            key: CategoryTotals.Key(category: line.number, currency: line.currency),
            net: -line.net, cost: -cost, count: -1))
      }
    }
    return found
  }
}

extension CategoryTotals.Figures {
  /// Creates figures of the amounts in and out, and the count.
  init(_ sums: Sums, of key: CategoryTotals.Key) {
    self.init(key: key, moneyIn: sums[0], moneyOut: sums[1], count: Int(clamping: sums[2]))
  }

  /// Creates figures with the sign reversed, to subtract amounts that are left out.
  init(subtracting sums: Sums, of key: CategoryTotals.Key) {
    self.init(-sums, of: key)
  }
}
