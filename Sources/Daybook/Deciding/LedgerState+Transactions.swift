internal import DaybookEngine
import DaybookProjections

// The index of the Transactions projection doesn't include pending changes. Candidates are
// therefore taken from both, and the current state of each is checked.
extension LedgerState {
  func transactions(touching account: PostingAccount) throws -> [TransactionID] {
    var candidates = try indexed(account, on: nil)
    candidates.formUnion(try pending().transactions)
    return try current(candidates) { $0.touches(account) }.map(\.id)
  }

  func transactions(on day: Day, account: AccountID) throws -> [Transaction] {
    // A transaction whose only account is `exchange` counts as a transaction without an account;
    // such transactions are indexed under `outside`.
    let accounts = account == .outside ? [account, .exchange] : [account]
    var candidates: Set<EntityID> = []
    for account in accounts {
      candidates.formUnion(try indexed(.account(account), on: day))
      candidates.formUnion(try pending().transactions(of: day, account: account))
    }
    return try current(candidates) { transaction in
      transaction.day == day && accounts.contains { transaction.touches(.account($0)) }
    }
  }

  func occurrences(of series: SeriesID, on due: Day?) throws -> [Occurrence] {
    let pending = try pending()
    var candidates = pending.transactions(of: series, due: due)
    var found: [Occurrence] = []
    try context.withCommittedTables(of: Recurring.self) { tables, handle in
      try Recurring.forEachOccurrence(of: series, on: due, in: tables, handle) { occurrence in
        let id = occurrence.transaction.rawValue
        // For changed transactions, check their current state.
        if pending.transactions.contains(id) {
          candidates.insert(id)
        } else {
          found.append(occurrence)
        }
      }
    }
    for transaction in try current(candidates, where: { $0.series == series }) {
      guard let link = transaction.seriesLink, due ?? link.occurrence == link.occurrence else {
        continue
      }
      found.append(Occurrence(due: link.occurrence, transaction: transaction.id))
    }
    return found.sorted { ($0.due, $0.transaction) < ($1.due, $1.transaction) }
  }

  private func pending() throws -> PendingIndex {
    let index = memory.pending ?? PendingIndex(context)
    try index.catchUp(context)
    memory.pending = index
    return index
  }

  // The current state of the candidates, in the order of their ids.
  private func current(
    _ candidates: Set<EntityID>, where isWanted: (Transaction) -> Bool
  ) throws -> [Transaction] {
    var found: [Transaction] = []
    for id in candidates.sorted() {
      guard let stored = try context.entity(.transaction, id) else { continue }
      let transaction = try Transaction(stored: stored)
      if isWanted(transaction) { found.append(transaction) }
    }
    return found
  }

  // The matching transactions in the tables.
  private func indexed(_ sought: PostingAccount, on day: Day?) throws -> Set<EntityID> {
    var account: UInt32?
    var category: UInt32?
    switch sought {
    case .account(let id):
      // The built-in equity accounts are not indexed.
      if id.isBuiltin { return try scanned(sought, on: day) }
      account = try memory.accounts[id].map { try keyNumber($0) }
    case .category(let id):
      let found = memory.category(id) ?? Category.builtin(id)
      category = try found.map { try keyNumber($0) }
    }
    var found: Set<EntityID> = []
    try context.withCommittedTables(of: Transactions.self) { tables, handle in
      var places: [StatePosition] = []
      try Transactions.forEachRow(
        ofAccount: account, ofCategory: category, on: day, in: tables, handle
      ) { places.append(StatePosition(cluster: $0.day.biased, number: $0.number)) }
      for place in places {
        if let stored = try tables.entity(.transaction, at: place) { found.insert(stored.id) }
      }
    }
    return found
  }

  private func scanned(_ account: PostingAccount, on day: Day?) throws -> Set<EntityID> {
    var found: Set<EntityID> = []
    let from = day.map { StatePosition(cluster: $0.biased, number: 0) }
    let to = day.map { StatePosition(cluster: $0.biased + 1, number: 0) }
    try context.withCommittedTables(of: Transactions.self) { tables, _ in
      try tables.forEachEntity(.transaction, from: from, to: to) { stored in
        if try Transaction(stored: stored).touches(account) { found.insert(stored.id) }
      }
    }
    return found
  }
}

extension Transaction {
  /// Returns whether one of the postings is to an account or category.
  func touches(_ account: PostingAccount) -> Bool { postings.contains { $0.account == account } }
}
