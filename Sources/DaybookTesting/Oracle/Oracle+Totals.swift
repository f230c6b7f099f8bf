/// Goal: reimplement balances, totals and breakdowns. Method: sum all postings for each query.
package import Daybook

extension Oracle {
  // MARK: Balances

  package func balance(_ id: AccountID, on day: Day) throws -> Total {
    guard let account = accounts.first(where: { $0.id == id }) else { throw Unanswerable() }
    var units: Int128 = 0
    if account.openingDay ?? day <= day { units += Int128(account.openingBalance) }
    for transaction in transactions where self.day(of: transaction, on: id) <= day {
      for posting in transaction.postings where posting.account == .account(id) {
        units += Int128(posting.amount.minorUnits)
      }
    }
    return Total(units: units, currency: account.currency)
  }

  func netWorth(on day: Day, includesLiabilities: Bool = true) throws -> [Total] {
    var sums: [Currency: Int128] = [:]
    for account in accounts where account.kind != .equity && !account.isExcludedFromTotals {
      if account.kind == .liability, !includesLiabilities { continue }
      if isGone(account) { continue }
      sums[account.currency, default: 0] += try balance(account.id, on: day).units
    }
    return sums.map { Total(units: $0.value, currency: $0.key) }
      .sorted { $0.currency.code < $1.currency.code }
  }

  /// Returns whether an account has been deleted and has no opening balance or transactions left.
  func isGone(_ account: Account) -> Bool {
    account.isDeleted && account.openingBalance == 0
      && !transactions.contains { touches($0, .account(account.id)) }
  }

  // MARK: Income, expense, transfers

  /// Returns the totals of the transactions on the counted days.
  func figures(_ isCounted: (Day) -> Bool) -> [CurrencyTotals] {
    figures(of: transactions.filter { isCounted($0.day) })
  }

  private func figures(of rows: [Transaction]) -> [CurrencyTotals] {
    var found: [Currency: CurrencyTotals] = [:]
    for transaction in exclusions.counted(rows) {
      var touched: Set<Currency> = []
      for posting in transaction.postings {
        guard let figure = figure(posting, of: transaction) else { continue }
        let currency = posting.amount.currency
        let units = Int128(posting.amount.minorUnits)
        let nothing = Total(units: 0, currency: currency)
        var totals =
          found[currency]
          ?? CurrencyTotals(
            currency: currency, income: nothing, expense: nothing, transfers: nothing, count: 0)
        switch figure {
        case .income: totals.income.units -= units
        case .expense: totals.expense.units += units
        case .transfers: totals.transfers.units -= units
        }
        if touched.insert(currency).inserted { totals.count += 1 }
        found[currency] = totals
      }
      for currency in touched where transaction.type != .transfer {
        found[currency]?.transfers.units += movedPart(of: transaction, in: currency)
      }
    }
    return found.values.sorted { $0.currency.code < $1.currency.code }
  }

  /// Returns the amount that an expense or income moves between accounts in addition to its
  /// category.
  private func movedPart(of transaction: Transaction, in currency: Currency) -> Int128 {
    let own = transaction.postings.filter { posting in
      if case .category = posting.account { return false }
      return posting.amount.currency == currency && !posting.isInEquity
    }
    let nets = Dictionary(grouping: own, by: \.account).values.map { postings in
      postings.map { Int128($0.amount.minorUnits) }.reduce(0, +)
    }
    return min(nets.filter { $0 > 0 }.reduce(0, +), -nets.filter { $0 < 0 }.reduce(0, +))
  }

  enum Figure: CaseIterable { case income, expense, transfers }

  func figure(_ posting: Posting, of transaction: Transaction) -> Figure? {
    switch posting.account {
    case .category(let id): return (try? known(id))?.kind == .income ? .income : .expense
    case .account:
      let isCounted =
        transaction.type == .transfer && !posting.isInEquity && posting.amount.minorUnits < 0
      return isCounted ? .transfers : nil
    }
  }

  // MARK: Categories

  /// All categories in recording order, after the built-in ones.
  var everyCategory: [Category] {
    [try? known(.uncategorizedExpense), try? known(.uncategorizedIncome)].compactMap { $0 }
      + categories
  }

  /// Returns the amounts of categories; `queried` is the category that was asked for.
  func amounts(
    _ members: Set<CategoryID>, queried: CategoryID? = nil, _ isCounted: (Day) -> Bool
  ) -> [CategoryAmount] {
    amounts(members, queried: queried, of: transactions.filter { isCounted($0.day) })
  }

  func amounts(
    _ members: Set<CategoryID>, queried: CategoryID? = nil, of rows: [Transaction]
  ) -> [CategoryAmount] {
    let exclusions = exclusions
    let isShown = queried.map { exclusions.categories.contains($0) } ?? false
    var found: [Currency: CategoryAmount] = [:]
    for transaction in exclusions.counted(rows, ignoringCategories: isShown) {
      var touched: Set<Currency> = []
      for posting in transaction.postings where posting.isIn(members) {
        let currency = posting.amount.currency
        let units = Int128(posting.amount.minorUnits)
        let nothing = Total(units: 0, currency: currency)
        var amount = found[currency] ?? CategoryAmount(into: nothing, out: nothing, count: 0)
        if units > 0 { amount.into.units += units } else { amount.out.units -= units }
        if touched.insert(currency).inserted { amount.count += 1 }
        found[currency] = amount
      }
    }
    return found.values.sorted { $0.currency.code < $1.currency.code }
  }

  func breakdown(_ kind: CategoryKind, rollUp: Bool, _ isCounted: (Day) -> Bool) throws
    -> [CategoryTotal]
  {
    try everyCategory.compactMap { category in
      if category.kind != kind || (rollUp && category.parent != nil) { return nil }
      let members = try family(category.id, withSubcategories: rollUp)
      let amounts = amounts(members, isCounted)
      return amounts.isEmpty ? nil : CategoryTotal(category: category, amounts: amounts)
    }
  }

  // MARK: In a base currency

  func baseTotals(_ base: Currency?, _ isCounted: (Day) -> Bool) throws -> ConvertedTotals {
    guard let base = base ?? settings?.baseCurrency else { throw Unanswerable() }
    var transfers = ConvertedParts()
    let exclusions = exclusions
    for (day, all) in rowsByDay(isCounted, valuedIn: base) {
      let rows = exclusions.counted(all)
      for total in figures(of: rows).map(\.transfers) where total.units != 0 {
        let converted = converted(total.units, total.currency, base, day)
        let count = rows.filter { row in
          let own = row.postings.filter { $0.amount.currency == total.currency }
          let figures = own.map { self.figure($0, of: row) }
          return row.type == .transfer
            ? figures.contains(.transfers)
            : figures.contains { $0 != nil } && movedPart(of: row, in: total.currency) > 0
        }.count
        transfers.add(total, converted, count)
      }
    }
    func sum(_ kind: CategoryKind) -> Converted {
      let members = Set(everyCategory.filter { $0.kind == kind }.map(\.id))
      return parts(members, nil, kind, base, isCounted).converted(to: base)
    }
    return ConvertedTotals(
      base: base, income: sum(.income), expense: sum(.expense),
      transfers: transfers.converted(to: base))
  }

  func baseBreakdown(
    _ kind: CategoryKind, rollUp: Bool, _ base: Currency?, _ isCounted: (Day) -> Bool
  ) throws -> [ConvertedCategoryTotal] {
    guard let base = base ?? settings?.baseCurrency else { throw Unanswerable() }
    return try everyCategory.compactMap { category in
      if category.kind != kind || (rollUp && category.parent != nil) { return nil }
      let members = try family(category.id, withSubcategories: rollUp)
      let parts = parts(members, nil, kind, base, isCounted)
      if parts.units == 0, parts.left.isEmpty { return nil }
      return ConvertedCategoryTotal(category: category, amount: parts.converted(to: base))
    }
  }

  func baseTotal(
    _ id: CategoryID, _ withSubcategories: Bool, _ base: Currency?, _ isCounted: (Day) -> Bool
  ) throws -> Converted {
    guard let base = base ?? settings?.baseCurrency else { throw Unanswerable() }
    let members = try family(id, withSubcategories: withSubcategories)
    guard let kind = everyCategory.first(where: { $0.id == id })?.kind else {
      throw Unanswerable()
    }
    return parts(members, id, kind, base, isCounted).converted(to: base)
  }

  private func parts(
    _ members: Set<CategoryID>, _ queried: CategoryID?, _ kind: CategoryKind, _ base: Currency,
    _ isCounted: (Day) -> Bool
  ) -> ConvertedParts {
    var parts = ConvertedParts()
    for (day, rows) in rowsByDay(isCounted, valuedIn: base) {
      add(members, kind, queried: queried, of: rows, on: day, in: base, to: &parts)
    }
    return parts
  }

  /// Converts what each category has on a day, one by one.
  func add(
    _ members: Set<CategoryID>, _ kind: CategoryKind, queried: CategoryID? = nil,
    of rows: [Transaction], on day: Day, in base: Currency, to parts: inout ConvertedParts
  ) {
    var left: [Currency: Int128] = [:]
    for member in members {
      for amount in amounts([member], queried: queried, of: rows) {
        let net = amount.into.units - amount.out.units
        let units = kind == .expense ? net : -net
        if units == 0 { continue }
        if let converted = converted(units, amount.currency, base, day) {
          parts.units += converted
        } else {
          left[amount.currency, default: 0] += units
        }
      }
    }
    for amount in amounts(members, queried: queried, of: rows) {
      guard let units = left[amount.currency], units != 0 else { continue }
      parts.add(Total(units: units, currency: amount.currency), nil, amount.count)
    }
  }

  func baseNetWorth(on day: Day, _ base: Currency?) throws -> Converted {
    guard let base = base ?? settings?.baseCurrency else { throw Unanswerable() }
    var parts = ConvertedParts()
    for total in try netWorth(on: day) {
      let counted = accounts.filter {
        $0.kind != .equity && $0.currency == total.currency && !isGone($0)
          && !$0.isExcludedFromTotals
      }
      if let converted = try sum(of: counted, on: day, in: base) {
        parts.units += converted
      } else if total.units != 0 {
        parts.add(total, nil, counted.count)
      }
    }
    return parts.converted(to: base)
  }

  /// Returns the sum of the balances of accounts with the same currency, each converted by itself.
  func sum(of accounts: [Account], on day: Day, in base: Currency) throws -> Int128? {
    var sum: Int128 = 0
    for account in accounts {
      let units = try balance(account.id, on: day).units
      if units == 0 { continue }
      guard let converted = converted(units, account.currency, base, day) else { return nil }
      sum += converted
    }
    return sum
  }

  /// Returns the transactions grouped by day, oldest first, perhaps with their cost in a currency.
  func rowsByDay(
    _ isCounted: (Day) -> Bool, valuedIn base: Currency? = nil
  ) -> [(day: Day, rows: [Transaction])] {
    let rows = transactions.filter { isCounted($0.day) }
    return Dictionary(grouping: base.map { valued(rows, in: $0) } ?? rows, by: \.day)
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// A sum of converted amounts, with the amounts that couldn't be converted.
struct ConvertedParts {
  var units: Int128 = 0
  var left: [Currency: Unconverted] = [:]

  mutating func add(_ total: Total, _ converted: Int128?, _ count: Int) {
    if let converted {
      units += converted
      return
    }
    let nothing = Unconverted(total: Total(units: 0, currency: total.currency), count: 0)
    left[total.currency, default: nothing].total.units += total.units
    left[total.currency, default: nothing].count += count
  }

  func converted(to base: Currency) -> Converted {
    Converted(
      total: Total(units: units, currency: base),
      unconverted: left.values.sorted { $0.total.currency.code < $1.total.currency.code })
  }
}
