import Daybook

/// Sums of filtered lists: from stored totals, and from rows.
extension AppRace {
  func sums() async throws -> [Row] {
    let ledger = try await Ledger.open(at: path)
    let account = try ledger.read { try $0.accounts().first }
    let categories = try ledger.read { try $0.categories(.expense) }
    guard let account, let group = categories.first(where: { $0.parent == nil }) else {
      throw BenchmarkError("the ledger has no accounts and categories")
    }
    let last = Day(rawValue: Int32(WorkGenerator.lastDay))
    let years = last.adding(months: -60)..<last
    var rows: [Row] = []
    for (name, filter) in [
      ("all", TransactionFilter.all), ("days", TransactionFilter(days: years)),
      ("account and days", TransactionFilter(account: account.id, days: years)),
      ("category and below, and days", TransactionFilter(category: group.id, days: years)),
      ("type and days", TransactionFilter(type: .expense, days: years)),
    ] {
      note("sums: \(name)")
      let time = try microsecondsPerCall {
        try ledger.read { try $0.sums(of: filter, base: account.currency).count + 1 }
      }
      let readCount = try ledger.read { try $0.sums(of: filter, base: account.currency).readCount }
      rows.append(
        Row(
          measure: "sums, \(name), µs", value: Report.number(time), bar: "no rows read",
          isMet: readCount == 0))
    }
    for (name, filter) in [
      ("account and category", TransactionFilter(account: account.id, category: group.id)),
      ("pending", TransactionFilter(status: .pending)),
      ("text in every row", TransactionFilter(text: "e")),
    ] {
      note("sums: \(name)")
      var readCount = 0
      let time = try await measure {
        readCount = try ledger.read { try $0.sums(of: filter, base: account.currency).readCount }
      }
      rows.append(
        Row(
          measure: "sums, \(name), million rows read per second",
          value: Report.number(Double(readCount) / max(time.wall, 1)),
          bar: "\(readCount) rows"))
    }
    try await ledger.close()
    return rows
  }
}
