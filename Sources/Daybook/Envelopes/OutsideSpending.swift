internal import DaybookProjections

/// The spending that no account in the budget paid, by day, so that it can be subtracted from the
/// spending of categories.
struct OutsideSpending {
  private var days: [Day: [CategoryTotals.Figures]] = [:]

  /// The months that have such spending.
  var months: Set<Month> { Set(days.keys.map(\.monthOf)) }

  /// Reads the transactions that were paid only by accounts outside the budget, or have no account.
  ///
  /// - Complexity: O(transactions on accounts outside the budget).
  init(
    paidBy accounts: [Account], through today: Day, base: Currency, _ tree: CategoryTree,
    _ exclusions: Exclusions, in snapshot: borrowing Snapshot
  ) throws {
    let outside = accounts.filter {
      $0.isOutsideBudget || $0.kind == .equity || $0.isExcludedFromTotals
    }.map(\.id)
    let inside = Set(accounts.map(\.id)).subtracting(outside)
    try Envelopes.forEachUnpaid(through: today, in: snapshot.view) {
      day, id, currency, net, count in
      guard let category = tree[id], category.kind == .expense else { return }
      let key = CategoryTotals.Key(category: try keyNumber(category), currency: currency)
      days[day, default: []].append(
        CategoryTotals.Figures(
          key: key, moneyIn: max(-net, 0), moneyOut: max(net, 0), count: -count))
    }
    var seen: Set<UInt64> = []
    for account in outside {
      let rows = try snapshot.selection(TransactionFilter(account: account))
      try Transactions.forEach(rows, limit: .max, in: snapshot.view) { place, _, record in
        // What is excluded from totals is subtracted anyway.
        guard seen.insert(place.number).inserted, try exclusions.extent(of: record) != .whole else {
          return
        }
        let row = try PackedSpending(record, base, tree, exclusions)
        if row.day > today || row.accounts.contains(where: inside.contains) { return }
        for part in row.parts {
          days[row.day, default: []].append(
            CategoryTotals.Figures(
              key: part.key, moneyIn: max(-part.net, 0), moneyOut: max(part.net, 0), count: -1))
        }
      }
    }
  }

  /// The figures of a day, with the sign reversed.
  func figures(on day: Day) -> [CategoryTotals.Figures] { days[day] ?? [] }
}
