// Goal: the row for adding a transaction records the typed text, and where it can't, nothing is lost. Method: forms are
// sent as a browser without scripts sends them, and the ledger is asked.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct QuickEntryTests {
  private struct Home {
    var ledger: Ledger
    var asked: Asked
    var checking: AccountID
    var savings: AccountID
    var food: CategoryID
    var salary: CategoryID

    init() async throws {
      (ledger, checking, food) = try await household()
      let made = try await ledger.append([
        .openAccount(NewAccount(name: "Savings", kind: .asset, currency: .eur)),
        .createCategory(NewCategory(name: "Salary", kind: .income)),
        .openAccount(NewAccount(name: "Dollars", kind: .asset, currency: .usd)),
        .createCategory(NewCategory(name: "Groceries", kind: .expense, parent: food)),
      ])
      (savings, salary) = (made.accounts[0], made.categories[0])
      asked = Asked(ledger)
    }

    func send(
      _ payee: String, _ category: String, _ amount: String, _ more: [(String, String)] = [],
      locales: [String] = ["en-US"]
    ) async -> (status: Int, location: String?, text: String) {
      await asked.post(
        "/transactions/quick",
        [
          ("day", "2026-02-14"), ("account", "\(checking)"), ("payee", payee),
          ("category", category), ("description", "a memo"), ("amount", amount),
        ] + more, locales: locales)
    }

    func newest() throws -> Transaction? {
      try ledger.read { try $0.transactions(limit: 1).first }
    }
  }

  @Test func theDayAndTheAccountStayForTheNext() async throws {
    let home = try await Home()
    let answer = await home.send(
      "Rewe", "Food › Groceries", "12.50+3", [("back", "/transactions?order=oldest")])
    let location = try #require(answer.location)
    #expect(location.hasPrefix("/transactions?order=oldest&done=recorded&commit="))
    let row = try #require(try home.newest())
    #expect(row.amount == Money(-15_50, .eur) && row.payee == "Rewe")
    #expect(row.description == "a memo" && row.day == Day("2026-02-14"))
    let next = await home.asked.get(
      "/transactions", [("entryDay", "2026-02-14"), ("entryAccount", "\(home.savings)")]
    ).text
    #expect(next.contains("name=\"day\" value=\"2026-02-14\""))
    #expect(next.contains("<option value=\"\(home.savings)\" selected>"))
    #expect(!next.contains("entryDay="), "no link keeps it")
  }

  @Test func aPendingTransactionIsRecordedAsSuch() async throws {
    let home = try await Home()
    let pending = [("status", "pending")]
    #expect(await home.send("Rewe", "Food", "12", pending).status == 303)
    #expect(try home.newest()?.status == .pending)
    #expect(await home.send("Rewe", "Food", "12").status == 303)
    #expect(try home.newest()?.status == .cleared)
    let wrong = await home.send("Rewe", "Food", "x", pending).text
    #expect(wrong.contains("name=\"status\" value=\"pending\" checked"))
    let more = await home.send("Rewe", "Food", "12", pending + [("do", "more")]).text
    #expect(more.contains("<option value=\"pending\" selected>"))
  }

  @Test func aSignOrTheCategoryGivesTheDirection() async throws {
    let home = try await Home()
    let table: [(category: String, amount: String, units: Int64, type: TransactionType)] = [
      ("Food", "10", -10_00, .expense), ("Food", "-10", -10_00, .expense),
      ("food", "+10", 10_00, .expense), ("Salary", "10", 10_00, .income),
      ("Salary", "-10", -10_00, .income), ("", "10", -10_00, .expense), ("", "+10", 10_00, .income),
      ("groceries", "3-5", -2_00, .expense), ("Food: Groceries", "1,000", -1_000_00, .expense),
    ]
    for (category, amount, units, type) in table {
      #expect(await home.send("Someone", category, amount).status == 303, "\(category) \(amount)")
      let row = try #require(try home.newest())
      #expect(row.amount == Money(units, .eur) && row.type == type, "\(category) \(amount)")
    }
    #expect(await home.send("Jemand", "Food", "1.000,50", locales: ["de"]).status == 303)
    #expect(try home.newest()?.amount == Money(-1_000_50, .eur))
  }

  @Test func aTransferIsAPayee() async throws {
    let home = try await Home()
    #expect(await home.send("Transfer: Savings", "", "25").status == 303)
    var row = try #require(try home.newest())
    #expect(row.type == .transfer && row.account == home.checking && row.payee.isEmpty)
    #expect(row.otherAccount == home.savings && row.amount(on: home.savings) == Money(25_00, .eur))
    #expect(await home.send("Umbuchung: Savings", "", "+25", locales: ["de"]).status == 303)
    row = try #require(try home.newest())
    #expect(row.account == home.savings && row.amount(on: home.checking) == Money(25_00, .eur))
    let both = await home.send("Transfer: Savings", "Food", "25")
    #expect(both.status == 422 && both.text.contains("id=\"fault-q-category\""))
    let other = await home.send("Transfer: Dollars", "", "+25")
    #expect(other.status == 422 && other.text.contains("id=\"fault-q-amount\""))
    #expect(await home.send("Transfer: Nobody", "", "25").status == 303)
    #expect(try home.newest()?.payee == "Transfer: Nobody", "a payee like any other")
  }

  @Test func whatIsWrongStaysWhereItWasTyped() async throws {
    let home = try await Home()
    let before = try home.ledger.token
    let wrong: [(String, String, String, String)] = [
      ("Rewe", "Nothing like it", "5", "category"), ("Rewe", "Food", "twelve", "amount"),
      ("Rewe", "Food", "", "amount"), ("Rewe", "Food", "0", "amount"),
    ]
    for (payee, category, amount, field) in wrong {
      let answer = await home.send(payee, category, amount, [("back", "/transactions?text=x")])
      #expect(answer.status == 422 && answer.text.contains("id=\"fault-q-\(field)\""))
      #expect(answer.text.contains("name=\"payee\" value=\"Rewe\""))
      #expect(answer.text.contains("name=\"category\" value=\"\(category)\""))
      #expect(answer.text.contains("value=\"/transactions?text=x\""), "in the same list")
    }
    let late = await home.send("Rewe", "Food", "5", [("account", "")])
    #expect(late.status == 303, "the first value of a field counts")
    #expect(try home.ledger.token.sequence == before.sequence + 1)
  }

  @Test func aRowSentTwiceIsRecordedOnce() async throws {
    let home = try await Home()
    for _ in 0..<2 {
      #expect(await home.send("Rewe", "Food", "5", [("key", "page-1")]).status == 303)
    }
    #expect(try home.ledger.read { try $0.count() } == 1)
  }

  @Test func partsAreNamedLikeCategoriesAndTransfers() async throws {
    let home = try await Home()
    func parts(_ parts: [(String, String)]) -> [(String, String)] {
      parts.flatMap { [("part-amount", $0.1), ("part-category", $0.0), ("part-note", "")] }
    }
    let wrong = await home.send("Rewe", "", "20", parts([("Food", "12"), ("Salary", "1")]))
    #expect(wrong.status == 422 && wrong.text.contains("id=\"fault-q-parts\""))
    #expect(wrong.text.contains("name=\"part-amount\" value=\"12\""))
    let sent = await home.send(
      "Rewe", "", "20", parts([("Food", "12"), ("Transfer: Savings", "8"), ("", "")]))
    #expect(sent.status == 303)
    let row = try #require(try home.newest())
    #expect(row.amount(on: home.checking) == Money(-20_00, .eur))
    #expect(row.amount(on: home.savings) == Money(8_00, .eur))
    // Without scripts, the button leads to the form with all fields, with the typed text.
    let whole = await home.send("Rewe", "Food", "20", [("do", "part")])
    #expect(whole.status == 200 && whole.text.contains("name=\"part-amount\""))
    #expect(whole.text.contains("value=\"20\"") && whole.text.contains("value=\"Rewe\""))
    #expect(whole.text.contains("<option value=\"\(home.food)\" selected>"))
    let more = await home.send("Transfer: Savings", "", "20", [("do", "more")])
    #expect(more.text.contains("<option value=\"transfer\" selected>"))
    #expect(more.text.contains("<option value=\"\(home.savings)\" selected>"))
  }

  private struct Suggested: Decodable {
    struct Payee: Decodable, Equatable {
      var payee: String
      var category: String?
      var account: String?
      var amount: String?
    }
    var payees: [Payee]
  }

  private func suggested(
    _ prefix: String, _ home: Home, locales: [String] = ["en-US"], account: AccountID? = nil
  ) async throws -> [Suggested.Payee] {
    let query = [("prefix", prefix)] + (account.map { [("account", "\($0)")] } ?? [])
    let text = await home.asked.get("/transactions/payees", query, locales: locales).text
    return try JSONDecoder().decode(Suggested.self, from: Data(text.utf8)).payees
  }

  @Test func aPayeeBringsItsCategoryAccountAndAmount() async throws {
    let home = try await Home()
    _ = await home.send("Café Rewe", "Food › Groceries", "12.50")
    _ = await home.send("Café Rewe", "Food", "9.90")
    _ = await home.send("Boss", "Salary", "2,000")
    _ = await home.send("Shop", "Food", "+4.00")
    let checking = "\(home.checking)"
    let cafe = Suggested.Payee(
      payee: "Café Rewe", category: "Food", account: checking, amount: "9.90")
    #expect(try await suggested("cafe", home) == [cafe])
    #expect(try await suggested("cafe", home, locales: ["de"]).first?.amount == "9,90")
    #expect(try await suggested("boss", home).first?.amount == "2000.00")
    #expect(try await suggested("shop", home).first?.amount == "+4.00", "a refund keeps its sign")
    let transfers = try await suggested("sav", home).map(\.payee)
    #expect(transfers == ["Transfer: Savings"])
    #expect(try await suggested("sav", home, account: home.savings).isEmpty)
    // What can't be used again is not filled in.
    try await home.ledger.append(.deleteCategory(home.food, .keepRows))
    #expect(try await suggested("cafe", home).first?.category == nil)
    #expect(try await suggested(String(repeating: "x", count: 10_000), home).isEmpty)
  }

  @Test func nothingIsTypedWhereNothingCanBeRecorded() async throws {
    let home = try await Home()
    let then = try home.ledger.token.sequence
    #expect(await home.asked.get("/transactions").text.contains("class=\"entry cells\""))
    let past = await home.asked.get("/transactions", asOf: "\(then)").text
    #expect(!past.contains("class=\"entry cells\""))
    try await home.ledger.append(.closeAccount(home.savings))
    let closed = await home.asked.get("/transactions", [("account", "\(home.savings)")]).text
    #expect(!closed.contains("class=\"entry cells\"") && !closed.contains("/reconcile/"))
  }
}
