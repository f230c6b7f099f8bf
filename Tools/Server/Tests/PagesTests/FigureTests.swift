// Goal: figures on pages are the ledger's own, now and at a moment of the past. Method: pages of a sample
// household are read as text, and the library's answers, as the locale writes them, are looked for.
import Daybook
import DaybookFoundation
import DaybookTesting
import Foundation
import Pages
import Testing

@Suite struct FigureTests {
  private let locale = Locale(identifier: "en-US")

  private func text(_ total: Total) -> String {
    AmountFormatStyle<Total>(locale: locale).format(total)
      .replacing("&", with: "&amp;").replacing("'", with: "&#39;")
  }

  /// What pages have to say, by path.
  private func figures(_ snapshot: borrowing Snapshot) throws -> [String: [String]] {
    var figures: [String: [String]] = [:]
    let base = try snapshot.settings().baseCurrency
    let month = today.monthOf
    if let base {
      let totals = try snapshot.baseTotals(in: month.days, base: base, today: today)
      figures["/"] = [
        text(try snapshot.baseNetWorth(on: today, base: base).total), text(totals.income.total),
        text(totals.expense.total), text(totals.net),
      ]
      figures["/categories"] = try snapshot.baseBreakdown(
        in: month.days, kind: .expense, rollUp: true, base: base, today: today
      ).map { text($0.amount.total) }
    }
    figures["/accounts"] = try snapshot.balances(on: today).map { text($0.balance) }
    figures["/budgets"] = try snapshot.budgetStatuses(today: today).flatMap {
      [text($0.spent.total), text($0.remaining), text($0.available)]
    }
    figures["/transactions"] = try snapshot.transactions(limit: 48).compactMap {
      $0.amount.map { text(Total($0)) }
    }
    return figures
  }

  private func sample() async throws -> Ledger {
    let household = SampleHousehold(seed: 7, transactionCount: 600, years: 1, through: today)
    let ledger = try await household.ledger()
    try await ledger.append([.setSettings(SettingsChange(baseCurrency: .eur))])
    let food = try ledger.read { try $0.categories(.expense).first }
    try await ledger.append([
      .putBudget(
        Budget(
          name: "Food", categories: food.map { [$0.id] } ?? [], amount: Money(400_00, .eur),
          period: .monthly(resetDay: 1)))
    ])
    return ledger
  }

  @Test func aFilteredListBeginsWithItsSums() async throws {
    let ledger = try await sample()
    let asked = Asked(ledger)
    let filter = TransactionFilter(type: .expense, days: today.monthOf.days)
    let sums = try ledger.read { try $0.sums(of: filter) }
    let query = [
      ("type", "expense"), ("from", "\(filter.days?.lowerBound ?? .min)"),
      ("through", "\(today.monthOf.last)"),
    ]
    let page = await asked.get("/transactions", query).text
    let above = try #require(page.components(separatedBy: "<div id=\"rows\">").first)
    #expect(sums.count > 0)
    for amounts in sums.amounts {
      #expect(above.contains(text(amounts.moneyOut)) && above.contains(text(amounts.net)))
    }
    #expect(!(await asked.get("/transactions").text.contains("class=\"totals\"")))
    let none = await asked.get("/transactions", [("text", "nobody at all")]).text
    #expect(!none.contains("class=\"totals\""))
  }

  @Test func pagesSayWhatTheLedgerSays() async throws {
    let ledger = try await sample()
    let asked = Asked(ledger)
    for (path, wanted) in try ledger.read({ try figures($0) }) {
      let page = await asked.get(path).text
      #expect(!wanted.isEmpty, "\(path)")
      for figure in wanted { #expect(page.contains(">\(figure)<"), "\(figure) on \(path)") }
    }
  }

  @Test func pagesOfThePastSayWhatTheLedgerSaidThen() async throws {
    let ledger = try await sample()
    let then = try ledger.token
    let account = try ledger.read { try $0.accounts().first { $0.currency == .eur } }
    try await ledger.append([
      .record(.income(Money(123_456_78, .eur), into: account?.id, on: today))
    ])
    let asked = Asked(ledger)
    let now = await asked.get("/accounts").text
    for (path, wanted) in try ledger.read(asOf: then, { try figures($0) }) {
      let page = await asked.get(path, asOf: "\(then.sequence)").text
      for figure in wanted { #expect(page.contains(">\(figure)<"), "\(figure) on \(path)") }
      #expect(page.contains("asOf=\(then.sequence)"), "links stay in the past on \(path)")
      #expect(!page.contains("/transactions/new\""), "the past takes no changes on \(path)")
    }
    let moved = await asked.get("/compare", [("from", "\(then.sequence)")]).text
    #expect(moved.contains(">+€123,456.78<"), "what moved since then is told")
    #expect(moved.contains("href=\"/history/\(then.sequence + 1)\""), "and the commit that did it")
    // And what it moved beside the balance: the month.
    let month = today.monthOf
    let income = "/transactions?kind=income&amp;from=\(month.first)&amp;through=\(month.last)"
    #expect(moved.contains("\(income)&amp;asOf="), "the month that moved")
    #expect(now != (await asked.get("/accounts", asOf: "\(then.sequence)")).text)
  }

  @Test func figuresAreWrittenAsTheReaderWritesThem() async throws {
    let (ledger, account, _) = try await household()
    try await ledger.append([.record(.income(Money(1_234_50, .eur), into: account, on: today))])
    let page = await Asked(ledger).get("/accounts", locales: ["de-DE"]).text
    #expect(page.contains("1.234,50") && page.contains("lang=\"de\""))
  }

  @Test func everyFigureLeadsToWhatItIsMadeOf() async throws {
    let ledger = try await sample()
    let asked = Asked(ledger)
    let account = try #require(try ledger.read { try $0.accounts().first { $0.currency == .eur } })
    try await ledger.append([
      .putSeries(
        Series(
          name: "Rent",
          template: SeriesTemplate(
            type: .expense, amount: Money(900_00, .eur), account: account.id),
          schedule: Schedule(.month), anchor: today.adding(days: 3))),
      .assertBalance(account.id, Money(1_00, .eur), on: today),
    ])
    let newest = try ledger.token.sequence
    let row = try #require(try ledger.read { try $0.transactions(limit: 1).first })
    for path in views + ["/statements", "/history/\(newest)", "/transactions/\(row.id)"] {
      var text = await asked.get(path).text
      // Values before and after are the answer to why; a drawing has its table.
      text = text.replacing(/<svg.*?<\/svg>/, with: "")
      text = text.replacing(
        /<table class="figures differences">.*?<\/table>/.dotMatchesNewlines(), with: "")
      text = text.replacing(/<a [^>]*>.*?<\/a>/.dotMatchesNewlines(), with: "")
      let bare = text.matches(of: /[€$][0-9][^<]*/).map { String($0.0) }
      #expect(bare.isEmpty, "\(path): \(bare)")
    }
  }

  @Test func whatComesIsACalendarAndAForecast() async throws {
    let (ledger, account, category) = try await household()
    try await ledger.append([
      .putSeries(
        Series(
          name: "Rent",
          template: SeriesTemplate(
            type: .expense, amount: Money(900_00, .eur), account: account, category: category),
          schedule: Schedule(.month), anchor: today.adding(days: 3)))
    ])
    let page = await Asked(ledger).get("/recurring").text
    let calendar = try #require(page.firstMatch(of: /<table class="calendar">.*?<\/table>/))
    #expect(calendar.0.matches(of: /<td/).count == 35)
    #expect(calendar.0.contains("<time datetime=\"2026-02-18\">18</time><a"))
    let last = try ledger.read {
      try $0.forecast(
        of: account, through: today.adding(days: 91), today: today, every: .week
      ).balances.last
    }
    let wanted = text(try #require(last).total)
    #expect(page.contains(">\(wanted)<") && page.contains("id=\"forecast-"))
  }

  @Test func aListGoesOnWhereItsPageEnds() async throws {
    let asked = Asked(try await sample())
    var numbers: [String] = []
    var after: String?
    var pageCount = 0
    repeat {
      let page = await asked.get("/transactions", after.map { [("after", $0)] } ?? []).text
      numbers += page.matches(of: /data-number="(\d+)"/).map { String($0.1) }
      after = page.firstMatch(of: /rel="next" href="[^"]*after=([0-9.-]+)"/).map { String($0.1) }
      pageCount += 1
    } while after != nil && pageCount < 20
    let count = try asked.ledger.read { try $0.count() }
    #expect(numbers.count == count && Set(numbers).count == count && pageCount > 5)
  }
}
