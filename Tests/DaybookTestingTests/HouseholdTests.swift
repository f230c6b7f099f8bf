/// Goal: a sample household makes a ledger that is the same for everyone, right, and has something to show of
/// everything. Method: ledgers of households are compared with each other, and with what was asked for.
import Daybook
import DaybookTesting
import Testing

@Suite struct HouseholdTests {
  private let today = Day(year: 2026, month: 2, day: 15) ?? .min

  /// Everything that a ledger of a household holds.
  private func content(_ household: SampleHousehold) async throws -> [String] {
    let ledger = try await household.ledger()
    let content = try ledger.read { snapshot throws in
      [
        "\(try snapshot.accounts())", "\(try snapshot.categories())", "\(try snapshot.budgets())",
        "\(try snapshot.series())", "\(try snapshot.rules())", "\(try snapshot.settings())",
        "\(try snapshot.rates().count)", "\(try snapshot.transactions(limit: 1_000))",
      ]
    }
    try await ledger.close()
    return content
  }

  @Test func theSameSeedGivesTheSameLedger() async throws {
    let one = try await content(SampleHousehold(seed: 5, transactionCount: 300, through: today))
    let two = try await content(SampleHousehold(seed: 5, transactionCount: 300, through: today))
    let other = try await content(SampleHousehold(seed: 6, transactionCount: 300, through: today))
    #expect(one == two)
    #expect(zip(one, other).filter { $0 != $1 }.count >= 5)
  }

  @Test(arguments: [0, 1, 2_500]) func asManyRowsAsAskedFor(count: Int) async throws {
    let household = SampleHousehold(transactionCount: count, years: 3, through: today)
    let ledger = try await household.ledger()
    try ledger.read { snapshot throws in
      #expect(try snapshot.count() == count)
      #expect(try snapshot.accounts().map(\.name) == household.accountNames)
      #expect(try snapshot.categories().count == household.categoryPaths.count)
    }
    try await ledger.close()
  }

  @Test func thereIsSomethingToShowOfEverything() async throws {
    let household = SampleHousehold(transactionCount: 2_000, years: 2, through: today)
    let ledger = try await household.ledger()
    let groceries = try #require(household.category("Food:Groceries"))
    let joint = try #require(household.account("Joint account"))
    try ledger.read { snapshot throws in
      #expect(try snapshot.category(groceries)?.name == "Groceries")
      #expect(try snapshot.account(joint)?.name == "Joint account")
      let budgets = try snapshot.budgetStatuses(today: today)
      #expect(budgets.count == 4 && budgets.contains { $0.spent.total.units > 0 })
      #expect(try !snapshot.upcoming(through: today.adding(days: 60), today: today).isEmpty)
      #expect(try snapshot.baseNetWorth(on: today).unconverted.isEmpty)
      #expect(try snapshot.netWorth(on: today).count == 4)
      #expect(try !snapshot.payees(startingWith: "re", limit: 5, today: today).isEmpty)
    }
    #expect(household.account("Nobody's") == nil && household.category("Food:Nothing") == nil)
    try await ledger.close()
  }

  @Test func noArgumentIsTooFarOff() {
    for (count, years, day) in [
      (-5, 1_000, Day.min), (3, -2, .max), (3, .max, Day(rawValue: .max)),
      (3, .min, Day(rawValue: .min)),
    ] {
      let household = SampleHousehold(
        seed: .max, transactionCount: count, years: years, through: day)
      #expect(household.recordings.count == max(0, count))
      #expect(household.firstDay.isInRange && household.lastDay.isInRange)
    }
  }

  @Test func itIsNotRecordedTwice() async throws {
    let household = SampleHousehold(transactionCount: 10, years: 1, through: today)
    let ledger = try await household.ledger()
    await #expect(throws: DaybookError.self) { try await household.record(in: ledger) }
    #expect(try ledger.read { try $0.count() } == 10)
    try await ledger.close()
  }
}
