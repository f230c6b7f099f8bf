import Daybook

/// The net worth at the end of each period, by account.
enum AccountReport {
  static func table(
    _ query: ReportQuery, _ base: Currency, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> ReportTable {
    let days = query.periods.map { $0.end(context) }
    let accounts = try snapshot.accounts(includingClosed: true, includingDeleted: true)
      .filter { $0.kind != .equity && !$0.isExcludedFromTotals }
    var values: [AccountID: [Total]] = [:]
    for day in days {
      for one in try snapshot.balances(on: day, includingClosed: true, includingDeleted: true) {
        let value = try AccountsPage.value(one, base, day, snapshot) ?? .zero(base)
        values[one.account.id, default: []].append(value)
      }
    }
    let sections = [AccountKind.asset, .liability].map { kind in
      let rows = accounts.filter { $0.kind == kind }.compactMap { account -> ReportTable.Row? in
        guard let totals = values[account.id], totals.contains(where: { $0.units != 0 }) else {
          return nil
        }
        return ReportTable.Row(
          name: "\(account.name)", figures: totals,
          links: days.map { day in
            context.link("/transactions", [("account", "\(account.id)"), ("on", "\(day)")])
          })
      }
      return ReportTable.Section(title: context[kind.plural], rows: rows)
    }
    let worth = try days.map { try snapshot.baseNetWorth(on: $0, base: base).total }
    let sum = ReportTable.Row(
      name: "\(context[.netWorth])", figures: worth,
      links: days.map { context.link("/accounts", [("on", "\($0)")]) }, isSum: true)
    return ReportTable(
      query: query, sections: sections + [ReportTable.Section(rows: [], sums: [sum])],
      hasTotals: false)
  }
}
