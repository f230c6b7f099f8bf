// Goal: a statement is held against rows until nothing is left, however many there are. Method: forms are sent as a
// browser without scripts sends them.
import Daybook
import Testing

@testable import Pages

@Suite struct ReconcilePageTests {
  @Test func rowsAreReconciledWhenNothingIsLeft() async throws {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append([
      .record(.expense(Money(5_00, .eur), from: account, category: category, on: today)),
      .record(.expense(Money(7_00, .eur), from: account, category: category, on: today)),
    ])
    let asked = Asked(ledger)
    let path = "/reconcile/\(account)"
    #expect(await asked.get(path).status == 200)
    let row = ("row", "\(receipt.transactions[0])")
    let facts = [("day", "2026-02-15"), ("statement", "-5.00")]
    let open = await asked.post(path, facts)
    #expect(open.text.contains("-€5.00") && open.text.contains("value=\"record\" hidden"))
    let even = await asked.post(path, facts + [row])
    #expect(even.text.contains("value=\"record\">") && even.text.contains(" checked"))
    // Nothing is reconciled that does not come to the statement, whatever the browser counted.
    let wrong = await asked.post(
      path, facts + [("row", "\(receipt.transactions[1])"), ("do", "record")])
    #expect(wrong.status == 200 && wrong.text.contains("€2.00"))
    #expect(await asked.post(path, facts + [row, ("do", "record")]).status == 303)
    let statuses = try ledger.read { snapshot in
      try receipt.transactions.map { try snapshot.transaction($0)?.status }
    }
    #expect(statuses == [.reconciled, .cleared])
  }

  @Test func manyRowsAreShownPartByPart() async throws {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append(
      (0..<250).map { _ in
        .record(.expense(Money(1_00, .eur), from: account, category: category, on: today))
      })
    let asked = Asked(ledger)
    let path = "/reconcile/\(account)"
    func shown(_ page: String) -> Int { page.split(separator: "name=\"row\"").count - 1 }
    let first = await asked.get(path).text
    #expect(shown(first) == 100 && first.contains("value=\"200\"") && first.contains("+ 150"))
    #expect(first.utf8.count < 60_000)
    // What is ticked stays so when more is shown, and nothing of it goes out of sight.
    let row = ("row", "\(receipt.transactions[0])")
    let second = await asked.post(path, [row, ("rows", "200")]).text
    #expect(shown(second) == 200 && second.contains(" checked"))
    let last = ("row", "\(receipt.transactions[249])")
    let third = await asked.post(path, [row, last, ("rows", "1")]).text
    #expect(shown(third) == 250 && third.split(separator: " checked").count == 3)
    #expect(await asked.post(path, [("rows", "x")]).status == 200)
  }
}
