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
    var seen: Set<TransactionID> = []
    for account in outside {
      let filter = TransactionFilter(account: account)
      var offset = 0
      while true {
        let page = try snapshot.transactions(filter, offset: offset, limit: Self.pageRowCount)
        for row in page where row.day <= today && seen.insert(row.id).inserted {
          // What is excluded from totals is subtracted anyway.
          if row.isPaid(byOneOf: inside) || exclusions.leavesOut(row) { continue }
          try add(row, base, tree, exclusions)
        }
        if page.count < Self.pageRowCount { break }
        offset += page.count
      }
    }
  }

  private static let pageRowCount = 1_000

  /// The figures of a day, with the sign reversed.
  func figures(on day: Day) -> [CategoryTotals.Figures] { days[day] ?? [] }

  private mutating func add(
    _ row: Transaction, _ base: Currency, _ tree: CategoryTree, _ exclusions: Exclusions
  ) throws {
    for part in try Self.parts(of: row, base, tree, exclusions) {
      days[row.day, default: []].append(
        CategoryTotals.Figures(
          key: part.key, moneyIn: max(-part.net, 0), moneyOut: max(part.net, 0), count: -1))
    }
  }

  /// Returns the cost of each expense category in a transaction.
  ///
  /// The cost is in the base currency if the transaction states it. Excluded categories are left
  /// out.
  static func parts(
    of row: Transaction, _ base: Currency, _ tree: CategoryTree, _ exclusions: Exclusions
  ) throws -> [(key: CategoryTotals.Key, net: Int128)] {
    var excluded: Set<UInt32> = []
    var lines = Lines()
    var accounts: [AccountID] = []
    for posting in row.postings {
      var (kind, number) = (Line.Kind.account, UInt32(1))
      switch posting.account {
      case .category(let id):
        guard let category = tree[id] else { continue }
        kind = category.kind == .income ? .income : .expense
        number = try keyNumber(category)
        if exclusions.categories.contains(id.rawValue) { excluded.insert(number) }
      case .account(let id):
        // Projections number the built-in equity accounts from 1 to 3.
        if !id.isBuiltin {
          if !accounts.contains(id) { accounts.append(id) }
          number = 16 + UInt32(accounts.firstIndex(of: id) ?? 0)
        }
      }
      lines.add(
        Line(
          kind: kind, number: number, currency: posting.amount.currency,
          units: posting.amount.minorUnits))
    }
    var costs: [Int: Int128] = [:]
    if let settlement = lines.settlement, settlement.currency == base {
      for part in lines.settled(settlement) { costs[part.position] = part.cost }
    }
    var parts: [(key: CategoryTotals.Key, net: Int128)] = []
    for position in 0..<lines.count where lines[position].kind == .expense {
      let line = lines[position]
      if excluded.contains(line.number) { continue }
      let key = CategoryTotals.Key(
        category: line.number, currency: costs[position] == nil ? line.currency : base)
      let net = costs[position] ?? line.net
      if let known = parts.firstIndex(where: { $0.key == key }) {
        parts[known].net += net
      } else {
        parts.append((key, net))
      }
    }
    return parts
  }
}

extension Transaction {
  /// Whether one of the transaction's accounts is one of the given accounts.
  fileprivate func isPaid(byOneOf accounts: Set<AccountID>) -> Bool {
    postings.contains { posting in
      if case .account(let id) = posting.account { accounts.contains(id) } else { false }
    }
  }
}
