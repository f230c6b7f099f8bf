/// Goal: compare single lookups by id, name and code, and by position in a list. Method: see
/// `Comparison`.
import Daybook

extension Comparison {
  mutating func lookups(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    expect(
      "checks of stated balances",
      {
        try snapshot.assertionChecks().map { ($0.assertion, $0.balance, $0.holds) }.map(Told.init)
      },
      {
        try oracle.assertions.map { stated in
          let balance = try oracle.balance(stated.account, on: stated.day)
          return Told((stated, balance, Total(stated.balance) == balance))
        }
      })
    let none = EntityID(high: 6, low: 1)
    for budget in oracle.budgets where asks() {
      expect("budget \(budget.id)", { try snapshot.budget(budget.id) }, { budget })
      let name = random.chance(50) ? budget.name : "  \(budget.name.uppercased()) "
      expect(
        "budget named \(name)", { try snapshot.budget(named: name) },
        {
          let named = oracle.budgets.filter { fold($0.name) == fold(name) }
          return named.first { !$0.isArchived } ?? named.first
        })
    }
    expect("no budget", { try snapshot.budget(BudgetID(none)) }, { nil })
    expect("no budget named so", { try snapshot.budget(named: "none") }, { nil })
    for series in oracle.series where asks() {
      expect("series \(series.id)", { try snapshot.series(series.id) }, { series })
    }
    expect("no series", { try snapshot.series(SeriesID(none)) }, { nil })
    expect("no account", { try snapshot.account(AccountID(none)) }, { nil })
    expect("no category", { try snapshot.category(CategoryID(none)) }, { nil })
    for code in ["KZT", "JPY", "GEMS", "XQQ", "kzt", ""] {
      expect(
        "currency \(code)", { try snapshot.currency(code) },
        {
          oracle.currencies.first { $0.currency.code == code }?.currency ?? Currency.iso(code)
        })
    }
    if let rate = random.some(oracle.rates) {
      expect(
        "rates of \(rate.base)", { try snapshot.rates(base: rate.base).map(\.id).sorted() },
        { oracle.rates.filter { $0.base == rate.base }.map(\.id).sorted() })
      expect(
        "rates in \(rate.quoted)", { try snapshot.rates(quoted: rate.quoted).map(\.id).sorted() },
        { oracle.rates.filter { $0.quoted == rate.quoted }.map(\.id).sorted() })
    }
  }

  /// Compares the page before a position, which may be a transaction's position or a position
  /// between transactions.
  mutating func pagesBefore(
    _ filter: TransactionFilter, _ rows: [Transaction], _ snapshot: borrowing Snapshot
  ) {
    let oracle = self.oracle
    let (key, limit) = (key(), random.number(0...4))
    expect(
      "\(limit) before \(key) under \(filter)",
      { try snapshot.transactions(filter, before: key, limit: limit).map(\.compared) },
      {
        let account = Set(filter.accounts).count == 1 ? filter.accounts.first : nil
        guard let account else { return rows.filter { $0.key > key }.suffix(limit) }
        let place = oracle.place(key, on: account)
        return rows.filter { oracle.position(of: $0, on: account) > place }.suffix(limit)
      })
  }

  /// Compares running balances after transactions of the account, after other transactions, and at
  /// positions without a transaction.
  mutating func runningBalances(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    let account = account()
    let keys = (0..<random.number(0...5)).map { _ in key() }
    expect(
      "balances of \(account) after \(keys)",
      { try snapshot.balances(of: account, after: keys) },
      { try keys.map { try oracle.balance(account, after: oracle.place($0, on: account)) } },
      isRefusedEarly: !oracle.accounts.contains { $0.id == account })
    let several = [account] + (0..<random.number(0...2)).map { _ in self.account() }
    let known = oracle.accounts.filter { several.contains($0.id) }
    expect(
      "balances of \(several) after \(keys)",
      { try snapshot.balances(of: several, after: keys) },
      {
        if several.contains(where: \.isBuiltin) { return nil }
        if known.count < Set(several).count { throw Unanswerable() }
        if Set(known.map(\.currency)).count > 1 { return nil }
        return try keys.map { key in
          try known.map { account in
            let place = known.count == 1 ? oracle.place(key, on: account.id) : key
            return try oracle.balance(account.id, after: place)
          }.reduce(
            Total(units: 0, currency: known[0].currency)
          ) { Total(units: $0.units + $1.units, currency: $0.currency) }
        }
      })
  }

  private mutating func key() -> TransactionPosition {
    if random.chance(75), let row = random.some(oracle.transactions) { return row.key }
    return TransactionPosition(day: day(), number: UInt64(random.number(0...40)))
  }
}

/// The result of checking a balance assertion.
private struct Told: Equatable {
  var assertion: BalanceAssertion
  var balance: Total
  var holds: Bool

  init(_ parts: (BalanceAssertion, Total, Bool)) { (assertion, balance, holds) = parts }
}

extension Oracle {
  /// Returns the position of a transaction in the list of an account.
  func position(of row: Transaction, on account: AccountID) -> TransactionPosition {
    TransactionPosition(day: day(of: row, on: account), number: row.number)
  }

  /// Returns the position in the list of an account for which a transaction's key stands.
  func place(_ key: TransactionPosition, on account: AccountID) -> TransactionPosition {
    let row = transactions.first { $0.key == key && touches($0, .account(account)) }
    return row.map { position(of: $0, on: account) } ?? key
  }

  /// Returns the balance of an account after all transactions up to a position in its list.
  func balance(_ id: AccountID, after key: TransactionPosition) throws -> Total {
    guard let account = accounts.first(where: { $0.id == id }) else { throw Unanswerable() }
    var units: Int128 = 0
    if account.openingDay.map({ $0 <= key.day }) ?? true { units = Int128(account.openingBalance) }
    for row in transactions where position(of: row, on: id) <= key {
      for posting in row.postings where posting.account == .account(id) {
        units += Int128(posting.amount.minorUnits)
      }
    }
    return Total(units: units, currency: account.currency)
  }
}
