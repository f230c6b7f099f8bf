// Goal: a page says everything in one language. Method: the pages of a ledger in which nothing that people named has a
// letter are asked for in German; each word on them, also those that are heard, has to be one of the table's, of a day or
// of a currency.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct LanguageTests {
  /// Words that are the same in every language, and those of programs.
  private static let names: Set = [
    "Daybook", "EUR", "USD", "UTC", "k", "T", "Z", "English", "Deutsch", "CSV", "hledger",
    "Beancount", "QIF", "OFX",
  ]

  private static func letters(_ text: String) -> [String] {
    text.matches(of: /\p{L}+/).map { String($0.0) }
  }

  /// All that the language and its calendar say.
  private var known: Set<String> {
    var words = Self.names
    for text in Words.german.table.values { words.formUnion(Self.letters(text)) }
    for text in Words.germanRefusals.values { words.formUnion(Self.letters(text)) }
    for text in Words.germanFailures.values { words.formUnion(Self.letters(text)) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "de-DE")
    let days: [[String]?] = [
      format.monthSymbols, format.shortMonthSymbols, format.standaloneMonthSymbols,
      format.shortStandaloneMonthSymbols, format.weekdaySymbols, format.shortWeekdaySymbols,
      format.standaloneWeekdaySymbols, format.shortStandaloneWeekdaySymbols,
    ]
    for name in days.compactMap({ $0 }).joined() { words.formUnion(Self.letters(name)) }
    return words
  }

  /// What is read or heard of a page.
  private func said(_ page: String) -> [String] {
    var texts = page.matches(
      of: /(?:aria-label|title|placeholder|alt|data-say-[a-z-]+)="([^"]*)"/
    ).map { String($0.1) }
    var shown = page.replacing(/<head>.*?<\/head>|<code>.*?<\/code>/.dotMatchesNewlines(), with: "")
    // What a library says itself is marked as English.
    shown = shown.replacing(/<span lang="en">.*?<\/span>/.dotMatchesNewlines(), with: "")
    texts += shown.replacing(/<[^>]*>/, with: "\n").split(separator: "\n").map(String.init)
    return texts.map { $0.replacing(/&[a-z#0-9]+;/, with: " ") }
  }

  @Test func oneIsCountedAsOne() async throws {
    let home = try await household()
    let asked = Asked(home.ledger)
    let lunch = Command.record(.expense(Money(3_00, .eur), from: home.account, on: today))
    let counts = [
      (">1 transaction<", ">1 Buchung<"), (">2 transactions<", ">2 Buchungen<"),
    ]
    for (english, german) in counts {
      try await home.ledger.append(lunch)
      #expect(await asked.get("/transactions").text.contains(english))
      #expect(await asked.get("/transactions", locales: ["de"]).text.contains(german))
    }
  }

  @Test func everyPageIsInOneLanguage() async throws {
    let ledger = try await Ledger.inMemory(options: Ledger.Options(author: "7", source: "8"))
    let made = try await ledger.append([
      .setSettings(SettingsChange(baseCurrency: .eur)),
      .openAccount(NewAccount(name: "1", kind: .asset, currency: .eur)),
      .openAccount(NewAccount(name: "2", kind: .liability, currency: .usd)),
      .createCategory(NewCategory(name: "3", kind: .expense)),
      .createCategory(NewCategory(name: "4", kind: .income)),
    ])
    let (account, food, pay) = (made.accounts[0], made.categories[0], made.categories[1])
    let more = try await ledger.append([
      .setRate(ExchangeRate(base: .usd, quoted: .eur, day: today, quote: try Quote("0.8"))),
      .record(
        .expense(
          Money(12_34, .eur), from: account, category: food, on: today, description: "5",
          payee: "6", note: "7", tags: ["8"])),
      .record(.income(Money(2_000_00, .eur), into: account, category: pay, on: today)),
      .record(.transfer(Money(1_00, .eur), from: account, to: made.accounts[1], on: today)),
      .putBudget(
        Budget(
          name: "9", categories: [food], amount: Money(400_00, .eur),
          period: .monthly(resetDay: 1))),
      .putSeries(
        Series(
          name: "10",
          template: SeriesTemplate(
            type: .expense, amount: Money(9_00, .eur), account: account, category: food),
          schedule: Schedule(every: 3, .month), anchor: today.adding(days: -100))),
      .putRule(
        CategoryRule(
          name: "11", conditions: [.text(.any, .contains, "6"), .type(.expense)], category: pay)),
      .assertBalance(account, Money(1_00, .eur), on: today),
    ])
    let row = more.transactions[0]
    try await ledger.append(.amend(row, Amendment(payee: "12", status: .pending)))
    try await ledger.undo(commit: 3)
    let asked = Asked(ledger)
    let known = known
    let paths =
      views + [
        "/statements", "/compare", "/transactions/\(row)", "/transactions/\(row)/edit",
        "/categories/\(food)", "/budgets/\(more.budgets[0])", "/reconcile/\(account)",
        "/accounts/\(account)/edit", "/accounts/\(account)/delete", "/categories/\(food)/edit",
        "/envelopes/\(food)", "/envelopes/\(made.accounts[1])", "/envelopes/move",
        "/budgets/\(more.budgets[0])/edit", "/recurring/\(more.series[0])/edit", "/history/1",
        "/history/2", "/history/3", "/why/\(account)", "/nothing",
      ]
    for path in paths {
      let page = await asked.get(path, locales: ["de-DE"])
      for text in said(page.text) {
        let foreign = Self.letters(text).filter { !known.contains($0) }
        #expect(foreign.isEmpty, "\(path): \(foreign) in “\(text)”")
      }
    }
    // What is wrong too.
    for (path, form) in [
      ("/accounts", [("name", "1"), ("kind", "asset"), ("currency", "EUR")]),
      ("/transactions", [("amount", "x"), ("day", "x"), ("account", "\(account)")]),
      ("/history/99/undo", []), ("/transactions/several", [("do", "delete")]),
      ("/undo", []), ("/import", []), ("/envelopes/move", [("amount", "x"), ("month", "x")]),
      ("/envelopes/assign", [("id", "\(food)"), ("month", "2026-02"), ("amount", "x")]),
    ] {
      let page = await asked.post(path, form, locales: ["de-DE"])
      for text in said(page.text) {
        let foreign = Self.letters(text).filter { !known.contains($0) }
        #expect(foreign.isEmpty, "\(path): \(foreign) in “\(text)”")
      }
    }
    try await ledger.close()
  }
}
