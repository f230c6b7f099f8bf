/// Goal: what is taken back or restored names only what is there, whatever was deleted meanwhile.
/// Method: something that names an account or a category goes, then what it names; bringing the first back
/// is refused, and the ledger stays sound.
import Daybook
import Testing

@Suite struct RevertReferenceTests {
  private let account = AccountID(EntityID(high: 9, low: 1))
  private let food = CategoryID(EntityID(high: 9, low: 2))
  private let seriesID = SeriesID(EntityID(high: 9, low: 3))
  private let ruleID = RuleID(EntityID(high: 9, low: 4))

  private func series(_ account: AccountID? = nil, _ category: CategoryID? = nil) -> Series {
    Series(
      id: seriesID, name: "Box",
      template: SeriesTemplate(
        type: .expense, amount: money("5"), account: account, category: category),
      schedule: Schedule(.month), anchor: day("2026-02-20"))
  }

  private func transfer(to other: AccountID?) -> Series {
    Series(
      id: seriesID, name: "Saving",
      template: SeriesTemplate(type: .transfer, amount: money("5"), otherAccount: other),
      schedule: Schedule(.month), anchor: day("2026-02-20"))
  }

  private func rule(_ category: CategoryID? = nil, _ account: AccountID? = nil) -> CategoryRule {
    var conditions: [RuleCondition] = [.text(.any, .contains, "box")]
    if let account { conditions.append(.account(account)) }
    var rule = CategoryRule(id: ruleID, name: "Boxes", conditions: conditions, category: category)
    rule.tags = ["x"]
    return rule
  }

  private func house() async throws -> House {
    let house = try await House(rates: false)
    try await house.append(
      .openAccount(NewAccount(id: account, name: "A", currency: kzt)),
      .createCategory(NewCategory(id: food, name: "Food", kind: .expense)))
    return house
  }

  /// Tries to take the newest commit back once `commands` have been recorded after it.
  private func refuses(
    _ house: House, restoring entity: EntityID?, after commands: Command...,
    as code: Refusal.Code = .missing
  ) async throws {
    let commit = try house.ledger.token.sequence
    try await house.ledger.append(commands)
    let undone = await #expect(throws: DaybookError.self) {
      try await house.ledger.undo(commit: commit)
    }
    #expect(undone?.refusal?.code == code)
    if let entity {
      let restored = await #expect(throws: DaybookError.self) {
        try await house.ledger.restore(entity: entity)
      }
      #expect(restored?.refusal?.code == .missing)
    }
    // What depends on series and rules goes on.
    #expect(try await house.generate().faults.isEmpty)
    _ = try house.ledger.read { try $0.rulePreview() }
    let report = try await house.ledger.verify()
    #expect(report.isSound, "\(report.findings)")
  }

  @Test func aSeriesStaysGoneWithItsCategory() async throws {
    let house = try await house()
    try await house.append(.putSeries(series(nil, food)))
    try await house.append(.removeSeries(seriesID, withRows: false))
    try await refuses(
      house, restoring: seriesID.rawValue, after: .deleteCategory(food, .withRows))
    // Once the category is back, the series comes back.
    try await house.ledger.restore(entity: food.rawValue)
    try await house.ledger.restore(entity: seriesID.rawValue)
    #expect(try house.stored(seriesID).template.category == food)
    try await house.end()
  }

  @Test func aMappingStaysGoneWithItsAccount() async throws {
    let house = try await house()
    let id = MappingID(EntityID(high: 5, low: 77))
    let mapping = SavedMapping(
      id: id, name: "Bank", contents: "{}",
      look: ImportLook(delimiter: ";", header: ["Day", "Sum"], columnCount: 2), account: account)
    try await house.append(.putMapping(mapping))
    // It names the account, so the account can't go with its rows; and no other has its name.
    await #expect(throws: DaybookError.self) {
      try await house.append(.deleteAccount(self.account, .withRows))
    }
    var other = mapping
    other.id = .unassigned
    other.name = " bank "
    await #expect(throws: DaybookError.self) { try await house.append(.putMapping(other)) }
    try await house.append(.removeMapping(id))
    try await refuses(house, restoring: id.rawValue, after: .deleteAccount(account, .withRows))
    try await house.ledger.restore(entity: account.rawValue)
    try await house.ledger.restore(entity: id.rawValue)
    var kept = mapping
    kept.number = 1
    #expect(try house.ledger.read { try $0.mappings() } == [kept])
    try await house.end()
  }

  @Test func aSeriesStaysGoneWithItsAccounts() async throws {
    for given in [series(account), transfer(to: account)] {
      let house = try await house()
      try await house.append(.putSeries(given))
      try await house.append(.removeSeries(seriesID, withRows: false))
      try await refuses(
        house, restoring: seriesID.rawValue, after: .deleteAccount(account, .withRows))
      try await house.end()
    }
  }

  @Test func aSeriesDoesNotTakeBackACategoryThatIsGone() async throws {
    let house = try await house()
    try await house.append(.putSeries(series(nil, food)))
    try await house.append(.putSeries(series()))
    try await refuses(house, restoring: nil, after: .deleteCategory(food, .withRows))
    try await house.end()
  }

  @Test func aRuleStaysGoneWithItsCategory() async throws {
    let house = try await house()
    try await house.append(.putRule(rule(food)))
    try await house.append(.removeRule(ruleID))
    try await refuses(house, restoring: ruleID.rawValue, after: .deleteCategory(food, .withRows))
    try await house.ledger.restore(entity: food.rawValue)
    try await house.ledger.restore(entity: ruleID.rawValue)
    #expect(try house.ledger.read { try $0.rules().first?.category } == food)
    try await house.end()
  }

  @Test func aRuleStaysGoneWithItsAccount() async throws {
    let house = try await house()
    try await house.append(.putRule(rule(nil, account)))
    try await house.append(.removeRule(ruleID))
    try await refuses(
      house, restoring: ruleID.rawValue, after: .deleteAccount(account, .withRows))
    try await house.end()
  }

  @Test func aRuleDoesNotTakeBackWhatIsGone() async throws {
    let house = try await house()
    try await house.append(.putRule(rule(food, account)))
    try await house.append(.putRule(rule()))
    try await refuses(
      house, restoring: nil, after: .deleteCategory(food, .withRows),
      .deleteAccount(account, .withRows))
    try await house.end()
  }

  /// A category that is deleted with its rows kept has a place in the tree, too.
  @Test func aDeletedCategoryDoesNotGoBackBelowOneThatIsGone() async throws {
    let house = try await house()
    let below = try await house.category("Fruit", in: food)
    try await house.append(.deleteCategory(below, .keepRows))
    try await house.append(.amendCategory(below, CategoryChange(parent: .some(nil))))
    try await refuses(
      house, restoring: nil, after: .deleteCategory(food, .withRows), as: .closed)
    try await house.end()
  }
}
