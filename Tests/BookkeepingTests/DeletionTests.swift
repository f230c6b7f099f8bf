// Goal: deleting accounts and categories keeps, removes or moves rows as rule 11 says.
// Method: the scenarios' figures, then each policy with its refusals and what refers to the deleted.

import DaybookBookkeeping
import DaybookEntities
import Testing

@Suite struct DeletionTests {
  @Test func deleteAnAccount() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(10_000_000, .kzt)))
    let debt = try #require(
      try ledger.state.run(
        .openAccount(NewAccount(name: "Debt", kind: .liability, currency: ledger.kzt))
      ).account)
    try ledger.record(
      .transfer(money("25000", "KZT"), from: ledger.cash, to: debt, on: ledger.today))
    #expect(try ledger.state.balance(ledger.cash) == 7_500_000)
    var kept = ledger.state
    try kept.run(.deleteAccount(debt, .keepRows))
    #expect(try kept.balance(ledger.cash) == 7_500_000)
    let tombstone = try #require(try kept.account(debt))
    #expect(tombstone.name == "Debt" && tombstone.isDeleted && tombstone.isClosed)
    #expect(tombstone.isHidden)
    // The name is free again, and the tombstone's rows can still go.
    try kept.run(.openAccount(NewAccount(name: "Debt", currency: ledger.kzt)))
    try kept.run(.deleteAccount(debt, .withRows))
    #expect(try kept.balance(ledger.cash) == 10_000_000)
    try ledger.state.run(.deleteAccount(debt, .withRows))
    #expect(try ledger.state.balance(ledger.cash) == 10_000_000)
    let gone = try #require(try ledger.state.account(debt))
    #expect(gone.isDeleted && gone.isClosed && gone.isHidden)
  }

  @Test func moveAnAccount() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(100, .kzt)))
    try ledger.state.run(.setOpening(ledger.bank, Money(50, .kzt)))
    _ = try ledger.lunch()
    let transfer = try ledger.record(
      .transfer(money("1", "KZT"), from: ledger.cash, to: ledger.bank, on: ledger.today))
    let move = Command.deleteAccount(ledger.cash, .move(to: ledger.bank))
    #expect(ledger.state.refusal(move)?.code == .inUse)
    let abroad = Command.deleteAccount(ledger.cash, .move(to: ledger.dollars))
    #expect(ledger.state.refusal(abroad)?.code == .currencyMismatch)
    let itself = Command.deleteAccount(ledger.cash, .move(to: ledger.cash))
    #expect(ledger.state.refusal(itself)?.code == .inUse)
    try ledger.state.run(.delete(transfer))
    try ledger.state.run(move)
    let gone = try #require(try ledger.state.account(ledger.cash))
    #expect(gone.isDeleted && gone.opening.minorUnits == 0 && gone.openingDay == nil)
    #expect(try ledger.state.balance(ledger.bank) == 150 - 10_000)
  }

  @Test func aDeletedAccountsOpeningStillMoves() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(100, .kzt)))
    try ledger.state.run(.deleteAccount(ledger.cash, .keepRows))
    try ledger.state.run(.deleteAccount(ledger.cash, .move(to: ledger.bank)))
    #expect(try ledger.state.account(ledger.cash)?.opening.minorUnits == 0)
    #expect(try ledger.state.balance(ledger.bank) == 100)
  }

  @Test func aSubcategoryTakesTheNameOfItsDeletedParent() throws {
    for policy in [DeletionPolicy<CategoryID>.withRows, .keepRows] {
      var ledger = try Fixture()
      let child = try #require(
        try ledger.state.run(
          .createCategory(NewCategory(name: "food", kind: .expense, parent: ledger.food))
        ).category)
      try ledger.state.run(.deleteCategory(ledger.food, policy))
      let lifted = try #require(try ledger.state.category(child))
      #expect(lifted.name == "food" && lifted.parent == nil)
    }
  }

  @Test func deleteACategory() throws {
    var ledger = try Fixture()
    try ledger.state.run(.setOpening(ledger.cash, Money(100_000, .kzt)))
    for (category, amount) in [(ledger.food, "300"), (ledger.travel, "200")] {
      try ledger.record(
        .expense(money(amount, "KZT"), from: ledger.cash, category: category, on: ledger.today))
    }
    var kept = ledger.state
    try kept.run(.deleteCategory(ledger.travel, .keepRows))
    #expect(try kept.spent(ledger.food, ledger.kzt) == 30_000)
    #expect(try kept.spent(ledger.travel, ledger.kzt) == 20_000)
    #expect(ledger.state.refusal(.deleteCategory(ledger.travel, nil))?.code == .inUse)
    try ledger.state.run(.deleteCategory(ledger.travel, .withRows))
    #expect(try ledger.state.balance(ledger.cash) == 70_000)
    let gone = try #require(try ledger.state.category(ledger.travel))
    #expect(gone.isDeleted && gone.isHidden)
  }

  @Test func whatIsBelowADeletedCategoryIsReadBelowTheNearestLivingOne() throws {
    var ledger = try Fixture()
    let lunch = try #require(
      try ledger.state.run(
        .createCategory(NewCategory(name: "Lunch", kind: .expense, parent: ledger.food))
      ).category)
    try ledger.state.run(.deleteCategory(lunch, nil))
    // As another device left it that did not know of the deletion.
    let soup = Category(
      id: CategoryID(EntityID(high: 9, low: 1)), name: "Soup", kind: .expense, parent: lunch)
    try ledger.state.apply(
      Change(
        kind: .category, id: soup.entityID, number: 99, before: nil, after: soup.record()))
    #expect(try ledger.state.category(soup.id)?.parent == ledger.food)
    let twin = Command.createCategory(
      NewCategory(name: "soup", kind: .expense, parent: ledger.food))
    #expect(ledger.state.refusal(twin)?.code == .duplicateName)
    try ledger.state.run(.deleteCategory(ledger.food, .withRows))
    #expect(try ledger.state.category(soup.id)?.parent == nil)
  }

  @Test func aSubcategorysRowsMoveToItsParent() throws {
    var ledger = try Fixture()
    let lunch = try #require(
      try ledger.state.run(
        .createCategory(NewCategory(name: "Lunch", kind: .expense, parent: ledger.food))
      ).category)
    let soup = try #require(
      try ledger.state.run(
        .createCategory(NewCategory(name: "Soup", kind: .expense, parent: lunch))
      ).category)
    try ledger.record(.expense(money("5", "KZT"), category: lunch, on: ledger.today))
    try ledger.state.run(.deleteCategory(lunch, nil))
    #expect(try ledger.state.spent(ledger.food, ledger.kzt) == 500)
    #expect(try ledger.state.category(soup)?.parent == ledger.food)
  }

  @Test func aSplitWithAnotherCategoryIsRefusedByName() throws {
    var ledger = try Fixture()
    try ledger.record(
      .split(
        from: ledger.cash,
        parts: [
          Draft.Part(money("1", "KZT"), ledger.food), Draft.Part(money("2", "KZT"), ledger.travel),
        ], on: ledger.today, description: "Station"))
    let refusal = try #require(ledger.state.refusal(.deleteCategory(ledger.food, .withRows)))
    #expect(refusal.code == .inUse)
    #expect(refusal.message.contains("Station") && refusal.message.contains("Travel"))
    try ledger.state.run(.deleteCategory(ledger.food, .move(to: ledger.travel)))
    #expect(try ledger.state.spent(ledger.travel, ledger.kzt) == 300)
    let kind = Command.deleteCategory(ledger.travel, .move(to: ledger.salary))
    #expect(ledger.state.refusal(kind)?.code == .kind)
  }

  @Test func lockedRowsHoldTheirAccount() throws {
    var ledger = try Fixture()
    let id = try ledger.lunch()
    try ledger.state.run(.reconcile([id]))
    for policy in [DeletionPolicy<AccountID>.withRows, .move(to: ledger.bank)] {
      let refusal = ledger.state.refusal(.deleteAccount(ledger.cash, policy))
      #expect(refusal?.code == .reconciled)
      #expect(refusal?.message.contains("Lunch") == true)
    }
    try ledger.state.run(.deleteCategory(ledger.food, .move(to: ledger.travel)))
    try ledger.state.run(.closePeriod(through: ledger.today))
    let closed = Command.deleteCategory(ledger.travel, .move(to: .uncategorizedExpense))
    #expect(ledger.state.refusal(closed)?.code == .closedPeriod)
  }

  @Test func plansFollowOrHold() throws {
    var ledger = try Fixture()
    let budget = Budget(
      id: .unassigned, name: "Eating", categories: [ledger.food], amount: try money("500", "KZT"),
      period: .weekly)
    try ledger.state.run(.putBudget(budget))
    try ledger.state.run(
      .assertBalance(ledger.cash, Money(5, .kzt), on: ledger.today))
    let refusal = ledger.state.refusal(.deleteCategory(ledger.food, .withRows))
    #expect(refusal?.code == .inUse && refusal?.message.contains("Eating") == true)
    try ledger.state.run(.deleteCategory(ledger.food, .move(to: ledger.travel)))
    #expect(try ledger.state.all(Budget.self).map(\.categories) == [[ledger.travel]])
    try ledger.state.run(.deleteAccount(ledger.cash, .withRows))
    #expect(try ledger.state.all(BalanceAssertion.self).isEmpty)
  }

  @Test func aBudgetMayGoOnWatchingWhatWasDeleted() throws {
    var ledger = try Fixture()
    var budget = Budget(
      id: BudgetID(EntityID(high: 8, low: 1)), name: "Eating", categories: [ledger.food],
      amount: try money("500", "KZT"), period: .weekly)
    try ledger.state.run(.putBudget(budget))
    try ledger.state.run(.deleteCategory(ledger.food, .keepRows))
    budget.isArchived = true
    try ledger.state.run(.putBudget(budget))
    #expect(try ledger.state.all(Budget.self).map(\.isArchived) == [true])
    budget.id = BudgetID(EntityID(high: 8, low: 2))
    #expect(ledger.state.refusal(.putBudget(budget))?.code == .closed)
  }

  @Test func aSeriesGoesWithOrWithoutItsRows() throws {
    var ledger = try Fixture()
    let outcome = try ledger.state.run(
      .putSeries(
        Series(
          id: .unassigned, name: "Rent",
          template: SeriesTemplate(
            type: .expense, amount: money("1000", "KZT"), account: ledger.cash),
          schedule: Schedule(.month), anchor: ledger.today)))
    guard case .entity(.series, let raw) = outcome else {
      Issue.record("no series: \(outcome)")
      return
    }
    let series = SeriesID(raw)
    var draft = try Draft.expense(money("1000", "KZT"), from: ledger.cash, on: ledger.today)
    draft.series = SeriesLink(series, due: ledger.today)
    let id = try ledger.record(draft)
    #expect(try ledger.stored(id).occurrence == ledger.today)
    var kept = ledger.state
    try kept.run(.removeSeries(series, withRows: false))
    #expect(try kept.transaction(id)?.series == nil)
    #expect(try kept.balance(ledger.cash) == -100_000)
    try ledger.state.run(.removeSeries(series, withRows: true))
    #expect(try ledger.state.balance(ledger.cash) == 0)
  }
}
