import DaybookEntities
import DaybookProjections

extension LedgerState {
  func balance(of account: AccountID, on day: Day) throws -> Int128 {
    guard let known = memory.accounts[account] else { return 0 }
    let number = try keyNumber(known)
    var units = try context.withCommittedTables(of: Balances.self) { tables, handle in
      try Balances.balance(of: number, on: day, in: tables, handle)
    }
    // Add the changes that aren't in the tables yet.
    for change in context.pendingChanges {
      for (record, sign) in [(change.before, Int128(-1)), (change.after, 1)] {
        guard let record else { continue }
        if change.kind == .account, change.id == account.rawValue {
          let old = try Account(record: record, id: change.id, number: change.number)
          if old.openingDay ?? day <= day { units += sign * Int128(old.openingBalance) }
        } else if change.kind == .transaction {
          let bytes = record.bytes
          let figures = try TransactionFigures(bytes.span.bytes)
          let arrival = try figures.arrival(in: bytes.span.bytes)
          let isSource = arrival.map { $0.source == account.rawValue } ?? true
          guard isSource ? figures.day <= day : arrival?.day ?? day <= day else { continue }
          try figures.forEachPosting { code, id, amount, _ in
            if PostingAccount(code: code, id: id) == .account(account) {
              units += sign * Int128(amount)
            }
          }
        }
      }
    }
    return units
  }
}
