/// Goal: compare tags, payees, duplicates and dormant accounts. Method: see `Comparison`.
import Daybook

extension Comparison {
  mutating func payeesAndTags(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    let today = today()
    expect(
      "tags today \(today)",
      {
        try snapshot.tags(today: today).sorted {
          ($0.count, $0.lastDay, $0.tag) > ($1.count, $1.lastDay, $1.tag)
        }
      }, { oracle.tags(today: today) })
    for prefix in ["", random.pick(["b", "UB", "z\u{fc}", "Caf\u{e9}", "bread and", "q"])] {
      let limit = random.number(0...4)
      expect(
        "\(limit) payees with “\(prefix)” today \(today)",
        {
          try snapshot.payees(startingWith: prefix, limit: limit, today: today).map {
            PayeeUse(payee: $0.payee, count: $0.count, last: $0.last.compared)
          }
        }, { oracle.payees(prefix, limit, today: today) })
    }
    let (months, base) = (months(), random.chance(50) ? nil : random.pick(currencies))
    expect(
      "tags by month over \(months) today \(today)",
      { try snapshot.tagMonths(months, base: base, today: today) },
      { try oracle.tagMonths(months, base, today: today) })
    for prefix in ["", random.pick(["b", "UB", "Caf\u{e9}"])] {
      expect(
        "payees with “\(prefix)” by month over \(months) today \(today)",
        {
          try snapshot.payeeMonths(months, startingWith: prefix, base: base, today: today)
        }, { try oracle.payeeMonths(months, prefix, base, today: today) })
    }
    let idle = random.number(0...60)
    expect(
      "dormant for \(idle) days today \(today)",
      { try snapshot.dormantAccounts(days: idle, today: today) },
      { try oracle.dormant(idle, today: today) })
    suggestions(snapshot)
    // Each transaction is compared with all others, so use only a month of a large ledger.
    let days = oracle.transactions.count > 2_000 ? day().monthOf.days : days()
    let distance = random.number(0...4)
    let limit = random.number(1...8)
    expect(
      "\(limit) duplicates in \(days) within \(distance)",
      {
        try snapshot.duplicates(in: days, distance: distance, limit: limit).map {
          DuplicatePair(original: $0.original.compared, duplicate: $0.duplicate.compared)
        }
      }, { Array(oracle.duplicates(in: days, distance: distance).prefix(limit)) })
    if oracle.transactions.count > 2_000 { return }
    // The inbox keeps its pairs between commits.
    let recent = today.adding(days: 1 - LedgerLimits.inboxDayCount)..<today.adding(days: 1)
    expect(
      "duplicates in the inbox of \(today)",
      {
        try snapshot.inbox(today: today, limit: 100).duplicates.entries.map {
          DuplicatePair(original: $0.original.compared, duplicate: $0.duplicate.compared)
        }
      }, { Array(oracle.duplicates(in: recent, distance: 3).prefix(100)) })
    expect(
      "transfers in the inbox of \(today)",
      { try snapshot.inbox(today: today, limit: 100).transfers.entries },
      { try snapshot.transferPairs(in: recent, limit: 100) })
  }

  private mutating func suggestions(_ snapshot: borrowing Snapshot) {
    let oracle = self.oracle
    // Each transaction is compared with all others, so leave out large ledgers.
    if oracle.transactions.count > 2_000 { return }
    let limit = random.chance(50) ? 1_000 : random.number(0...3)
    func compared(_ rows: [UncategorizedTransaction]) -> [UncategorizedTransaction] {
      rows.map {
        UncategorizedTransaction(
          transaction: $0.transaction.compared, suggestion: $0.suggestion)
      }
    }
    expect(
      "\(limit) suggestions", { compared(try snapshot.suggestions(limit: limit)) },
      { Array(oracle.suggestions().prefix(limit)) })
    let ids = oracle.transactions.map(\.id).filter { _ in random.chance(30) }
    expect(
      "suggestions for \(ids.count) rows", { compared(try snapshot.suggestions(for: ids)) },
      {
        let all = oracle.suggestions()
        return ids.compactMap { id in all.first { $0.transaction.id == id } }
      })
  }
}
