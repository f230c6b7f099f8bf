// Goal: where an index serves a filter, few rows are looked at; where none does, a page looks no further than
// it must; and a pager shows what several accounts held together. Method: two thousand rows of which a few
// are asked for; every row that is looked at is counted.

import DaybookProjections
import Testing

@testable import Daybook

@Suite struct FilterWorkTests {
  private func filled(_ house: House) async throws -> [AccountID] {
    let accounts = [
      try await house.account("A"), try await house.account("B"), try await house.account("C"),
    ]
    let food = try await house.category("Food")
    var commands: [Command] = []
    for index in 0..<2_000 {
      var draft = Draft.expense(
        money("\(index % 90 + 1)"), from: accounts[index % 40 == 0 ? 1 : 0],
        category: index % 100 == 7 ? nil : food,
        on: day("2021-01-01").adding(days: index % 700), description: "row \(index)",
        tags: index % 500 == 3 ? ["Rare"] : ["usual"])
      draft.payee = index % 400 == 3 ? "The needle shop" : "Haystack \(index % 9)"
      draft.status = index % 50 == 0 ? .pending : .cleared
      commands.append(.record(draft))
    }
    try await house.ledger.append(commands)
    try await house.ledger.append(
      .record(.transfer(money("5"), from: accounts[0], to: accounts[1], on: day("2022-12-01"))),
      .record(.transfer(money("7"), from: accounts[1], to: accounts[2], on: day("2022-12-02"))))
    return accounts
  }

  private func look(
    _ house: House, _ filter: TransactionFilter, limit: Int
  ) throws -> (found: Int, looked: Int) {
    try TextSearchLimits.$newestCount.withValue(0) {
      try house.ledger.read { snapshot throws in
        var looked = 0
        var selection = try snapshot.selection(filter)
        selection.isCancelled = {
          looked += 1
          return false
        }
        let rows = try Transactions.page(selection, limit: limit, in: snapshot.view)
        return (rows.count, looked)
      }
    }
  }

  @Test func fewRowsAreLookedAtWhereAnIndexServes() async throws {
    let house = try await House()
    let accounts = try await filled(house)
    for (filter, count) in [
      (TransactionFilter(tags: ["rare"]), 4), (TransactionFilter(payee: "NEEDLE"), 5),
      (TransactionFilter(payee: "the needle shop", matchesWholePayee: true), 5),
      (TransactionFilter(payee: "needle", tags: ["rare"]), 1),
      (TransactionFilter(text: "food", payee: "needle"), 5),
      (TransactionFilter(status: .cleared, amounts: [], payee: "needle"), 5),
      (TransactionFilter(status: .pending), 40), (TransactionFilter(status: .reconciled), 0),
      (TransactionFilter(amounts: [AmountRange(3_700...3_700, in: kzt)]), 22),
      (TransactionFilter(amounts: [AmountRange(70...71, decimals: 0)]), 44),
      (TransactionFilter(amounts: [AmountRange(93...1_000, decimals: 0)]), 0),
      (TransactionFilter(amounts: [AmountRange(0...99, decimals: 2)]), 0),
    ] {
      let (found, looked) = try look(house, filter, limit: 100)
      #expect(found == count, "\(filter)")
      #expect(looked <= count * 3, "\(filter): \(looked)")
    }
    // Of both, what has the rarer one is looked at: 23 rows cost 1.
    let both = TransactionFilter(status: .pending, amounts: [AmountRange(1...1, decimals: 0)])
    let (found, looked) = try look(house, both, limit: 100)
    #expect(found == 5 && looked <= 23, "\(found) \(looked)")
    // Lists of accounts and categories answer without a look at any row.
    for (filter, count) in [
      (TransactionFilter(accounts: [accounts[1], accounts[2]]), 52),
      (TransactionFilter(isUncategorized: true), 20),
    ] {
      let (found, looked) = try look(house, filter, limit: 100)
      #expect(found == count && looked == 0, "\(filter): \(found) \(looked)")
    }
    try await house.end()
  }

  /// What is amended is found by its new status and amount, and by the old ones no more.
  @Test func theIndexFollowsStatusesAndAmounts() async throws {
    let house = try await House()
    _ = try await filled(house)
    let rows = try house.ledger.read { try $0.transactions(.init(status: .pending), limit: 3) }
    func found(_ filter: TransactionFilter) throws -> [TransactionID] {
      try TextSearchLimits.$newestCount.withValue(0) {
        try house.ledger.read { try $0.transactions(filter, limit: 300).map(\.id) }
      }
    }
    let dear = AmountRange(5_000...5_000, decimals: 0)
    try await house.append(
      .amend(rows[0].id, Amendment(status: .cleared)),
      .amend(rows[1].id, Amendment(amount: money("5000"))), .delete(rows[2].id))
    #expect(try found(.init(status: .cleared)).contains(rows[0].id))
    #expect(try !found(.init(status: .pending)).contains(rows[0].id))
    #expect(try found(.init(amounts: [dear])) == [rows[1].id])
    #expect(try found(.init(status: .pending)).count == 38)
    #expect(try house.ledger.read { try $0.count(.init(status: .cleared)) } == 1_963)
    try await house.append(.delete(rows[1].id))
    #expect(try found(.init(amounts: [dear])) == [])
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @MainActor @Test func aPagerShowsWhatSeveralAccountsHeldTogether() async throws {
    let house = try await House()
    let accounts = try await filled(house)
    let pager = TransactionPager(house.ledger, pageSize: 10)
    pager.accounts = [accounts[0], accounts[1]]
    await pager.refresh()
    let rows = pager.sections.flatMap(\.rows)
    let expected = try house.ledger.read { snapshot throws in
      try accounts[..<2].map { try snapshot.balance(of: $0, on: day("2022-12-01")).units }
        .reduce(0, +)
    }
    #expect(rows.first?.balance?.units == expected - 700)
    #expect(rows.dropFirst().first?.balance?.units == expected)
    pager.payee = "needle"
    pager.status = .cleared
    await pager.refresh()
    #expect(pager.sections.flatMap(\.rows).count == 5)
    #expect(pager.sections.flatMap(\.rows).allSatisfy { $0.balance != nil })
    try await house.end()
  }
}
