// Goal: an address of the past shows the same figures for ever, and what is no moment is told of. Method: the same
// addresses are asked on two days that count as today.
import Daybook
import Foundation
import Moments
import Synchronization
import Testing

@testable import Pages

@Suite struct MomentTests {
  /// A site whose day can be moved on.
  private final class Calendar: Sendable {
    let day = Mutex(Day.min)
    func site(_ ledger: Ledger) -> LedgerSite { LedgerSite(ledger) { self.day.withLock { $0 } } }
  }

  private func text(
    _ site: LedgerSite, _ path: String, _ query: [(String, String)]
  ) async -> (status: Int, text: String) {
    let answer = await site.answer(
      PageRequest(
        path: path, query: query.map { (name: $0.0, value: $0.1) },
        asOf: query.first { $0.0 == "asOf" }?.1, locales: ["en-US"]))
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  @Test func aPermalinkShowsTheSameForEver() async throws {
    let (ledger, account, food) = try await household()
    // What the clock says: commits are of this day.
    let now = try #require(try Moment("1")?.day(in: ledger))
    try await ledger.append([
      .putBudget(
        Budget(
          name: "Food", categories: [food], amount: Money(400_00, .eur),
          period: .monthly(resetDay: 1))),
      .putSeries(
        Series(
          name: "Rent",
          template: SeriesTemplate(
            type: .expense, amount: Money(900_00, .eur), account: account, category: food),
          schedule: Schedule(.month), anchor: now.adding(days: 3))),
      .record(.expense(Money(12_34, .eur), from: account, category: food, on: now)),
    ])
    let sequence = try ledger.token.sequence
    let calendar = Calendar()
    let site = calendar.site(ledger)
    let addresses: [(String, [(String, String)])] = [
      ("/", [("asOf", "\(sequence)")]), ("/budgets", [("asOf", "\(sequence)")]),
      ("/categories", [("asOf", "\(sequence)")]), ("/recurring", [("asOf", "\(sequence)")]),
      ("/accounts", [("asOf", "\(now)")]), ("/compare", [("from", "1"), ("to", "\(sequence)")]),
    ]
    var first: [String] = []
    for later in [0, 40, 400] {
      calendar.day.withLock { $0 = now.adding(days: later) }
      var texts: [String] = []
      for (path, query) in addresses {
        let page = await text(site, path, query)
        #expect(page.status == 200, "\(path)")
        texts.append(page.text)
      }
      if first.isEmpty { first = texts }
      for (index, address) in addresses.enumerated() {
        #expect(texts[index] == first[index], "\(address.0) after \(later) days")
      }
    }
    #expect(first[0].contains("€12.34"))
    // And of now it goes on.
    let other = await text(site, "/budgets", []).text
    #expect(other != first[1])
    // An address may say the day too, and its links keep it.
    let said = await text(
      site, "/", [("asOf", "\(sequence)"), ("today", "\(now.adding(days: 40))")])
    #expect(said.text.contains("&amp;today=\(now.adding(days: 40))") && said.text != first[0])
  }

  @Test func whatIsNoMomentIsToldOf() async throws {
    let (ledger, _, _) = try await household()
    let asked = Asked(ledger)
    for path in ["/", "/accounts", "/transactions"] {
      let page = await asked.get(path, asOf: "soon")
      #expect(page.status == 400 && page.text.contains("Couldn’t read the date"), "\(path)")
      #expect(!page.text.contains("asOf=soon"), "nothing leads there again")
    }
    let future = await asked.get("/", asOf: "99")
    #expect(future.status == 400 && future.text.contains("class=\"problem\""))
    // Before anything was recorded there is nothing, and no fault.
    for moment in ["0", "0001-01-01", "1969-12-31"] {
      for path in views where path != "/transactions/new" {
        #expect(await asked.get(path, asOf: moment).status == 200, "\(path) \(moment)")
      }
    }
  }
}
