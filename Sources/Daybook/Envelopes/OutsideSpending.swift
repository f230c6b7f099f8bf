internal import DaybookProjections

/// The spending that no account in the budget paid, by day, so that it can be subtracted from the
/// spending of categories.
struct OutsideSpending {
  private var days: [Day: [CategoryTotals.Figures]] = [:]

  /// The months that have such spending.
  var months: Set<Month> { Set(days.keys.map(\.monthOf)) }

  /// Reads the transactions that were paid only by accounts outside the budget, or have no account.
  ///
  /// - Complexity: O(transactions on accounts outside the budget); later, only months with changes
  ///   are read again.
  init(
    paidBy accounts: [Account], through today: Day, base: Currency, _ tree: CategoryTree,
    _ exclusions: Exclusions, in snapshot: borrowing Snapshot
  ) throws {
    let outside = Set(
      accounts.filter { $0.isOutsideBudget || $0.kind == .equity || $0.isExcludedFromTotals }
        .map(\.id))
    let inside = Set(accounts.map(\.id)).subtracting(outside)
    try Envelopes.forEachUnpaid(through: today, in: snapshot.view) {
      day, id, currency, net, count in
      guard let category = tree[id], category.kind == .expense else { return }
      let key = CategoryTotals.Key(category: try keyNumber(category), currency: currency)
      days[day, default: []].append(
        CategoryTotals.Figures(
          key: key, moneyIn: max(-net, 0), moneyOut: max(net, 0), count: -count))
    }
    for account in accounts where outside.contains(account.id) {
      for spent in try Self.spending(
        of: account.id, keyNumber(account), outside, inside, base, tree, exclusions, in: snapshot)
      where spent.day <= today {
        days[spent.day, default: []].append(spent.figures)
      }
    }
  }

  private struct Spent: Sendable {
    var day: Day
    var figures: CategoryTotals.Figures
  }

  /// Returns what an account outside the budget paid, or several of which it is the first.
  private static func spending(
    of account: AccountID, _ number: UInt32, _ outside: Set<AccountID>, _ inside: Set<AccountID>,
    _ base: Currency, _ tree: CategoryTree, _ exclusions: Exclusions,
    in snapshot: borrowing Snapshot
  ) throws -> [Spent] {
    var months: [Month] = []
    try Balances.forEachFlow(
      of: number, in: PeriodSpan(.month, .min, .max), in: snapshot.view
    ) { index, _ in
      months.append(Month(rawValue: index))
      return true
    }
    return try months.flatMap { month in
      let key = FigureCache.Key(subject: .outside(account), days: month.days, base: base)
      return try snapshot.cache.figures.figure(key, in: snapshot) {
        var filter = TransactionFilter(account: account)
        filter.days = month.days
        var found: [Spent] = []
        try Transactions.forEach(
          try snapshot.selection(filter), limit: .max, in: snapshot.view
        ) { _, _, record in
          let row = try PackedSpending(record, base, tree, exclusions)
          // What is excluded from totals is subtracted anyway.
          guard row.accounts.first(where: outside.contains) == account,
            !row.accounts.contains(where: inside.contains),
            try exclusions.extent(of: record) != .whole
          else { return }
          for part in row.parts {
            let figures = CategoryTotals.Figures(
              key: part.key, moneyIn: max(-part.net, 0), moneyOut: max(part.net, 0), count: -1)
            found.append(Spent(day: row.day, figures: figures))
          }
        }
        return found
      }
    }
  }

  /// The figures of a day, with the sign reversed.
  func figures(on day: Day) -> [CategoryTotals.Figures] { days[day] ?? [] }
}
