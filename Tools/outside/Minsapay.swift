import Daybook
import DaybookInterchange

/// Checks the import of prepaid cards of a school festival.
struct Minsapay {
  let ledger: Ledger
  let summary: ImportSummary
  let reference: [String: Any]

  init(_ places: Places) async throws {
    reference = try places.json("minsapay/reference.json")
    (ledger, summary) = try await places.ledger(
      "minsapay", importing: places.outside("minsapay/transactions.csv"), mapping: "minsapay")
  }

  func rows() throws -> String {
    try expect("rows", Int128(summary.imported), number(reference["rows"]))
    return "\(summary.imported) rows, \(summary.createdAccounts.count) accounts"
  }

  func extremes() throws -> String {
    var zeros = 0
    var largest: [Int64] = []
    try ledger.read { snapshot in
      var offset = 0
      while true {
        let page = try snapshot.transactions(offset: offset, limit: 500)
        if page.isEmpty { break }
        offset += page.count
        for transaction in page {
          let size = transaction.postings.map(\.amount.minorUnits.magnitude).max() ?? 0
          if size == 0 { zeros += 1 }
          if size == 2_147_483_647 { largest.append(Int64(size)) }
        }
      }
    }
    try expect("rows of 2,147,483,647", largest.count, 3)
    try expect("rows of zero", zeros, 451)
    return "\(zeros) rows of zero and \(largest.count) of 2,147,483,647 kept as they are"
  }

  func statedBalances() throws -> String {
    let mismatches = summary.statedBalanceMismatches
    try expect("rows that do not follow", mismatches.count, 1)
    guard let one = mismatches.first else { return "" }
    // Transaction 1576 is on line 1578.
    try expect("its line", one.line, 1578)
    try expect("its account", one.account, "user#186")
    try expect("by how much it is off", one.stated.units - one.expected.units, 7_000)
    return "\(one)"
  }

  func balances() throws -> String {
    guard let expected = reference["final_balance"] as? [String: Any] else {
      throw Wrong("the reference has no balances")
    }
    let balances = try ledger.read { try $0.balances(on: today) }
    try expect("accounts", balances.count, expected.count)
    for balance in balances {
      let name = balance.account.name
      // One row of this user is off by 7,000, so the sum of its rows is -5,000.
      let right = name == "user#186" ? -5_000 : number(expected[name])
      try expect(name, balance.balance.units, right)
    }
    return "\(balances.count) users end as stated, user#186 at -5000 KRW by its rows"
  }

  func newYear() throws -> String {
    let rows = try ledger.read { snapshot in
      try snapshot.transactions(TransactionFilter(text: "설 at"), limit: 10)
    }
    try expect("rows of type 설", rows.count, 1)
    try expect("its type", rows.first?.type, .income)
    return "설 is an inflow of 7000 KRW"
  }
}
