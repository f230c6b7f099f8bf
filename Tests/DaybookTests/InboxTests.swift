/// Goal: the inbox shows the items that need a person, and nothing that is settled.
/// Method: a small household with one entry of each kind next to one that is almost of that kind; then each
/// is settled, and the inbox is empty.
import Daybook
import Testing

@Suite struct InboxTests {
  @Test func eachSectionShowsWhatWaits() async throws {
    let house = try await House(rates: false)
    let today = day("2026-03-31")
    let a = try await house.account("A", opening: "1000")
    let b = try await house.account("B")
    let food = try await house.category("Food")
    func inbox(_ limit: Int = 10) throws -> Inbox {
      try house.ledger.read { try $0.inbox(today: today, limit: limit) }
    }
    #expect(try inbox().count == 0)

    // Pending for 15 days, and for 14.
    var old = Draft.expense(money("11"), from: a, category: food, on: day("2026-03-16"))
    old.status = .pending
    var young = Draft.expense(money("12"), from: a, category: food, on: day("2026-03-17"))
    young.status = .pending
    let pending = try await house.append(.record(old), .record(young)).transactions
    #expect(try inbox().pending == InboxSection(count: 1, entries: [row(pending[0], house)]))

    // The same amount with the same text on neighbouring days, and another amount.
    for (amount, on) in [("20", "2026-03-01"), ("20", "2026-03-02"), ("21", "2026-03-02")] {
      try await house.expense(money(amount), from: a, food, on: on, description: "bread")
    }
    #expect(try inbox().duplicates.count == 1)
    // A pair of last year is no longer news.
    for _ in 0..<2 {
      try await house.expense(money("22"), from: a, food, on: "2025-12-29", description: "old")
    }
    #expect(try inbox().duplicates.count == 1)

    // The halves of a transfer also need categories until they are linked.
    try await house.expense(money("30"), from: a, on: "2026-03-05")
    try await house.income(money("30"), into: b, on: "2026-03-06")
    #expect(try inbox().transfers.count == 1)
    #expect(try inbox(1).uncategorized.count == 2)
    #expect(try inbox(1).uncategorized.entries.count == 1)

    // A rent due on the last day counts on that day.
    let rent = Series(
      name: "Rent",
      template: SeriesTemplate(type: .expense, amount: money("40"), account: a, category: food),
      schedule: Schedule(.month), anchor: today)
    try await house.append(.putSeries(rent))
    #expect(try inbox().due.entries.map(\.day) == [today])

    // Stated balances: one agrees, one doesn't.
    let balance = try house.balance(b, on: "2026-03-31")
    try await house.append(
      .assertBalance(b, money("30"), on: today),
      .assertBalance(a, money("1"), on: today))
    #expect(balance == total("30"))
    #expect(try inbox().assertions.entries.map(\.assertion.account) == [a])
    #expect(try inbox().count == 7)

    // Settling each entry empties the inbox.
    let all = try inbox()
    try await house.append(try #require(all.transfers.entries.first).command)
    try await house.append(.delete(try #require(all.duplicates.entries.first).duplicate.id))
    try await house.append(.generateDue(through: today))
    var cleared = Amendment()
    cleared.status = .cleared
    try await house.append(.amend(pending[0], cleared))
    try await house.append(
      .removeAssertion(try #require(all.assertions.entries.first).assertion.id))
    #expect(try inbox().count == 0)
    try await house.end()
  }

  @Test func whatIsToldApartIsNotProposedAgain() async throws {
    let house = try await House(rates: false)
    let today = day("2026-03-31")
    let (a, b) = (try await house.account("A", opening: "1000"), try await house.account("B"))
    let food = try await house.category("Food")
    func inbox() throws -> Inbox {
      try house.ledger.read { try $0.inbox(today: today, limit: 10) }
    }
    // Two coffees on one day are two coffees.
    for _ in 0..<2 {
      try await house.expense(money("3"), from: a, food, on: "2026-03-02", description: "coffee")
    }
    let pair = try #require(try inbox().duplicates.entries.first)
    try await house.append(pair.distinction)
    #expect(try inbox().duplicates.count == 0)
    // A third one on the next day is compared with both.
    try await house.expense(money("3"), from: a, food, on: "2026-03-03", description: "coffee")
    let next = try #require(try inbox().duplicates.entries.first)
    #expect(next.original == (try row(pair.duplicate.id, house)))
    try await house.append(next.distinction)
    let last = try #require(try inbox().duplicates.entries.first)
    #expect(last.original == pair.original)
    try await house.append(last.distinction)
    #expect(try inbox().duplicates.count == 0)
    let third = try row(last.duplicate.id, house)
    #expect(third.distinctFrom == [pair.duplicate.id, pair.original.id])

    // Told apart, both halves can still form a pair with others.
    let out = try await house.expense(money("50"), from: a, on: "2026-03-10")
    let into = try await house.income(money("50"), into: b, on: "2026-03-10")
    let found = try #require(try inbox().transfers.entries.first)
    #expect([found.paying.id, found.receiving.id] == [out, into])
    try await house.append(found.distinction)
    #expect(try inbox().transfers.count == 0)
    let later = try await house.income(money("50"), into: b, on: "2026-03-12")
    let other = try #require(try inbox().transfers.entries.first)
    #expect([other.paying.id, other.receiving.id] == [out, later])
    // It is a property like any other: taken back, they are a pair again.
    try await house.append(.delete(later))
    #expect(try inbox().transfers.count == 0)
    var together = Amendment()
    together.distinctFrom = []
    try await house.append(.amend(into, together))
    #expect(try inbox().transfers.entries.map(\.receiving.id) == [into])
    try await house.end()
  }

  private func row(_ id: TransactionID, _ house: House) throws -> Transaction {
    try #require(try house.ledger.read { try $0.transaction(id) })
  }
}
