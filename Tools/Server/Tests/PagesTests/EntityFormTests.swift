// Goal: whatever can be recorded can be changed and deleted by a form, and a deletion says beforehand what it
// changes. Method: forms are sent as a browser sends them, and the ledger is asked.
import Daybook
import Foundation
import Pages
import Testing

@Suite struct EntityFormTests {
  /// A ledger with one of everything, and the addresses of their forms.
  private func everything() async throws -> (asked: Asked, paths: [String]) {
    let (ledger, account, category) = try await household()
    let receipt = try await ledger.append([
      .record(.expense(Money(12_50, .eur), from: account, category: category, on: today)),
      .putBudget(
        Budget(
          name: "Eating", categories: [category], amount: Money(400_00, .eur), period: .weekly)),
      .putRule(
        CategoryRule(
          name: "Shops",
          conditions: [
            .text(.payee, .starts, "re"), .amount(from: Money(5_00, .eur), through: nil),
          ], category: category)),
      .putSeries(
        Series(
          name: "Rent",
          template: SeriesTemplate(
            type: .expense, amount: Money(900_00, .eur), account: account, category: category),
          schedule: Schedule(every: 2, .month, monthEnd: .lastDay), anchor: today)),
      .assertBalance(account, Money(-12_50, .eur), on: today),
      .setRate(
        ExchangeRate(
          base: .usd, quoted: .eur, day: today, quote: try Quote("0.92"))),
    ])
    let rate = try ledger.read { try $0.rates()[0].id }
    return (
      Asked(ledger),
      [
        "/accounts/\(account)", "/categories/\(category)", "/budgets/\(receipt.budgets[0])",
        "/rules/\(receipt.rules[0])", "/recurring/\(receipt.series[0])",
        "/statements/\(receipt.assertions[0])", "/rates/\(rate)",
      ]
    )
  }

  /// The fields of the form on a page, as a browser would send them unchanged.
  private func fields(_ page: String) -> [(String, String)] {
    var fields: [(String, String)] = []
    let form = page.components(separatedBy: "<main").last ?? ""
    for match in form.matches(of: /<input [^>]*name="(\w+)"([^>]*)>/) {
      let rest = String(match.2)
      if rest.contains("type=\"checkbox\""), !rest.contains(" checked") { continue }
      let whole = String(match.0)
      let value = whole.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
      fields.append((String(match.1), value))
    }
    for match in form.matches(of: /<select [^>]*name="(\w+)"[^>]*>(.*?)<\/select>/) {
      let options = String(match.2)
      let chosen = options.matches(of: /value="([^"]*)" selected/).map { String($0.1) }
      let first = options.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
      let isSeveral = String(match.0).contains(" multiple")
      for value in chosen.isEmpty && !isSeveral ? [first] : chosen {
        fields.append((String(match.1), value))
      }
    }
    return fields
  }

  @Test func aFormThatNobodyChangedChangesNothing() async throws {
    let (asked, paths) = try await everything()
    let before = try asked.ledger.read { snapshot throws in
      (
        try snapshot.accounts(), try snapshot.categories(), try snapshot.budgets(),
        try snapshot.rules(), try snapshot.series(), try snapshot.rates()
      )
    }
    for path in paths {
      for locale in ["en-US", "de-DE"] {
        let page = await asked.get("\(path)/edit", locales: [locale])
        #expect(page.status == 200, "\(path)")
        let sent = await asked.post(path, fields(page.text), locales: [locale])
        #expect(sent.status == 303, "\(path) \(sent.text)")
      }
    }
    let after = try asked.ledger.read { snapshot throws in
      (
        try snapshot.accounts(), try snapshot.categories(), try snapshot.budgets(),
        try snapshot.rules(), try snapshot.series(), try snapshot.rates()
      )
    }
    #expect(after == before)
  }

  @Test func whatIsChangedIsRecordedAndWhatIsWrongStandsAtItsField() async throws {
    let (asked, paths) = try await everything()
    let day = paths.filter { $0.hasPrefix("/statements") || $0.hasPrefix("/rates") }
    for path in paths {
      var sent = fields(await asked.get("\(path)/edit").text)
      let name = day.contains(path) ? "day" : "name"
      let index = try #require(sent.firstIndex { $0.0 == name }, "\(path)")
      sent[index].1 = ""
      let refused = await asked.post(path, sent)
      #expect(refused.status == 422, "\(path)")
      #expect(refused.text.contains("id=\"fault-\(name)\""), "\(path)")
      sent[index].1 = name == "day" ? "2026-02-10" : "Another <name>"
      #expect(await asked.post(path, sent).status == 303, "\(path)")
      // The form that was sent is older than what it made.
      if name == "name" {
        let late = await asked.post(path, sent)
        #expect(late.status == 422 && late.text.contains("role=\"alert\""), "\(path)")
      }
    }
    try asked.ledger.read { snapshot throws in
      #expect(try snapshot.accounts().map(\.name) == ["Another <name>"])
      #expect(try snapshot.rules().map(\.name) == ["Another <name>"])
      #expect(try snapshot.assertions().map(\.day) == [Day("2026-02-10")])
      #expect(try snapshot.rates().map(\.day) == [Day("2026-02-10")])
    }
  }

  @Test func aDeletionSaysWhatItChangesBeforeItIsDone() async throws {
    let (asked, paths) = try await everything()
    for path in paths.reversed() {
      let page = await asked.get("\(path)/delete")
      #expect(page.status == 200, "\(path)")
      let before = try asked.ledger.token
      #expect(page.text.contains(before.text), "nothing is done by looking: \(path)")
      let sent = await asked.post("\(path)/delete", [("rows", "with"), ("token", before.text)])
      let alone = await asked.post("\(path)/delete", [("token", before.text)])
      #expect(sent.status == 303 || alone.status == 303, "\(path)")
      #expect(await asked.get("\(path)/edit").status == 404, "\(path)")
    }
    #expect(try asked.ledger.read { try $0.count() } == 0)
  }

  @Test func theRowsOfAnAccountStayOrGoWithIt() async throws {
    let (ledger, account, category) = try await household()
    try await ledger.append([
      .record(.expense(Money(12_50, .eur), from: account, category: category, on: today))
    ])
    let asked = Asked(ledger)
    let kept = await asked.get("/accounts/\(account)/delete", [("rows", "keep")]).text
    let gone = await asked.get("/accounts/\(account)/delete", [("rows", "with")]).text
    #expect(gone.contains("€12.50") && gone.contains(">Expenses "))
    #expect(!kept.contains(">Expenses "), "rows that stay are still spent")
    _ = await asked.post("/accounts/\(account)/delete", [("rows", "with")])
    #expect(try ledger.read { try $0.count() } == 0)
  }

  @Test func aRecurringSplitIsAddedAndChangedByItsForm() async throws {
    let (ledger, account, category) = try await household()
    let asked = Asked(ledger)
    func form(_ amounts: [String]) -> [(String, String)] {
      [
        ("name", "Loan"), ("amount", "500"), ("type", "expense"), ("account", "\(account)"),
        ("category", ""), ("otherAccount", ""), ("count", "1"), ("unit", "month"),
        ("monthEnd", "clamp"), ("weekends", "keep"), ("first", "2026-03-01"), ("scope", "future"),
      ]
        + amounts.enumerated().flatMap { index, amount in
          [
            ("part-amount", amount), ("part-category", index == 0 ? "\(category)" : ""),
            ("part-note", index == 0 ? "interest" : ""),
          ]
        }
    }
    let wrong = await asked.post("/recurring", form(["120", "379", ""]))
    #expect(wrong.status == 422 && wrong.text.contains("id=\"fault-parts\""))
    #expect(wrong.text.contains("value=\"379\"") && wrong.text.contains("value=\"interest\""))
    #expect(await asked.post("/recurring", form(["120", "380", ""])).status == 303)
    let id = try #require(try ledger.read { try $0.series().first }).id
    let page = await asked.get("/recurring/\(id)/edit").text
    #expect(page.contains("value=\"120\"") || page.contains("value=\"120.00\""))
    func parts() throws -> [Draft.Part] { try ledger.read { try $0.series()[0].template.parts } }
    #expect(try parts().map(\.amount) == [Money(120_00, .eur), Money(380_00, .eur)])
    #expect(try parts()[0].category == category && parts()[0].note == "interest")
    func change(_ amounts: [String]) async throws -> Int {
      let seen = [("seen", "\(try ledger.token.sequence)")]
      return await asked.post("/recurring/\(id)", form(amounts) + seen).status
    }
    #expect(try await change(["110", "390"]) == 303)
    #expect(try parts().map(\.amount) == [Money(110_00, .eur), Money(390_00, .eur)])
    #expect(try await change([]) == 303)
    #expect(try parts().isEmpty)
  }

  @Test func aRuleSetsAPayeeAndMakesTransfersByItsForm() async throws {
    let (ledger, account, _) = try await household()
    let other = try await ledger.append([
      .openAccount(NewAccount(name: "Savings", currency: .eur))
    ]).accounts[0]
    let asked = Asked(ledger)
    let fields = [("name", "Plan"), ("text1", "sparplan"), ("category", "")]
    #expect(await asked.post("/rules", fields).status == 422)
    let whole = fields + [("transfer", "\(other)"), ("payee", "Broker")]
    #expect(await asked.post("/rules", whole).status == 303)
    let rule = try #require(try ledger.read { try $0.rules().first })
    #expect(rule.transferAccount == other && rule.payee == "Broker")
    try await ledger.append([
      .importRows([
        ImportRow(.expense(Money(50_00, .eur), from: account, on: today, payee: "SPARPLAN 1"))
      ])
    ])
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    #expect(row.type == .transfer && row.payee == "Broker")
    #expect(await asked.get("/rules").text.contains("↔ Savings"))
  }

  @Test func aDueDayIsLeftOutAndTakenBackIn() async throws {
    let (asked, paths) = try await everything()
    let path = try #require(paths.first { $0.hasPrefix("/recurring") })
    let due = "2026-04-30"
    #expect(await asked.get("\(path)/edit").text.contains(due))
    #expect(await asked.post("\(path)/skip", [("due", due), ("do", "skip")]).status == 303)
    let day = try #require(Day(due))
    func isSkipped() throws -> Bool {
      try asked.ledger.read { try $0.isSkipped(SeriesLink($0.series()[0].id, due: day)) }
    }
    #expect(try isSkipped())
    #expect(await asked.post("\(path)/skip", [("due", due), ("do", "unskip")]).status == 303)
    #expect(try !isSkipped())
  }
}
