internal import DaybookEngine
internal import DaybookProjections

/// What a transaction spent in each expense category, and the accounts that it has, from its packed
/// record.
///
/// The cost is in the base currency if the transaction states it. Excluded categories are left out.
struct PackedSpending {
  let day: Day
  /// The accounts in the order of the postings, without built-in ones.
  private(set) var accounts: [AccountID] = []
  private(set) var parts: [(key: CategoryTotals.Key, net: Int128)] = []

  init(
    _ record: RawSpan, _ base: Currency, _ tree: CategoryTree, _ exclusions: Exclusions
  ) throws {
    let figures = try TransactionFigures(record)
    day = figures.day
    var excluded: Set<UInt32> = []
    var lines = Lines()
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      var (kind, number) = (Line.Kind.account, cursor.code.builtinNumber)
      if cursor.code.isCategory {
        guard let category = tree[CategoryID(cursor.id)] else { continue }
        kind = category.kind == .income ? .income : .expense
        number = try keyNumber(category)
        if exclusions.categories.contains(cursor.id) { excluded.insert(number) }
      } else if cursor.code == .account {
        let id = AccountID(cursor.id)
        if !accounts.contains(id) { accounts.append(id) }
        // Numbers of built-in accounts are below 16.
        number = 16 + UInt32(accounts.firstIndex(of: id) ?? 0)
      }
      lines.add(
        Line(kind: kind, number: number, currency: cursor.currency, units: cursor.units))
    }
    var costs: [Int: Int128] = [:]
    if let settlement = lines.settlement, settlement.currency == base {
      for part in lines.settled(settlement) { costs[part.position] = part.cost }
    }
    for position in 0..<lines.count where lines[position].kind == .expense {
      let line = lines[position]
      if excluded.contains(line.number) { continue }
      let cost = costs[position]
      let key = CategoryTotals.Key(
        category: line.number, currency: cost == nil ? line.currency : base)
      if let known = parts.firstIndex(where: { $0.key == key }) {
        parts[known].net += cost ?? line.net
      } else {
        parts.append((key, cost ?? line.net))
      }
    }
  }
}
