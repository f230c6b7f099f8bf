// Goal: what a ledger holds never becomes markup. Method: names, payees, notes and tags are scripts; every page
// is asked for, and searched for one that got through.
import Daybook
import Pages
import Testing

@Suite struct EscapingTests {
  private static let hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>"

  @Test func nothingOfALedgerIsMarkup() async throws {
    let ledger = try await Ledger.inMemory()
    let made = try await ledger.append([
      .openAccount(
        NewAccount(name: Self.hostile, kind: .asset, currency: .eur, note: Self.hostile)),
      .createCategory(NewCategory(name: Self.hostile, kind: .expense)),
      .setSettings(SettingsChange(baseCurrency: .eur)),
    ])
    let recorded = try await ledger.append([
      .record(
        .expense(
          Money(12_50, .eur), from: made.accounts[0], category: made.categories[0], on: today,
          description: Self.hostile, payee: Self.hostile, note: Self.hostile, tags: [Self.hostile])),
      .putBudget(
        Budget(
          name: Self.hostile, categories: [made.categories[0]], amount: Money(100_00, .eur),
          period: .monthly(resetDay: 1))),
    ])
    let asked = Asked(ledger)
    let id = recorded.transactions[0]
    let more = [
      "/transactions/\(id)", "/transactions/\(id)/edit", "/categories/\(made.categories[0])",
      "/budgets/\(recorded.budgets[0])", "/history/2",
    ]
    for path in views + more {
      let page = await asked.get(path, [("text", Self.hostile), ("payee", Self.hostile)])
      #expect(page.status == 200, "\(path)")
      #expect(!page.text.contains("<script>"), "\(path)")
      #expect(!page.text.contains("<img"), "\(path)")
    }
    let form = await asked.post("/transactions", [("payee", Self.hostile), ("amount", "x")])
    #expect(form.status == 422 && !form.text.contains("<script>"))
  }

  @Test func noPageHasStylesOrScriptsInIt() async throws {
    let asked = Asked(try await household().ledger)
    for path in views {
      let text = await asked.get(path).text
      #expect(!text.contains(" style="), "\(path)")
      #expect(!text.contains("<style") && !text.contains(" onclick="), "\(path)")
      #expect(!text.contains("http://") && !text.contains("https://"), "\(path)")
    }
  }
}
