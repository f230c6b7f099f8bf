// Goal: what is valid apart is valid merged: accounts, categories, budgets, settings. Method: as for postings.

import DaybookBookkeeping
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import Testing

@Suite struct EntityRuleTests {
  private let checking = Account(
    id: account(1), name: "Checking", kind: .asset, currency: .eur, opening: eur(5_000))
  private let food = DaybookBookkeeping.Category(id: category(1), name: "Food", kind: .expense)

  private func changed<Entity>(_ entity: Entity, _ body: (inout Entity) -> Void) -> Entity {
    var copy = entity
    body(&copy)
    return copy
  }

  private func merged<Entity: LedgerEntity>(
    _ begun: Entity, _ first: Entity, _ second: Entity
  ) throws -> (entity: Entity, rules: [FindingRule]) {
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, begun))
    log.place(2, base: 1, clock: 20, .change(begun, first))
    log.place(3, base: 1, clock: 30, .change(begun, second))
    let folded = try log.folded()
    return (try #require(try folded.entity(begun)), folded.rules)
  }

  @Test func nameHereNoteThere() throws {
    let result = try merged(
      checking, changed(checking) { $0.name = "Giro" }, changed(checking) { $0.note = "joint" })
    #expect(result.entity.name == "Giro")
    #expect(result.entity.note == "joint")
    #expect(result.rules.isEmpty)
  }

  @Test func anAccountKeepsItsCurrency() throws {
    let result = try merged(
      checking, checking,
      changed(checking) {
        $0 = Account(
          id: $0.id, name: "Dollars", kind: $0.kind, currency: .usd, opening: Money(5_000, .usd))
      })
    #expect(result.entity.currency == .eur)
    #expect(result.entity.name == "Dollars")
    #expect(result.rules == [.valueLost])
  }

  /// What another device said of the opening is kept, like rows that it recorded.
  @Test func aDeletedAccountKeepsAnOpeningThatItsDeleterHadNotSeen() throws {
    let deleted = changed(checking) {
      ($0.isDeleted, $0.isClosed, $0.openingBalance) = (true, true, 0)
    }
    let stated = changed(checking) { $0.openingBalance = 7_000 }
    for (first, second) in [(deleted, stated), (stated, deleted)] {
      let result = try merged(checking, first, second)
      #expect(result.entity.isDeleted)
      #expect(result.entity.openingBalance == (second == stated ? 7_000 : 0))
      #expect(!result.rules.isEmpty)
    }
  }

  @Test func aDeletedAccountIsClosed() throws {
    let closed = changed(checking) {
      $0.isClosed = true
      $0.openingBalance = 0
    }
    let deleted = changed(closed) { $0.isDeleted = true }
    let result = try merged(closed, deleted, changed(closed) { $0.isClosed = false })
    #expect(!result.entity.isDeleted || result.entity.isClosed)
    #expect(result.rules == [.clash])
  }

  /// Who deletes an account and keeps its rows keeps its opening, too.
  @Test func aDeletedAccountMayKeepItsOpening() throws {
    let deleted = changed(checking) {
      ($0.isDeleted, $0.isClosed, $0.isHidden) = (true, true, true)
    }
    for edited in [
      changed(checking) { $0.note = "joint" }, changed(checking) { $0.openingBalance = 7_000 },
    ] {
      for (first, second) in [(deleted, edited), (edited, deleted)] {
        let result = try merged(checking, first, second)
        #expect(result.entity.isDeleted)
        #expect(result.entity.openingBalance == edited.openingBalance)
        #expect(result.rules == [.deletionStands])
      }
    }
  }

  @Test func aChangeOfWhatWasDeletedMeanwhileIsTold() throws {
    let gone = changed(food) {
      $0.isDeleted = true
      $0.isHidden = true
    }
    let renamed = changed(food) { $0.name = "Groceries" }
    for (first, second) in [(gone, renamed), (renamed, gone)] {
      let result = try merged(food, first, second)
      #expect(result.entity.isDeleted)
      #expect(result.entity.name == "Groceries")
      #expect(result.rules == [.deletionStands])
    }
    let closed = changed(checking) {
      $0.isDeleted = true
      $0.isClosed = true
      $0.isHidden = true
      $0.openingBalance = 0
    }
    let noted = changed(checking) { $0.note = "joint" }
    for (first, second) in [(closed, noted), (noted, closed)] {
      let result = try merged(checking, first, second)
      #expect(result.entity.isDeleted)
      #expect(result.rules == [.deletionStands])
    }
  }

  @Test func categoriesMakeNoCycle() throws {
    let other = DaybookBookkeeping.Category(id: category(2), name: "Fun", kind: .expense)
    var log = Log()
    log.place(1, base: 0, clock: 10, .change(nil, food), .change(nil, other))
    log.place(2, base: 1, clock: 20, .change(food, changed(food) { $0.parent = category(2) }))
    log.place(3, base: 1, clock: 30, .change(other, changed(other) { $0.parent = category(1) }))
    let folded = try log.folded()
    #expect(try folded.entity(food)?.parent == category(2))
    #expect(try folded.entity(other)?.parent == nil)
    #expect(folded.rules == [.cycle])
  }

  @Test func aCategoryKeepsItsKind() throws {
    let income = DaybookBookkeeping.Category(id: food.id, name: "Food", kind: .income)
    let result = try merged(food, food, income)
    #expect(result.entity.kind == .expense)
  }

  @Test func aBudgetEndsAfterItBegins() throws {
    var budget = Budget(
      id: BudgetID(EntityID(high: 5, low: 1)), name: "Food", categories: [category(1)],
      amount: eur(40_000), period: .monthly(resetDay: 1))
    budget.start = day(2026, 1, 1)
    budget.end = day(2027, 1, 1)
    let result = try merged(
      budget, changed(budget) { $0.start = day(2026, 9, 1) },
      changed(budget) { $0.end = day(2026, 6, 1) })
    let start = try #require(result.entity.start)
    let end = try #require(result.entity.end)
    #expect(start < end)
    #expect(result.rules == [.clash])
  }

  /// Two devices change different properties of a budget from different days on.
  @Test func aBudgetKeepsBothPasts() throws {
    let budget = Budget(
      id: BudgetID(EntityID(high: 5, low: 1)), name: "Food", categories: [category(1)],
      amount: eur(40_000), period: .monthly(resetDay: 25))
    let (april, may) = (day(2026, 4, 1), day(2026, 5, 1))
    let more = BudgetCategories([category(1), category(2)])
    let result = try merged(
      budget,
      changed(budget) {
        $0.setPeriod(.weeks(2, from: may), from: may)
        $0.setCategories(more, ofPeriodsFrom: may)
      }, changed(budget) { $0.setRollover(.both, ofPeriodsFrom: april) })
    #expect(result.entity.period == .weeks(2, from: may))
    #expect(
      result.entity.earlierPeriods == [EarlierValue(until: may, value: .monthly(resetDay: 25))])
    #expect(result.entity.covered == more)
    #expect(result.entity.earlierCategories == [EarlierValue(until: may, value: budget.covered)])
    #expect(result.entity.rollover == .both)
    #expect(result.entity.earlierRollovers == [EarlierValue(until: april, value: .none)])
    #expect(result.rules == [])
    // Of two changes of the same property, one is taken with its past.
    let clash = try merged(
      budget, changed(budget) { $0.setPeriod(.weekly, from: may) },
      changed(budget) { $0.setPeriod(.yearly, from: april) })
    let taken = clash.entity.period == .weekly ? may : april
    #expect(clash.entity.earlierPeriods.map(\.until) == [taken])
    #expect(clash.rules != [])
  }

  @Test func thePolicyIsTheLedgers() throws {
    var log = Log()
    let settings = LedgerSettings(mergePolicy: .firstWriter)
    log.place(1, base: 0, clock: 10, .change(nil, settings), .change(nil, checking))
    log.place(2, base: 1, clock: 20, .change(checking, changed(checking) { $0.name = "Giro" }))
    log.place(3, base: 1, clock: 30, .change(checking, changed(checking) { $0.name = "Bank" }))
    #expect(try log.folded().entity(checking)?.name == "Giro")
  }

  @Test func eachKindHasItsRules() {
    #expect(Set(MergeRules.ledger.kinds.keys) == Set(KindDescription.all.map(\.kind)))
  }
}
