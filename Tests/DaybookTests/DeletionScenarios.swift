/// Goal: "Deleting accounts and categories" and "Rename" of the scenarios hold. Method: each is
/// told through the public API with the amounts of the text, and has the common ending.
import Daybook
import Testing

@Suite struct DeletionScenarios {
  @Test(arguments: [true, false]) func deleteAnAccount(keeping: Bool) async throws {
    let house = try await House()
    let cash = try await house.account("Cash", opening: "100000")
    let debt = try await house.account("Debt", kind: .liability)
    let row = try await house.transfer(money("25000"), from: cash, to: debt)
    #expect(try house.balance(cash) == total("75000"))
    // In use, so a policy is needed: the command has no default.
    try await house.append(.deleteAccount(debt, keeping ? .keepRows : .withRows))
    try await house.ends { snapshot throws in
      #expect(try snapshot.accounts().map(\.name) == ["Cash"])
      if keeping {
        #expect(try snapshot.balance(of: cash, on: today) == total("75000"))
        let kept = try #require(try snapshot.transaction(row))
        #expect(kept.postings.contains { $0.account == .account(debt) })
        #expect(try snapshot.account(debt)?.name == "Debt")
        #expect(try snapshot.account(debt)?.isDeleted == true)
      } else {
        #expect(try snapshot.balance(of: cash, on: today) == total("100000"))
        #expect(try snapshot.transaction(row) == nil)
      }
    }
  }

  @Test(arguments: [true, false]) func deleteACategory(keeping: Bool) async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    let shop = try await house.category("Shop")
    try await house.expense(money("300"), from: a, food)
    try await house.expense(money("200"), from: a, shop)
    #expect(try house.balance(a) == total("500"))
    try await house.append(.deleteCategory(shop, keeping ? .keepRows : .withRows))
    try await house.ends { snapshot throws in
      let february = month("2026-02").days
      let spent = try snapshot.totals(in: february, today: today).first?.expense
      #expect(spent == total(keeping ? "500" : "300"))
      let inFood = try snapshot.total(of: food, in: february, today: today)
      #expect(inFood.total(in: kzt) == total("300"))
      #expect(try snapshot.balance(of: a, on: today) == total(keeping ? "500" : "700"))
    }
  }

  @Test func deletingASubcategoryMovesItsRowsToTheParent() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    let snacks = try await house.category("Snacks", in: food)
    let row = try await house.expense(money("30"), from: a, snacks)
    try await house.append(.deleteCategory(snacks, nil))
    try await house.ends { snapshot throws in
      let moved = try #require(try snapshot.transaction(row))
      #expect(moved.postings.contains { $0.account == .category(food) })
      let spent = try snapshot.total(
        of: food, in: always, includingSubcategories: false, today: today)
      #expect(spent.total(in: kzt) == total("30"))
    }
  }

  @Test func renamingKeepsTheFigures() async throws {
    let house = try await House()
    let a = try await house.account("A", opening: "1000")
    let food = try await house.category("Food")
    let income = try await house.category("Food", .income)
    #expect(food != income)
    try await house.expense(money("300"), from: a, food)
    try await house.append(.amendCategory(food, CategoryChange(name: "Groceries")))
    try await house.ends { snapshot throws in
      let lines = try snapshot.breakdown(in: always, kind: .expense, today: today)
      #expect(lines.map(\.category.name) == ["Groceries"])
      #expect(lines.first?.total(in: kzt) == total("300"))
      #expect(try snapshot.category(named: "Food", kind: .expense) == nil)
      #expect(try snapshot.category(named: "food", kind: .income)?.id == income)
      #expect(try snapshot.categories().count == 2)
    }
  }
}
