// Goal: the page of categories has all of them, and a parent's total is the sum of its lines. Method: a small tree of
// categories is shown; its lines are read from the page. EveryFigureTests compares all figures with the library's.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct CategoriesPageTests {
  /// The amount of the line with a name, in the column of totals.
  private func amount(_ name: String, _ page: String) -> String? {
    for row in page.components(separatedBy: "<tr>") where row.contains(">\(name)<") {
      return row.firstMatch(of: /<a class="figure[^"]*" href="[^"]*">([^<]*)</).map { String($0.1) }
    }
    return nil
  }

  @Test func allCategoriesAreShownWithTheTotalsOfParents() async throws {
    let (ledger, account, food) = try await household()
    let made = try await ledger.append([
      .createCategory(NewCategory(name: "Bread", kind: .expense, parent: food)),
      .createCategory(NewCategory(name: "Fun", kind: .expense)),
    ]).categories
    let bread = made[0]
    try await ledger.append([
      .record(.expense(Money(2_00, .eur), from: account, category: bread, on: today)),
      .record(.expense(Money(4_00, .eur), from: account, category: food, on: today)),
    ])
    let asked = Asked(ledger)
    let page = await asked.get("/categories").text
    #expect(amount("Food", page) == "€6.00" && amount("Bread", page) == "€2.00")
    #expect(page.contains("Food (direct)") && page.contains("subcategories=false"))
    #expect(amount("Fun", page) == "€0.00", "an empty one is shown too")
    let first = try #require(page.range(of: ">Food<")?.lowerBound)
    let fun = try #require(page.range(of: ">Fun<")?.lowerBound)
    #expect(first < fun, "the largest is first")
    // A hidden category is shown if it has something.
    var change = CategoryChange()
    change.isHidden = true
    try await ledger.append([.amendCategory(bread, change), .amendCategory(made[1], change)])
    let fewer = await asked.get("/categories").text
    #expect(
      amount("Bread", fewer) == "€2.00" && !fewer.contains("<a href=\"/categories/\(made[1])"))
  }
}
