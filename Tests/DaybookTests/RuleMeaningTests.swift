/// Goal: rules mean what their documentation says where texts, amounts and the past are unusual. Method: a
/// row or two and a rule each, through the public API; every test here failed once.
import Daybook
import Testing

@Suite struct RuleMeaningTests {
  private func rule(
    _ condition: RuleCondition, _ category: CategoryID?, id: UInt64 = 1
  ) -> CategoryRule {
    CategoryRule(
      id: RuleID(EntityID(high: 41, low: id)), name: "Rule \(id)", conditions: [condition],
      category: category)
  }

  private func refusal(_ house: House, _ command: Command) async -> Refusal.Code? {
    let error = await #expect(throws: DaybookError.self) { try await house.append(command) }
    return error?.refusal?.code
  }

  @Test(
    "texts match as in searches: neither case nor accents count", arguments: RuleMatch.allCases)
  func accents(_ match: RuleMatch) async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    for (place, texts) in [["cafe", "Café", "CAFÉ"], ["Straße", "STRASSE"], ["æbler", "Aebler"]]
      .enumerated()
    {
      let condition = RuleCondition.text(.any, match, texts[0])
      try await house.append(.putRule(rule(condition, food, id: UInt64(place + 1))))
      for text in texts {
        try await house.expense(money("1"), from: nil, description: text)
        try await house.expense(money("10"), from: nil, description: "x\(text.dropFirst())")
      }
    }
    #expect(try house.spent(food) == total("7"))
    try await house.end()
  }

  @Test("a question mark stands for one character of the text, however it is folded")
  func characters() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    try await house.append(.putRule(rule(.text(.any, .pattern, "stra?e"), food)))
    for (text, amount) in [("Straße", "1"), ("STRAÇE", "2"), ("Strasse", "10"), ("Strae", "20")] {
      try await house.expense(money(amount), from: nil, description: text)
    }
    #expect(try house.spent(food) == total("3"))
    try await house.end()
  }

  @Test("a text of which nothing is left to look for is refused") func blank() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    for text in ["  ", "\u{301}", "\u{200d} "] {
      #expect(await refusal(house, .putRule(rule(.text(.any, .contains, text), food))) == .text)
    }
    try await house.end()
  }

  @Test("no amount has a size below zero") func negativeSizes() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    try await house.append(.putRule(rule(.amount(from: money("-10"), through: money("-5")), food)))
    try await house.expense(money("0"), from: nil)
    try house.ledger.read { snapshot throws in
      #expect(try snapshot.count(TransactionFilter(category: food)) == 0)
    }
    try await house.end()
  }

  @Test("what a rule chose is put elsewhere when the rule says so") func ruleChanges() async throws
  {
    let house = try await House(rates: false)
    let (bus, taxi) = (try await house.category("Bus"), try await house.category("Taxi"))
    let condition = RuleCondition.text(.any, .contains, "uber")
    try await house.append(.putRule(rule(condition, bus)))
    try await house.expense(money("7"), from: nil, description: "uber")
    try await house.append(.putRule(rule(condition, taxi)))
    #expect(try house.ledger.read { try $0.rulePreview() }.count == 1)
    try await house.append(.applyRules(nil))
    #expect(try house.spent(taxi) == total("7"))
    #expect(try house.spent(bus) == total("0"))
    try await house.end()
  }

  @Test("a deleted category is never given, and what is in one may leave it")
  func deletedCategories() async throws {
    let house = try await House(rates: false)
    let (bus, taxi) = (try await house.category("Bus"), try await house.category("Taxi"))
    let food = try await house.category("Food")
    let condition = RuleCondition.text(.any, .contains, "uber")
    try await house.append(
      .putRule(rule(condition, bus)), .putRule(rule(condition, taxi, id: 2)),
      .putRule(rule(.text(.any, .contains, "bread"), taxi, id: 3)))
    try await house.expense(money("7"), from: nil, description: "uber")
    try await house.append(
      .deleteCategory(bus, .keepRows), .deleteCategory(taxi, .keepRows),
      .removeRule(RuleID(EntityID(high: 41, low: 1))))
    try await house.expense(money("5"), from: nil, description: "bread")
    #expect(try house.ledger.read { try $0.rulePreview() }.isEmpty)
    try await house.append(.applyRules(nil))
    #expect(try house.spent(bus) == total("7"))
    try await house.append(.putRule(rule(condition, food, id: 2)), .applyRules(nil))
    #expect(try house.spent(food) == total("7"))
    try await house.end()
  }

  @Test("a preview leaves alone what applying leaves alone") func closedBooks() async throws {
    let house = try await House(rates: false)
    let food = try await house.category("Food")
    try await house.expense(money("1"), from: nil, on: "2026-01-10", description: "bread")
    try await house.expense(money("2"), from: nil, on: "2026-02-11", description: "bread")
    try await house.append(
      .closePeriod(through: day("2026-01-31")),
      .putRule(rule(.text(.any, .contains, "bread"), food)))
    let preview = try house.ledger.read { try $0.rulePreview() }
    #expect(preview.map(\.transaction.day) == [day("2026-02-11")])
    try await house.end()
  }

  @Test("a category that loses against another's takes its rule with it") func merging()
    async throws
  {
    let house = try await House(rates: false)
    let (food, home) = (try await house.category("Food"), try await house.category("Home"))
    let other = try await house.category("Other")
    try await house.append(
      .setSettings(SettingsChange(mergePolicy: .firstWriter)),
      .putRule(rule(.text(.any, .equals, "never"), food)))
    let row = try await house.expense(money("1"), from: nil, other)
    let seen = try #require(try house.ledger.read { try $0.transaction(row) })
    try await house.append(.amend(row, Amendment(category: .some(home))))
    var late = Amendment(category: food)
    late.categorizedBy = RuleID(EntityID(high: 41, low: 1))
    late.seen = seen
    try await house.append(.amend(row, late))
    try await house.ends { snapshot throws in
      let found = try snapshot.transaction(row)
      #expect(found?.postings.last?.account == .category(home))
      #expect(found?.categorizedBy == nil)
    }
  }

  @Test("rules give no more tags than a transaction takes") func tagLimit() async throws {
    let house = try await House(rates: false)
    var tagging = rule(.text(.any, .contains, "bread"), nil)
    tagging.tags = ["auto"]
    try await house.append(.putRule(tagging))
    var draft = Draft.expense(money("1"), from: nil, on: today, description: "bread")
    draft.tags = (0..<Limits.tagCountMax).map { "tag \($0)" }
    try await house.append(.record(draft))
    let row = try #require(try house.ledger.read { try $0.transactions(limit: 1) }.first)
    #expect(row.tags == draft.tags)
    draft.tags.removeLast()
    try await house.append(.record(draft))
    let other = try #require(try house.ledger.read { try $0.transactions(limit: 1) }.first)
    #expect(other.tags == draft.tags + ["auto"])
    try await house.end()
  }
}
