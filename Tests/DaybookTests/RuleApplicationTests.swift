/// Goal: rules applied to the past put each row whose category no person chose where they say now, leave
/// all others alone, and do what was previewed. Method: rules change, go, and meet deleted categories, locked
/// rows and full lists of tags; the preview is compared with what is then recorded.
import Daybook
import Testing

@Suite struct RuleApplicationTests {
  private func rule(
    _ name: String, _ text: String, _ category: CategoryID?, order: Int64 = 0, id: UInt64 = 1
  ) -> CategoryRule {
    var rule = CategoryRule(
      id: RuleID(EntityID(high: 40, low: id)), name: name,
      conditions: [.text(.any, .contains, text)], category: category)
    rule.order = order
    return rule
  }

  /// Applies rules, and compares what became of the rows with what was previewed.
  private func apply(
    _ house: House, _ rules: [CategoryRule]? = nil, expecting count: Int
  ) async throws {
    let preview = try house.ledger.read { try $0.rulePreview(rules) }
    #expect(preview.count == count)
    let receipt = try await house.append(.applyRules(rules?.map(\.id)))
    guard case .rows(let applied)? = receipt.outcomes.first else {
      Issue.record("no count of rows: \(receipt)")
      return
    }
    #expect(applied == count)
    try house.ledger.read { snapshot throws in
      for one in preview { #expect(try snapshot.transaction(one.transaction.id) == one.ruled) }
      #expect(try snapshot.rulePreview(rules) == [])
    }
  }

  @Test func aRuleThatGivesAnotherCategoryTakesItsRowsAlong() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let taxi = try await house.category("Taxi")
    try await house.append(.putRule(rule("Rides", "uber", transport)))
    try await house.expense(money("10"), from: a, description: "uber")
    try await house.expense(money("5"), from: a, transport, description: "uber, by hand")
    #expect(try house.spent(transport) == total("15"))
    try await house.append(.putRule(rule("Rides", "uber", taxi)))
    try await apply(house, expecting: 1)
    try await house.ends { snapshot throws in
      let found = try [taxi, transport].map {
        try snapshot.total(of: $0, in: always, today: today).total(in: kzt)
      }
      #expect(found == [total("10"), total("5")])
    }
  }

  @Test func aRuleTakesOverFromOneThatIsGone() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let taxi = try await house.category("Taxi")
    let first = rule("Rides", "uber", transport)
    let second = rule("Taxis", "uber", taxi, order: 1, id: 2)
    try await house.append(.putRule(first), .putRule(second))
    try await house.expense(money("10"), from: a, description: "uber")
    // The first one still says where the row is, whichever are applied.
    try await apply(house, expecting: 0)
    try await apply(house, [second], expecting: 0)
    #expect(try house.spent(transport) == total("10"))
    try await house.append(.removeRule(first.id))
    try await apply(house, [second], expecting: 1)
    #expect(try house.spent(taxi) == total("10"))
    try await house.end()
  }

  @Test func aRuleThatComesFirstTakesOverAlone() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let transport = try await house.category("Transport")
    let taxi = try await house.category("Taxi")
    try await house.append(.putRule(rule("Rides", "uber", transport, order: 1)))
    try await house.expense(money("10"), from: a, description: "uber")
    let second = rule("Taxis", "uber", taxi, order: 0, id: 2)
    try await house.append(.putRule(second))
    try await apply(house, [second], expecting: 1)
    #expect(try house.spent(taxi) == total("10"))
    try await house.end()
  }

  @Test(arguments: [CategoryKind.expense, .income])
  func rowsOfADeletedCategoryStay(kind: CategoryKind) async throws {
    let house = try await House(rates: false)
    let account = try await house.account("A")
    let a = try await house.category("One")
    let b = try await house.category("Two", kind)
    try await house.append(.putRule(rule("Late", "uber", a, order: 1)))
    let row = try await house.expense(money("10"), from: account, description: "uber")
    try await house.append(.putRule(rule("Early", "uber", b, order: 0, id: 2)))
    try await house.append(.deleteCategory(a, .keepRows), .deleteCategory(b, .keepRows))
    try await apply(house, expecting: 0)
    try await house.ends { snapshot throws in
      let found = try #require(try snapshot.transaction(row))
      #expect(found.postings.contains { $0.account == .category(a) } && found.type == .expense)
    }
  }

  @Test func aDeletedCategoryIsNotPreviewed() async throws {
    let house = try await House(rates: false)
    let account = try await house.account("A")
    let a = try await house.category("One")
    let b = try await house.category("Two")
    try await house.expense(money("10"), from: account, description: "uber")
    try await house.append(.putRule(rule("Late", "uber", a)), .deleteCategory(a, .keepRows))
    try await apply(house, expecting: 0)
    // But what is in one may leave it.
    try await house.append(.setRules([rule("Late", "else", b)]))
    try await house.expense(money("20"), from: account, description: "else")
    try await house.append(.setRules([rule("Other", "else", .uncategorizedExpense, id: 3)]))
    try await house.append(.deleteCategory(b, .keepRows))
    try await apply(house, expecting: 1)
    try await house.end()
  }

  @Test func rowsInTheClosedPeriodAreNotPreviewed() async throws {
    let house = try await House(rates: false)
    let account = try await house.account("A")
    let a = try await house.category("One")
    try await house.expense(money("1"), from: account, on: "2026-01-10", description: "uber")
    try await house.expense(money("2"), from: account, description: "uber")
    try await house.append(.closePeriod(through: day("2026-01-31")))
    try await house.append(.putRule(rule("Rides", "uber", a)))
    try await apply(house, expecting: 1)
    // Texts are free there, too.
    var tagging = rule("Tags", "uber", nil)
    tagging.tags = ["ride"]
    try await house.append(.setRules([tagging]))
    try await apply(house, expecting: 2)
    try await house.end()
  }

  @Test func aPreviewGivesTheNewestRowsFirst() async throws {
    let house = try await House(rates: false)
    let account = try await house.account("A")
    let a = try await house.category("One")
    for number in 0..<450 {
      try await house.ledger.append(
        .record(
          .expense(
            money("1"), from: account, on: today.adding(days: -(number * 7 % 450)),
            description: number % 3 == 0 ? "uber" : "else")))
    }
    try await house.append(.putRule(rule("Rides", "uber", a)))
    let filter = TransactionFilter(text: "uber")
    try house.ledger.read { snapshot throws in
      let rows = try snapshot.transactions(filter, limit: 1_000).map(\.id)
      #expect(rows.count == 150)
      for limit in [0, 1, 149, 150, 151] {
        let found = try snapshot.rulePreview(limit: limit).map(\.transaction.id)
        #expect(found == Array(rows.prefix(limit)))
      }
    }
    try await apply(house, expecting: 150)
    try await house.end()
  }

  @Test func noRowGetsMoreTagsThanItTakes() async throws {
    let house = try await House(rates: false)
    let account = try await house.account("A")
    let full = (1..<Limits.tagCountMax).map { "tag \($0)" } + ["last"]
    var tagging = rule("Tags", "uber", nil)
    tagging.tags = ["one", "more"]
    // Two that are there before the rule is, two that it meets when they come.
    var ids: [TransactionID] = []
    for tags in [full, Array(full.dropLast())] {
      ids += try await house.append(
        .record(.expense(money("1"), from: account, on: today, description: "uber", tags: tags))
      ).transactions
    }
    try await house.append(.putRule(tagging))
    try await apply(house, expecting: 1)
    func draft(_ amount: String) -> Draft {
      .expense(money(amount), from: account, on: today, description: "uber", tags: full)
    }
    ids += try await house.append(.record(draft("2"))).transactions
    ids += try await house.importRows([ImportRow(draft("3"))]).recorded
    #expect(ids.count == 4)
    for id in ids { try await house.append(.amend(id, Amendment(note: "still amended"))) }
    try await house.ends { snapshot throws in
      let tags = try ids.map { try #require(try snapshot.transaction($0)).tags }
      #expect(tags == [full, full.dropLast() + ["one"], full, full])
    }
  }
}
