// Goal: a date means that day: balances, lists and reports end on it, by what is known now. Method: pages of a day are
// compared with the library's answers for it, also after a later correction.
import Daybook
import DaybookFoundation
import Foundation
import Testing

@testable import Pages

@Suite struct ShownDayTests {
  private func text(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: Locale(identifier: "en-US")).format(total)
      .replacing("&", with: "&amp;").replacing("'", with: "&#39;")
  }

  @Test func pagesOfADayShowItsFigures() async throws {
    let ledger = try await RichLedger().ledger
    let asked = Asked(ledger)
    let day = today.adding(days: -50)
    let (account, _) = try ledger.read { snapshot in
      let accounts = try snapshot.accounts()
      return (try #require(accounts.first { $0.name == "Dollars" }), accounts.count)
    }
    // A correction that is recorded now counts on that day.
    try await ledger.append(
      .record(.income(Money(77_77, .usd), into: account.id, on: day.adding(days: -1))))
    let on = [("on", "\(day)")]
    let (worth, balance, month) = try ledger.read { snapshot in
      (
        try snapshot.baseNetWorth(on: day, base: .eur).total,
        try snapshot.balance(of: account.id, on: day),
        try snapshot.baseTotals(in: day.monthOf.days, base: .eur, today: day)
      )
    }
    let overview = await asked.get("/", on).text
    for total in [worth, month.expense.total] { #expect(overview.contains(">\(text(total))<")) }
    #expect(await asked.get("/accounts", on).text.contains(">\(text(balance))<"))
    let list = await asked.get("/transactions", on + [("account", "\(account.id)")]).text
    #expect(list.contains(">\(text(balance))</a></strong>"))
    let days = list.matches(of: /data-day="([0-9-]+)"/).compactMap { Day($0.1) }
    #expect(!days.isEmpty && days.allSatisfy { $0 <= day })
    let categories = await asked.get("/categories", on).text
    let food = try ledger.read { snapshot in
      try snapshot.baseBreakdown(
        in: day.monthOf.days, kind: .expense, rollUp: true, base: .eur, today: day)
    }
    for row in food { #expect(categories.contains(">\(text(row.amount.total))<")) }
    for path in ["/", "/accounts", "/transactions", "/categories", "/budgets", "/reports"] {
      let page = await asked.get(path, on).text
      #expect(page.contains("class=\"banner\"") && page.contains("Back to today"), "\(path)")
      #expect(page.contains("href=\"/accounts?on=\(day)\""), "its links stay on the day")
      #expect(page.contains("href=\"/history\""), "and the history has none")
      #expect(!page.contains("name=\"asOf\""))
    }
  }

  @Test func whatIsNoDayIsToldOf() async throws {
    let asked = Asked(try await household().ledger)
    #expect(await asked.get("/accounts", [("on", "soon")]).status == 400)
    for day in ["0001-01-01", "9999-12-31", "2026-02-15"] {
      for path in ["/", "/accounts", "/transactions", "/categories", "/budgets", "/reports"] {
        #expect(await asked.get(path, [("on", day)]).status == 200, "\(path) \(day)")
      }
    }
  }

  @Test func theHistoryShowsWhatWasRecorded() async throws {
    let (ledger, _, _) = try await household()
    let asked = Asked(ledger)
    #expect(await asked.get("/history").text.contains("type=\"date\" name=\"asOf\""))
    let past = await asked.get("/accounts", asOf: "1").text
    #expect(past.contains("class=\"banner\"") && past.contains("Back to now"))
    for path in views where !["/history", "/health"].contains(path) {
      let page = await asked.get(path).text
      #expect(!page.contains("<footer>") && !page.contains("Change 1<"), "\(path)")
    }
  }
}
