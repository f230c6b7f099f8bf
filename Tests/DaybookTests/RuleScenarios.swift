/// Goal: rules put rows where they say, when rows are recorded, imported, and over the past, and never
/// touch what a person chose. Method: the scenario, and what it leaves open, through the public API.
import Daybook
import Testing

@Suite struct RuleScenarios {
  private func rule(
    _ name: String, _ text: String, _ category: CategoryID?, order: Int64 = 0,
    _ match: RuleMatch = .contains
  ) -> CategoryRule {
    var rule = CategoryRule(
      id: RuleID(EntityID(high: 40, low: UInt64(order) + 1)), name: name,
      conditions: [.text(.any, match, text)], category: category)
    rule.order = order
    return rule
  }

  @Test func aRuleIsAppliedToThePast() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    try await house.expense(money("10"), from: a, description: "Uber")
    try await house.expense(money("20"), from: a, description: "UBER trip")
    try await house.expense(money("30"), from: a, transport, description: "uber")
    // “Other” is where rows are that nobody placed; income stays where it is, and what a person chose.
    try await house.income(money("5"), into: a, description: "uber refund")
    let food = try await house.category("Food")
    let manual = try await house.expense(money("7"), from: a, food, description: "uber eats")
    try await house.append(.putRule(rule("Rides", "uber", transport)))
    let preview = try house.ledger.read { try $0.rulePreview() }
    #expect(preview.count == 2)
    #expect(try house.spent(transport) == total("30"))
    try await house.append(.applyRules(nil))
    let applied = try house.ledger.token.sequence
    #expect(try house.spent(transport) == total("60"))
    #expect(try house.spent(.uncategorizedExpense) == total("0"))
    #expect(try house.figures().expense == total("67"))
    #expect(try house.figures().income == total("5"))
    try house.ledger.read { snapshot throws in
      let income = TransactionFilter(category: .uncategorizedIncome)
      #expect(try snapshot.count(income) == 1)
      #expect(try snapshot.transaction(manual)?.postings.last?.account == .category(food))
    }
    // Applied in one commit, taken back in one.
    try await house.ledger.undo(commit: applied)
    #expect(try house.spent(transport) == total("30"))
    try await house.append(.applyRules([RuleID(EntityID(high: 40, low: 1))]))
    try await house.ends { snapshot throws in
      let rows = try snapshot.transactions(TransactionFilter(category: transport), limit: 10)
      #expect(rows.map { $0.categorizedBy != nil } == [false, true, true])
    }
  }

  @Test func rowsAreRuledWhenRecordedAndImported() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let food = try await house.category("Food")
    var second = rule("Lunch", "café*", food, order: 1, .pattern)
    second.tags = ["out"]
    try await house.append(
      .putRule(rule("Rides", "uber", transport)), .putRule(second))
    let ride = try await house.expense(money("10"), from: a, description: "uber")
    let chosen = try await house.expense(money("10"), from: a, food, description: "uber")
    let file = [
      spending("4", from: a, note: "Cafe\u{301} Aru"), spending("5", from: a, note: "else"),
    ]
    let report = try await house.importRows(file)
    try house.ledger.read { snapshot throws in
      #expect(try snapshot.transaction(ride)?.categorizedBy == RuleID(EntityID(high: 40, low: 1)))
      #expect(try snapshot.transaction(chosen)?.categorizedBy == nil)
      #expect(try snapshot.transaction(report.recorded[0])?.tags == ["out"])
    }
    #expect(try house.spent(food) == total("14"))
    // The file is known again, although rules have changed its rows, and change them otherwise now.
    try await house.append(.setRules([]))
    let again = try await house.importRows(file)
    #expect(again.recorded.isEmpty)
    // A person's choice takes the row away from the rules.
    try await house.append(.amend(ride, Amendment(category: .some(food))))
    try await house.append(.putRule(rule("Rides", "uber", transport)), .applyRules(nil))
    try await house.ends { snapshot throws in
      #expect(try snapshot.transaction(ride)?.categorizedBy == nil)
    }
  }

  @Test func aFileIsKnownAgainWhenRulesHaveChangedThePast() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let file = [spending("4", from: a, note: "uber")]
    try await house.importRows(file)
    var naming = rule("Rides", "uber", nil)
    naming.description = "Ride"
    try await house.append(.putRule(naming), .applyRules(nil))
    try house.ledger.read { snapshot throws in
      #expect(try snapshot.transactions(limit: 2).map(\.description) == ["Ride"])
    }
    #expect(try await house.importRows(file).recorded.isEmpty)
    try await house.end()
  }

  @Test func aSetOfRulesIsSavedByWhatDiffers() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    let first = rule("One", "one", food)
    let second = rule("Two", "two", food, order: 1)
    try await house.append(.setRules([first, second]))
    let token = try house.ledger.token
    try await house.append(.setRules([first, second]))
    #expect(try house.ledger.token == token)
    var changed = second
    changed.isEnabled = false
    try await house.append(.setRules([changed]))
    var cursor = try house.ledger.history(before: nil).cursor()
    let changes = try #require(try cursor.next()).changes
    #expect(changes.map(\.operation) == [.delete, .update])
    try await house.end()
  }

  @Test func lockedRowsAreLeftAlone() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let old = try await house.expense(money("10"), from: a, on: "2026-01-10", description: "uber")
    try await house.expense(money("20"), from: a, description: "uber")
    try await house.append(.closePeriod(through: day("2026-01-31")))
    try await house.append(.putRule(rule("Rides", "UBER", transport)), .applyRules(nil))
    #expect(try house.spent(transport) == total("20"))
    #expect(try house.ledger.read { try $0.transaction(old)?.categorizedBy } == nil)
    try await house.end()
  }

  @Test func aRowKeepsTheNameOfARuleThatHasGone() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let rides = rule("Rides", "uber", transport)
    try await house.append(.putRule(rides))
    var draft = Draft.expense(money("3"), from: a, category: transport, on: today)
    draft.categorizedBy = rides.id
    let given = try #require(try await house.append(.record(draft)).transactions.first)
    let ride = try await house.expense(money("10"), from: a, description: "uber")
    try await house.append(.removeRule(rides.id))
    // It can be amended, deleted and brought back; nothing new names the rule.
    try await house.append(.amend(ride, Amendment(note: "home")))
    try await house.append(.delete(ride))
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    let refused = await #expect(throws: DaybookError.self) {
      try await house.append(.record(draft))
    }
    #expect(refused?.refusal?.code == .missing)
    try await house.append(.applyRules(nil))
    try await house.ends { snapshot throws in
      for id in [given, ride] {
        #expect(try snapshot.transaction(id)?.categorizedBy == rides.id)
      }
      #expect(try snapshot.transaction(ride)?.note == "home")
    }
  }
}
