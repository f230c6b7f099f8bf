/// Goal: a list under a text follows the names of categories, although no transaction changes with them.
/// Method: a category is renamed, given away and deleted under a pager and a window that look for its name;
/// what they show then is what a fresh question answers.
import Daybook
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ListNameTests {
  /// A pager and a window over one ledger, and what both are to show.
  private struct Lists {
    let house: House
    let pager: TransactionPager
    let window: TransactionWindow

    @MainActor init(_ house: House, text: String) {
      self.house = house
      pager = TransactionPager(house.ledger)
      window = TransactionWindow(house.ledger, today: today)
      pager.text = text
      window.filter.text = text
    }

    /// Looks again, and compares what is shown with what there is.
    @MainActor func show(_ count: Int, _ what: Comment) async throws {
      await pager.refresh()
      await pager.settled()
      await window.refresh()
      let filter = pager.filter
      let fresh = try house.ledger.read { snapshot throws in
        (try snapshot.transactions(filter, limit: 100).map(\.id), try snapshot.count(filter))
      }
      #expect(fresh.1 == count, what)
      #expect(pager.rows.map(\.id) == fresh.0 && pager.count == fresh.1, what)
      #expect(window.sections.flatMap(\.rows).map(\.id) == fresh.0, what)
      #expect(window.count == fresh.1, what)
    }
  }

  @Test func aRenamedCategoryTakesItsRowsIntoTheListAndOut() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let food = try await house.category("Food")
    try await house.expense(money("1"), from: account, food)
    let lists = Lists(house, text: "grocer")
    try await lists.show(0, "before")
    try await house.append(.amendCategory(food, CategoryChange(name: "Groceries")))
    try await lists.show(1, "named so")
    try await house.append(.amendCategory(food, CategoryChange(name: "Food")))
    try await lists.show(0, "named otherwise")
    try await house.end()
  }

  @Test func rowsThatMoveToAnotherCategoryLeaveTheList() async throws {
    let house = try await House()
    let account = try await house.account("A")
    let food = try await house.category("Food")
    let other = try await house.category("Other")
    try await house.expense(money("1"), from: account, food)
    let lists = Lists(house, text: "food")
    try await lists.show(1, "before")
    try await house.append(.deleteCategory(food, .move(to: other)))
    try await lists.show(0, "moved")
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    try await lists.show(1, "taken back")
    try await house.end()
  }
}
