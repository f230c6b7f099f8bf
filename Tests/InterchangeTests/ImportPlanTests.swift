// Goal: a plan knows of each row what the ledger knows of it, and records what was taken, so that the next
// import knows it. Method: files are planned for a ledger that holds some of their rows, in every order.
import Daybook
import DaybookInterchange
import Foundation
import Testing

@Suite struct ImportPlanTests {
  private static let mapping = """
    {"date": {"column": "Day"}, "amount": {"column": "Sum"}, "currency": "KZT", "account": "{Account}",
     "description": "{Text}"}
    """

  private func plan(_ home: Home, _ rows: String, _ mapping: String = mapping) async throws
    -> ImportPlan
  {
    try await ImportPlan(
      CSVFile("Day,Account,Sum,Text\n" + rows), mapping: ImportMapping(json: Data(mapping.utf8)),
      for: home.ledger)
  }

  private func words(_ plan: ImportPlan) -> [String] {
    plan.items.map { item in
      switch item.state {
      case .new: "new"
      case .known: "known"
      case .likely(let other): "like \(other.description)"
      case .bad: "bad"
      }
    }
  }

  @Test func statesAndChoices() async throws {
    let home = try await Home()
    var first = try await plan(
      home, "2026-01-05,Cash,-5,a\n2026-01-05,Cash,-5,a\n2026-01-06,Cash,-7,b\n")
    #expect(words(first) == ["new", "new", "new"])
    first.items[0].choice = .take(category: ["Food", "Bread"], payee: "Baker")
    first.items[1].choice = .skip
    first.items[2].choice = .take(category: nil, payee: nil)
    #expect(try await first.record(in: home.ledger).imported == 2)
    let row = try #require(
      try home.ledger.read { try $0.transactions(limit: 10) }.first { $0.payee == "Baker" })
    #expect(row.importIdentity?.original != nil)
    // Of two equal rows one is there, whatever was made of it; another day's may be the same.
    var second = try await plan(
      home,
      "2026-01-05,Cash,-5,a\n2026-01-05,Cash,-5,a\n2026-01-08,Cash,-7,c\n2026-01-10,Cash,-7,d\n")
    #expect(words(second) == ["known", "new", "like b", "new"])
    second.items[1].choice = .take(category: nil, payee: nil)
    #expect(try await second.record(in: home.ledger).imported == 1)
    #expect(
      words(
        try await plan(home, "2026-01-05,Cash,-5,a\n2026-01-05,Cash,-5,a\n2026-01-06,Cash,-7,b\n"))
        == ["known", "known", "known"])
    try await home.end()
  }

  @Test func onlyNewRowsWithoutACategoryHaveASuggestion() async throws {
    let mapping = """
      {"date": {"column": "Day"}, "amount": {"column": "Sum"}, "currency": "KZT", "account": "{Account}",
       "payee": "{Text}", "category": "{Kind}"}
      """
    func plan(_ home: Home, _ rows: String) async throws -> ImportPlan {
      try await ImportPlan(
        CSVFile("Day,Account,Sum,Text,Kind\n" + rows),
        mapping: ImportMapping(json: Data(mapping.utf8)), for: home.ledger)
    }
    let home = try await Home()
    var first = try await plan(
      home, "2026-01-05,Cash,-5,Baker,Food:Bread\n2026-01-06,Cash,-6,Baker,Food:Bread\n")
    #expect(first.items.allSatisfy { $0.suggestion == nil })
    for index in first.items.indices {
      first.items[index].choice = .take(category: nil, payee: nil)
    }
    #expect(try await first.record(in: home.ledger).imported == 2)
    let second = try await plan(
      home,
      """
      2026-01-06,Cash,-6,Baker,
      2026-02-05,Cash,-5,BAKER,
      2026-02-06,Cash,5,Baker,
      2026-02-07,Cash,-5,Baker,Other
      2026-02-08,Cash,-5,Smith,

      """)
    // The first row is recorded with a category; money in is not compared with money out.
    let suggested = second.items.map { $0.suggestion.map { "\($0.category)" } ?? "" }
    #expect(suggested == ["", "Food:Bread", "", "", ""])
    #expect(second.items[1].suggestion?.reason.count == 2)
    #expect(second.items.allSatisfy { $0.choice == .undecided })
    try await home.end()
  }

  @Test func whatTheLedgerRefusesIsBad() async throws {
    let home = try await Home()
    let foreign = Self.mapping.replacing("\"KZT\"", with: "\"{Text}\"")
    var first = try await plan(home, "2026-01-05,Cash,-5,KZT\n", foreign)
    first.items[0].choice = .take(category: nil, payee: nil)
    _ = try await first.record(in: home.ledger)
    // There is no rate.
    let second = try await plan(home, "2026-01-06,Cash,-5,GBP\n2026-01-05,Cash,-5,KZT\n", foreign)
    #expect(words(second) == ["bad", "known"])
    #expect(try await second.record(in: home.ledger).imported == 0)
    await #expect(throws: InterchangeError.self) {
      _ = try await self.plan(home, "2026-01-40,Cash,-5,KZT\n", foreign)
    }
    try await home.end()
  }
}
