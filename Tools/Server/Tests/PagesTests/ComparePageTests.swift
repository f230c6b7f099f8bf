// Goal: two moments side by side show every kind of figure that moved, each as of its moment. Method: one commit
// between them moves a row to another category.
import Daybook
import Testing

@testable import Pages

@Suite struct ComparePageTests {
  @Test func categoriesAndBudgetsAreShownWhereTheyMoved() async throws {
    let (ledger, account, food) = try await household()
    let trips = CategoryID.random()
    let receipt = try await ledger.append([
      .createCategory(NewCategory(id: trips, name: "Trips", kind: .expense)),
      .putBudget(
        Budget(
          name: "Going out", categories: [trips], amount: Money(90_00, .eur),
          period: .monthly(resetDay: 1))),
      .record(.expense(Money(40_00, .eur), from: account, category: food, on: today)),
    ])
    let lunch = receipt.transactions[0]
    let from = try ledger.token.sequence
    let to = from + 1
    try await ledger.append(.amend(lunch, Amendment(category: trips)))
    // What comes later is not between them.
    try await ledger.append(
      .record(.expense(Money(3_33, .eur), from: account, category: food, on: today)))
    let page = await Asked(ledger).get("/compare", [("from", "\(from)"), ("to", "\(to)")]).text
    let rows = page.split(separator: "<tr>").map(String.init)
    func row(_ name: String) throws -> String {
      try #require(rows.first { $0.contains(name) }, "\(name)")
    }
    #expect(try row(">Food February 2026<").contains("-€40.00"))
    let moved = try row(">Trips February 2026<")
    #expect(
      moved.contains("category=\(trips)") && moved.contains("asOf=\(from)&amp;today=\(today)\""))
    #expect(moved.contains("asOf=\(to)&amp;today=\(today)\"") && moved.contains("+€40.00"))
    #expect(try row(">Spent Going out<").contains(">€40.00<"))
    #expect(try row(">Left Going out<").contains(">€50.00<"))
    // Neither what is on the account nor the month is another.
    #expect(!page.contains(">Checking<") && !page.contains(">Expenses February 2026<"))
    #expect(!page.contains("€3.33"))
    // However much moved, the page stays small, and says how much it leaves out.
    try await ledger.append(
      (0..<100).map { index in
        .createCategory(NewCategory(name: "Kind \(index)", kind: .expense))
      })
    let many = try ledger.read { try $0.categories(.expense) }
    try await ledger.append(
      many.map { category in
        .record(.expense(Money(1_00, .eur), from: account, category: category.id, on: today))
      })
    let large = await Asked(ledger).get("/compare", [("from", "\(to)")]).text
    #expect(large.split(separator: ">Net worth<").count == 2)
    let others = many.count - ComparePage.figureCount
    #expect(large.utf8.count < 60_000 && large.contains(">+ \(others)<"))
    let none = await Asked(ledger).get("/compare", [("from", "\(to)"), ("to", "\(to)")]).text
    #expect(none.contains("No figures changed."))
  }

  @Test func momentsAreChosenInAForm() async throws {
    let (ledger, account, food) = try await household()
    let from = try ledger.token.sequence
    try await ledger.append(
      .record(.expense(Money(3_33, .eur), from: account, category: food, on: today)))
    let asked = Asked(ledger)
    let page = await asked.get("/compare", [("from", "\(from)"), ("to", "")])
    #expect(page.text.contains("name=\"from\" value=\"\(from)\"") && page.text.contains("€3.33"))
    // Which was first is nothing that somebody has to know.
    let turned = await asked.get("/compare", [("from", "\(from + 1)"), ("to", "\(from)")])
    #expect(turned.status == 200 && turned.text.contains("-€3.33"))
    for field in ["from", "to"] {
      let wrong = await asked.get("/compare", [(field, "soon")])
      #expect(wrong.status == 400 && wrong.text.contains("Couldn’t read the date"), "\(field)")
    }
    #expect(await asked.get("/history").text.contains("href=\"/compare\""))
  }
}
