// Goal: rows are counted as they are listed. Method: what the seeded scripts once found, by hand.

import Testing

@testable import Daybook

@Suite struct CountTests {
  /// A month is counted whole, and its last days are taken away: a row in two of the categories that stands
  /// among these is counted once in both.
  @Test func aSplitAfterTheRangeCountsForNothing() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let food = try await house.category("Food")
    let shop = try await house.category("Shop")
    _ = try await house.expense(money("5"), from: account, food, on: "2026-02-15")
    try await house.append(
      .record(
        .split(
          from: account, parts: [.init(money("3"), food), .init(money("4"), shop)],
          on: day("2026-02-20"))))
    try house.ledger.read { snapshot in
      for end in ["2026-02-20", "2026-02-21", "2026-03-01"] {
        let filter = TransactionFilter(
          days: day("2026-01-05")..<day(end), categories: [food, shop])
        let listed = try snapshot.transactions(filter, limit: 10).count
        #expect(listed == (end == "2026-02-20" ? 1 : 2))
        #expect(try snapshot.count(filter) == listed, "until \(end)")
      }
    }
    try await house.end()
  }

  /// What an index counts is counted whole; what has to be read is counted up to where one has enough.
  @Test func countingStopsWhereItIsToldTo() async throws {
    let house = try await House()
    let account = try await house.account("A")
    for number in 0..<12 {
      try await house.append(
        .record(
          .expense(
            money("1"), from: account, on: day("2026-02-15"), payee: number < 7 ? "Rewe" : "Lidl")))
    }
    try house.ledger.read { snapshot in
      let counted = try snapshot.count(TransactionFilter(account: account), upTo: 3)
      #expect(counted == (12, false))
      var read = TransactionFilter(account: account)
      read.text = "rewe"
      #expect(try snapshot.count(read, upTo: 6) == (6, true))
      #expect(try snapshot.count(read, upTo: 7) == (7, false))
      #expect(try snapshot.count(read, upTo: 900) == (7, false))
      #expect(throws: DaybookError.self) {
        _ = try snapshot.count(read, upTo: LedgerLimits.pageRowCountMax)
      }
    }
    try await house.end()
  }
}
