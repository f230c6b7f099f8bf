import DaybookProjections

extension LedgerState {
  func rate(_ base: Currency, _ quoted: Currency, on day: Day) throws -> DatedQuote? {
    let pending = memory.pending ?? PendingIndex(context)
    try pending.catchUp(context)
    memory.pending = pending
    let changed = pending.rates[PendingIndex.Pair(base: base, quoted: quoted)] ?? [:]
    var newest: DatedQuote?
    for case (let changedDay, let quote?) in changed where changedDay <= day {
      if newest.map({ $0.day < changedDay }) ?? true {
        newest = DatedQuote(day: changedDay, quote: quote)
      }
    }
    let committed = try context.withCommittedTables(of: Rates.self) { tables, handle in
      try Rates.newest(base, quoted, notAfter: day, in: tables, handle) { changed[$0] == nil }
    }
    guard let committed else { return newest }
    return newest.map { $0.day > committed.day ? $0 : committed } ?? committed
  }

  func ratedCurrencies() throws -> [Currency] {
    if let known = memory.ratedCurrencies { return known }
    var found: Set<Currency> = []
    try context.forEachEntity(.rate) { stored in
      let rate = try ExchangeRate(stored: stored)
      found.insert(rate.base)
      found.insert(rate.quoted)
    }
    let sorted = found.sorted()
    memory.ratedCurrencies = sorted
    return sorted
  }
}
