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
    // What a file brings, and what it is called.
    let account = made.accounts[0]
    try await ledger.append([
      .putRule(
        CategoryRule(
          name: Self.hostile,
          conditions: [.text(.any, .contains, Self.hostile)], category: made.categories[0])),
      .putSeries(
        Series(
          name: Self.hostile,
          template: SeriesTemplate(
            type: .expense, amount: Money(9_00, .eur), account: account),
          schedule: Schedule(.month), anchor: today)),
      .assertBalance(account, Money(1_00, .eur), on: today, note: Self.hostile),
    ])
    for path in ["/rules", "/recurring", "/statements", "/", "/reconcile/\(account)"] {
      let text = await asked.get(path).text
      #expect(text.contains("&lt;script&gt;") && !text.contains("<script>"), "\(path)")
    }
    let table = "Date;Payee;Amount\n2026-02-14;\(Self.hostile.replacing("\"", with: ""));-12.34\n"
    for (name, bytes) in [
      ("\(Self.hostile).csv", Array(table.utf8)), ("\(Self.hostile).bin", [0xFF, 0x00, 0xFE]),
    ] {
      let answer = await asked.site.answer(
        PageRequest(
          method: "POST", path: "/import", form: [("account", Self.hostile)],
          files: [(name: name, bytes: bytes)], locales: ["en-US"]))
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect([200, 422].contains(answer.status), "\(name)")
      #expect(!text.contains("<script>") && !text.contains("<img"), "\(name)")
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
