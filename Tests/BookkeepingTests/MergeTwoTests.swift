// Goal: two accounts or categories become one, and nothing of the first is left behind. Method: each thing that can name
// one, merged and looked at; then what is refused.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct MergeTwoTests {
  @Test func everythingOfAnAccountBecomesTheOthers() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(10_000, .kzt)))
    try ledger.state.run(.setOpening(ledger.bank, Money(2_500, .kzt)))
    let row = try ledger.record(
      .expense(money("30", "KZT"), from: ledger.cash, category: ledger.food, on: ledger.today))
    let series = Series(
      id: .random(), name: "Rent",
      template: SeriesTemplate(
        type: .expense, amount: try money("50", "KZT"), account: ledger.cash, category: ledger.food),
      schedule: Schedule(.month), anchor: ledger.today)
    try ledger.state.run(.putSeries(series))
    let rule = CategoryRule(
      id: .random(), name: "R", conditions: [.account(ledger.cash)], category: ledger.food)
    try ledger.state.run(.putRule(rule))
    try ledger.state.run(
      .putMapping(
        SavedMapping(
          name: "M", contents: "{}",
          look: ImportLook(delimiter: ",", header: [], columnCount: 2), account: ledger.cash)))
    try ledger.state.run(.assertBalance(ledger.cash, Money(7_000, .kzt), on: ledger.today))
    for (id, numbers) in [(ledger.cash, ["DE01", "17"]), (ledger.bank, ["DE02"])] {
      var change = AccountChange()
      change.identifiers = numbers
      try ledger.state.run(.amendAccount(id, change))
    }
    let outcome = try ledger.state.run(.mergeAccounts(ledger.cash, into: ledger.bank))
    guard case .rows(1) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try ledger.state.balance(ledger.bank) == 10_000 + 2_500 - 3_000)
    #expect(try ledger.postings(row).first?.account == .account(ledger.bank))
    #expect(try ledger.state.all(Series.self).first?.template.account == ledger.bank)
    #expect(try ledger.state.all(CategoryRule.self).first?.conditions == [.account(ledger.bank)])
    #expect(try ledger.state.all(SavedMapping.self).first?.account == ledger.bank)
    let stated = try #require(try ledger.state.all(BalanceAssertion.self).first)
    #expect(stated.account == ledger.bank && stated.balance == Money(7_000, .kzt))
    let gone = try #require(try ledger.state.account(ledger.cash))
    #expect(gone.isDeleted && gone.isClosed && gone.isHidden && gone.opening.minorUnits == 0)
    #expect(try ledger.state.account(ledger.bank)?.identifiers == ["DE02", "DE01", "17"])
  }

  @Test func accountsThatAreNoneOfOneKeepApart() throws {
    var ledger = try Fixture()
    #expect(
      ledger.state.refusal(.mergeAccounts(ledger.cash, into: ledger.dollars))?.code
        == .currencyMismatch)
    #expect(ledger.state.refusal(.mergeAccounts(ledger.cash, into: ledger.cash))?.code == .inUse)
    #expect(ledger.state.refusal(.mergeAccounts(ledger.cash, into: .outside))?.code == .builtin)
    var two = ledger.state
    try two.run(.setOpening(ledger.cash, Money(1, .kzt), ledger.today))
    try two.run(.setOpening(ledger.bank, Money(1, .kzt)))
    #expect(two.refusal(.mergeAccounts(ledger.cash, into: ledger.bank))?.code == .inUse)
    try ledger.record(
      .transfer(money("1", "KZT"), from: ledger.cash, to: ledger.bank, on: ledger.today))
    let refusal = try #require(ledger.state.refusal(.mergeAccounts(ledger.cash, into: ledger.bank)))
    #expect(refusal.code == .inUse && refusal.message.contains("delete it first"))
  }

  private func category(
    _ name: String, below parent: CategoryID?, in ledger: inout Fixture
  ) throws -> CategoryID {
    try #require(
      try ledger.state.run(
        .createCategory(NewCategory(name: name, kind: .expense, parent: parent))
      ).category)
  }

  @Test func everythingOfACategoryBecomesTheOthers() throws {
    var ledger = try Fixture()
    let row = try ledger.record(
      .expense(money("3", "KZT"), category: ledger.food, on: ledger.today))
    let lunch = try category("Lunch", below: ledger.food, in: &ledger)
    let soup = try category("Soup", below: lunch, in: &ledger)
    let budget = Budget(
      id: .random(), name: "B", categories: [ledger.travel, ledger.food],
      amount: Money(1, .kzt), period: .yearly)
    try ledger.state.run(.putBudget(budget))
    try ledger.state.run(.mergeCategories(ledger.food, into: ledger.travel))
    #expect(try ledger.postings(row).last?.account == .category(ledger.travel))
    #expect(try ledger.state.category(lunch)?.parent == ledger.travel)
    #expect(try ledger.state.category(soup)?.parent == lunch)
    #expect(try ledger.state.all(Budget.self).first?.categories == [ledger.travel])
    let gone = try #require(try ledger.state.category(ledger.food))
    #expect(gone.isDeleted && gone.isHidden)
  }

  @Test func aCategoryMergedIntoOneBelowItGivesItsPlace() throws {
    var ledger = try Fixture()
    let lunch = try category("Food", below: ledger.food, in: &ledger)
    let dinner = try category("Dinner", below: ledger.food, in: &ledger)
    let soup = try category("Soup", below: lunch, in: &ledger)
    var deeper = ledger.state
    #expect(deeper.refusal(.mergeCategories(ledger.food, into: soup))?.code == .cycle)
    try deeper.run(.mergeCategories(ledger.food, into: lunch))
    #expect(try deeper.category(lunch)?.parent == nil)
    #expect(try deeper.category(dinner)?.parent == lunch)
    #expect(try deeper.category(soup)?.parent == lunch)
    try ledger.state.run(.mergeCategories(ledger.food, into: .uncategorizedExpense))
    #expect(try ledger.state.category(lunch)?.parent == nil)
    #expect(try ledger.state.category(dinner)?.parent == nil)
  }

  @Test func categoriesThatAreNoneOfOneKeepApart() throws {
    var ledger = try Fixture()
    #expect(
      ledger.state.refusal(.mergeCategories(ledger.food, into: ledger.salary))?.code == .kind)
    #expect(ledger.state.refusal(.mergeCategories(ledger.food, into: ledger.food))?.code == .inUse)
    #expect(
      ledger.state.refusal(.mergeCategories(.uncategorizedExpense, into: ledger.food))?.code
        == .builtin)
    _ = try category("Lunch", below: ledger.food, in: &ledger)
    _ = try category("lunch", below: ledger.travel, in: &ledger)
    #expect(
      ledger.state.refusal(.mergeCategories(ledger.food, into: ledger.travel))?.code
        == .duplicateName)
  }

  /// What is below a deleted category is one level up, where another may have its name.
  @Test func aDeletionDoesNotPutTwoOfOneNameSideBySide() throws {
    var ledger = try Fixture()
    _ = try category("Travel", below: ledger.food, in: &ledger)
    for policy in [DeletionPolicy<CategoryID>.keepRows, .withRows, .move(to: ledger.travel)] {
      #expect(
        ledger.state.refusal(.deleteCategory(ledger.food, policy))?.code == .duplicateName)
    }
  }
}
