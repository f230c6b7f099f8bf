// Goal: the register shows, orders, finds and sums what the ledger has. Method: pages are asked for, and their rows are
// compared with the library's.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct RegisterTests {
  private func numbers(_ page: String) -> [UInt64] {
    page.matches(of: /data-number="(\d+)"/).compactMap { UInt64($0.1) }
  }

  /// A ledger with an expense on each of a hundred days.
  private func filled() async throws -> (ledger: Ledger, account: AccountID) {
    let (ledger, account, category) = try await household()
    try await ledger.append(
      (0..<100).map { index in
        .record(
          .expense(
            Money(Int64(1_00 + index), .eur), from: account, category: category,
            on: today.adding(days: -index)))
      })
    return (ledger, account)
  }

  @Test func theDateSortsBothWays() async throws {
    let (ledger, account) = try await filled()
    let asked = Asked(ledger)
    let newest = try ledger.read { try $0.transactions(limit: 200).map(\.number) }
    for query in [[], [("account", "\(account)")]] {
      var (found, next): ([UInt64], [(String, String)]?) = ([], [])
      while let more = next, found.count < 200 {
        let page = await asked.get("/transactions", query + [("order", "oldest")] + more).text
        found += numbers(page)
        next = page.firstMatch(of: /rel="next" href="[^"]*after=([0-9.-]+)"/)
          .map { [("after", String($0.1))] }
      }
      #expect(found == newest.reversed())
    }
    let balances = await asked.get(
      "/transactions", [("order", "oldest"), ("account", "\(account)")]
    ).text
    #expect(balances.contains("<span class=\"balance\"><a class=\"figure below\""))
  }

  @Test func aDateIsWhereAListBegins() async throws {
    let (ledger, _) = try await filled()
    let asked = Asked(ledger)
    let day = today.adding(days: -30)
    for order in ["newest", "oldest"] {
      let page = await asked.get("/transactions", [("at", "\(day)"), ("order", order)]).text
      let first = page.firstMatch(of: /data-day="([^"]*)"/).map { String($0.1) }
      #expect(first == "\(day)", "\(order)")
    }
    let wrong = await asked.get("/transactions", [("at", "soon")])
    #expect(wrong.status == 200)
  }

  // Searching for “XF 35mm” must not find everything that costs 35.
  @Test func oneFieldFindsWordsAndAmounts() async throws {
    let (ledger, account, category) = try await household()
    let rows: [(amount: Int64, payee: String, note: String)] = [
      (35_00, "Baker", ""), (12_50, "Camera shop", "XF 35mm"), (1_234_50, "Travel agency", ""),
      (7_00, "Route 35", ""), (35_01, "Baker", ""),
    ]
    try await ledger.append(
      rows.map {
        .record(
          .expense(
            Money($0.amount, .eur), from: account, category: category, on: today, payee: $0.payee,
            note: $0.note))
      })
    let asked = Asked(ledger)
    let payees = Dictionary(
      uniqueKeysWithValues: try ledger.read { try $0.transactions(limit: 9) }
        .map { ($0.number, $0.amount.map { -$0.minorUnits } ?? 0) })
    func found(_ text: String, _ locale: String = "en-US") async -> Set<Int64> {
      let page = await asked.get("/transactions", [("text", text)], locales: [locale]).text
      return Set(numbers(page).compactMap { payees[$0] })
    }
    #expect(await found("XF 35mm") == [12_50])
    #expect(await found("dafas35dfa") == [])
    #expect(await found("35") == [35_00, 12_50, 7_00])
    #expect(await found("35.01") == [35_01])
    #expect(await found("35,01", "de-DE") == [35_01])
    #expect(await found("1,234.50") == [1_234_50])
    #expect(await found("1.234,50", "de-DE") == [1_234_50])
    #expect(await found("-12.50") == [12_50])
    #expect(await found("30+5") == [])
    #expect(await found("food").count == 5, "and the names of categories")
    let sums = await asked.get("/transactions", [("text", "35")]).text
    #expect(sums.contains(">€54.50<"), "the sums are those of the rows that are found")
  }

  @Test func anAccountSaysWhatItHolds() async throws {
    let (ledger, account, category) = try await household()
    let dollars = try await ledger.append([
      .setRate(ExchangeRate(base: .usd, quoted: .eur, day: today, quote: try Quote("0.8"))),
      .openAccount(NewAccount(name: "Dollars", kind: .asset, currency: .usd)),
    ]).accounts[0]
    try await ledger.append([
      .record(.income(Money(100_00, .eur), into: account, on: today)),
      .record(
        .expense(
          Money(30_00, .eur), from: account, category: category, on: today, status: .pending)),
      .record(
        .expense(
          Money(5_00, .eur), from: account, category: category, on: today.adding(days: 1),
          status: .pending)),
      .record(.income(Money(50_00, .usd), into: dollars, on: today)),
    ])
    let asked = Asked(ledger)
    func summary(_ id: AccountID, _ query: [(String, String)] = []) async -> String {
      let page = await asked.get("/transactions", [("account", "\(id)")] + query).text
      return page.components(separatedBy: "<p class=\"summary\">").last?
        .components(separatedBy: "</p>").first ?? ""
    }
    let text = await summary(account)
    for figure in [">€70.00<", ">€100.00<", ">-€30.00<"] { #expect(text.contains(figure)) }
    #expect(!text.contains("≈"), "no other currency")
    let other = await summary(dollars)
    #expect(other.contains(">$50.00<") && other.contains("≈") && other.contains(">€40.00<"))
    let page = await asked.get("/transactions", [("account", "\(account)")]).text
    #expect(page.contains("href=\"/reconcile/\(account)\""))
    #expect(page.contains("href=\"/accounts/\(account)/edit\""))
  }

  @Test func aListOfManyCategoriesAndLongTextsStaysSmall() async throws {
    let (ledger, account, _) = try await household()
    let made = try await ledger.append(
      (0..<60).map {
        .createCategory(NewCategory(name: "A category of medium length \($0)", kind: .expense))
      }
    ).categories
    try await ledger.append(
      (0..<60).map { index in
        .record(
          .expense(
            Money(1_00, .eur), from: account, category: made[index], on: today,
            description: "A description of medium length", payee: "A payee of medium length"))
      })
    let page = await Asked(ledger).get("/transactions").text
    #expect(page.utf8.count < 60_000, "\(page.utf8.count)")
  }
}
