/// Goal: the code in Docs/GettingStarted.md compiles and does what the page says. Method: the page shows each function
/// between the marks word for word, and a test runs it.
import Daybook
import Foundation
import Testing

// snippet: narrowed
func narrowed(_ ledger: Ledger, checking: AccountID, cash: AccountID) throws -> [Transaction] {
  var filter = TransactionFilter(accounts: [checking, cash], payee: "market")
  filter.amounts = [AmountRange(10_00...30_00, decimals: 2)]
  filter.isUncategorized = true
  return try ledger.read { snapshot in try snapshot.transactions(filter, limit: 50) }
}
// end

// snippet: plans
func plan(_ ledger: Ledger, from account: AccountID, food: CategoryID, today: Day) async throws {
  var budget = Budget(
    name: "Food", categories: [food], amount: Money(400_00, .eur),
    period: .monthly(resetDay: 1))
  budget.rollover = .surplus
  let rent = Series(
    name: "Rent",
    template: SeriesTemplate(type: .expense, amount: Money(900_00, .eur), account: account),
    schedule: Schedule(.month), anchor: today)
  let shops = CategoryRule(
    name: "Shops", conditions: [.text(.any, .contains, "market")], category: food)
  try await ledger.append(.putBudget(budget), .putSeries(rent), .putRule(shops))

  // Records each due date exactly once, however often it is called.
  try await ledger.append(.generateDue(through: today))

  // Previews what the rule would change in existing transactions, then applies it in one commit.
  let preview = try ledger.read { try $0.rulePreview() }
  if !preview.isEmpty { try await ledger.append(.applyRules(nil)) }
}

func leftToSpend(_ ledger: Ledger, today: Day) throws -> [String: Total] {
  let statuses = try ledger.read { try $0.budgetStatuses(today: today) }
  return Dictionary(uniqueKeysWithValues: statuses.map { ($0.budget.name, $0.remaining) })
}
// end

// snippet: base
func inOneCurrency(_ ledger: Ledger, today: Day) throws -> [DatedConverted] {
  try ledger.read { snapshot throws in
    let year = today.monthOf.adding(-11)..<today.monthOf.adding(1)
    for month in try snapshot.baseMonths(year, today: today) {
      // Amounts without a rate on their day are not in the total. They are listed separately.
      let left = month.totals.expense.unconverted
      print(month.month, month.totals.expense.total, left.isEmpty ? "" : "without \(left)")
    }
    return try snapshot.baseNetWorthSeries(over: year)
  }
}
// end

// snippet: tests
func aPreview() async throws -> Ledger {
  let ledger = try await Ledger.inMemory()
  try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
  return ledger
}
// end

// snippet: pool
func worth(of paths: [String], in pool: LedgerPool, today: Day) async throws -> [[Total]] {
  var worth: [[Total]] = []
  for path in paths {
    // A ledger stays open while its closure runs. Idle ones are closed to make room for others.
    worth.append(
      try await pool.withLedger(at: path) { ledger in
        try ledger.read { try $0.netWorth(on: today) }
      })
  }
  return worth
}
// end

@Suite struct AppSnippets {
  @Test func plansAreMadeAndFollowed() async throws {
    let house = try await House(base: eur)
    let a = try await house.account("A", opening: "2000", in: eur)
    let food = try await house.category("Food")
    let row = try await house.expense(money("25", eur), from: a, description: "Market hall")
    try await house.ledger.append(.amend(row, Amendment(payee: "The market")))
    #expect(try narrowed(house.ledger, checking: a, cash: a).map(\.id) == [row])
    try await plan(house.ledger, from: a, food: food, today: today)
    #expect(try leftToSpend(house.ledger, today: today) == ["Food": total("375", eur)])
    let found = try house.ledger.read { try $0.transaction(row) }
    #expect(found?.postings.last?.account == .category(food))
    #expect(try house.balance(a) == total("1075", eur))
    let worth = try inOneCurrency(house.ledger, today: today)
    #expect(worth.last?.amount.total == total("1075", eur))
    #expect(worth.last?.day == day("2026-02-28") && worth.count == 12)
    try await house.end()
  }

  @Test func aLedgerInMemoryLeavesNothing() async throws {
    let ledger = try await aPreview()
    #expect(try ledger.read { try $0.categories(.expense).map(\.name) } == ["Food"])
    try await ledger.close()
  }

  @Test func aPoolOpensWhatIsAskedFor() async throws {
    let house = try await House(base: eur)
    let a = try await house.account("A", opening: "20", in: eur)
    try await house.ledger.close()
    let pool = LedgerPool(limit: 2, options: House.options())
    let found = try await worth(of: [house.path, house.path], in: pool, today: today)
    #expect(found == [[total("20", eur)], [total("20", eur)]])
    let name = try await pool.withLedger(at: house.path) { ledger in
      try ledger.read { try $0.account(a)?.name }
    }
    #expect(name == "A")
    try await pool.close()
    try await house.end()
  }

  @Test func theDocsShowTheseSnippets() throws {
    try expectSnippets(of: #filePath, in: "Docs/GettingStarted.md", count: 5)
  }
}
