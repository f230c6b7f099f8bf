// Goal: each figure of a report, of the overview and of the categories is one click from its rows, and the sum above
// them is the figure. Method: every link of the pages of a rich ledger is followed.
import Daybook
import Foundation
import Testing

@testable import Pages

@Suite struct ReportPageTests {
  /// A figure of a page, and the decoded address that it leads to.
  private struct Figure: Hashable {
    var text: String
    var path: String
    var query: [[String]]

    init?(_ link: Substring, _ text: Substring) {
      let parts = link.replacing("&amp;", with: "&").split(separator: "?", maxSplits: 1)
      self.text = String(text.replacing("-", with: ""))
      path = String(parts[0])
      query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
        pair.split(separator: "=", omittingEmptySubsequences: false)
          .map { $0.removingPercentEncoding ?? "" }
      }
    }

    var fields: [(String, String)] { query.map { ($0[0], $0[1]) } }
    var names: Set<String> { Set(query.map { $0[0] }) }
  }

  private func figures(_ page: String) -> [Figure] {
    page.matches(of: /<td class="num"><a (?:class="figure[^"]*" )?href="([^"]+)">([^<]+)<\/a>/)
      .compactMap { Figure($0.1, $0.2) }
  }

  /// The sums above a list in the base currency, by their names.
  private func sums(_ page: String) -> [String: String] {
    guard let list = page.firstMatch(of: /<ul class="totals">(.*?)<\/ul>/.dotMatchesNewlines())
    else { return [:] }
    let lines = list.1.split(separator: "<li>").filter { !$0.contains("<strong>Excluded") }
    let line = lines.first { $0.contains("<strong>Total") } ?? lines.first { $0.contains("€") }
    var sums: [String: String] = [:]
    for match in (line ?? "").matches(of: /<span>(\w+) <a [^>]*>([^<]+)<\/a>/) {
      sums[String(match.1)] = String(match.2.replacing("-", with: ""))
    }
    return sums
  }

  @Test func everyFigureOfAReportIsTheSumOfItsRows() async throws {
    let asked = Asked(try await RichLedger().ledger)
    var count = 0
    for (by, detail) in [("category", "false"), ("category", "true"), ("payee", ""), ("tag", "")] {
      for per in ["month", "year"] {
        let page = await asked.get(
          "/reports", [("by", by), ("per", per), ("subcategories", detail)]
        ).text
        let found = figures(page)
        #expect(found.count > 10, "\(by) \(per)")
        for figure in found {
          let list = await asked.get(figure.path, figure.fields)
          let sums = sums(list.text)
          // The sums of all transactions have no condition but days.
          let isAll = figure.names == ["from", "through", "excluded"]
          let wanted = isAll ? Array(sums.values) : [sums["Net"]].compactMap(\.self)
          #expect(wanted.contains(figure.text), "\(by) \(per) \(figure): \(sums)")
          count += 1
        }
      }
    }
    #expect(count > 150)
  }

  @Test func theColumnsAddUp() async throws {
    let ledger = try await RichLedger().ledger
    let context = PageContext(
      PageRequest(path: "/reports"), today: today, canWrite: false, past: nil)
    try ledger.read { snapshot in
      let query = ReportQuery(context)
      let table = try CategoryReport.table(query, .eur, context, snapshot)
      for (section, kind) in zip(table.sections, [CategoryKind.income, .expense]) {
        let sum = try #require(section.sums.first)
        for place in sum.figures.indices {
          let rows = section.rows.reduce(0) { $0 + $1.figures[place].units }
          #expect(sum.figures[place].units == rows && !sum.figures.isEmpty)
        }
        let totals = try snapshot.baseTotals(in: query.days, base: .eur, today: today)
        #expect(sum.figures.last == (kind == .income ? totals.income : totals.expense).total)
      }
    }
  }

  @Test func everyNetWorthIsOnThePageThatItLeadsTo() async throws {
    let asked = Asked(try await RichLedger().ledger)
    for per in ["month", "year"] {
      let found = figures(await asked.get("/reports", [("by", "account"), ("per", per)]).text)
      #expect(found.count > 10)
      for figure in found {
        let page = await asked.get(figure.path, figure.fields).text
        let part = page.firstMatch(
          of: /<p class="(?:summary|large)">.*?<\/p>/.dotMatchesNewlines())
        let texts = part?.0.replacing("-", with: "") ?? ""
        #expect(texts.contains(">\(figure.text)<"), "\(figure)")
      }
    }
  }

  @Test func figuresOfOtherViewsAreTheSumsOfTheirRowsToo() async throws {
    let ledger = try await RichLedger().ledger
    let asked = Asked(ledger)
    let excluded = try ledger.read { try $0.categories().first { $0.isExcludedFromTotals } }
    let food = try ledger.read { try $0.categories().first { $0.name == "Food" } }
    var paths: [(String, [(String, String)])] = [
      ("/", []), ("/", [("on", "2026-01-10")]), ("/categories", []),
      ("/categories", [("month", "2025-12")]),
    ]
    for id in [try #require(excluded).id, try #require(food).id] {
      paths.append(("/categories/\(id)", []))
    }
    var count = 0
    for (path, query) in paths {
      let page = await asked.get(path, query).text
      for figure in figures(page) where figure.path == "/transactions" {
        // The net worth of a day is a balance, and an excluded category's amounts don't count.
        guard figure.names.contains("excluded") else { continue }
        let sums = sums(await asked.get(figure.path, figure.fields).text)
        let net = sums["Net"] ?? "€0.00"
        #expect(net == figure.text, "\(path) \(figure): \(sums)")
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test func theLastColumnOfAccountsIsTheNetWorth() async throws {
    let ledger = try await RichLedger().ledger
    let asked = Asked(ledger)
    let day = today.adding(months: -2)
    let page = await asked.get("/accounts", [("on", "\(day)")]).text
    let worth = try ledger.read { try $0.baseNetWorth(on: day, base: .eur).total }
    let rows = page.matches(of: /<td class="num">(?:<a class="figure[^"]*" href="[^"]+">([^<]+))?/)
    var units: Int128 = 0
    var sums: [Int128] = []
    for section in page.split(separator: "<section class=\"card\">").dropFirst() {
      let body = section.split(separator: "<tfoot>")[0]
      let own = body.matches(of: /<td class="num"><a class="figure[^"]*" href="[^"]+">([^<]+)/)
        .compactMap { Int128($0.1.filter { $0.isNumber || $0 == "-" }) }.reduce(0, +)
      units += own
      sums.append(own)
    }
    #expect(units == worth.units && rows.count >= 6)
    let shown = page.matches(of: /<tfoot>.*?href="[^"]+">([^<]+)/)
      .compactMap { Int128($0.1.filter { $0.isNumber || $0 == "-" }) }
    #expect(shown == sums)
  }

  @Test func aLongReportHasPages() async throws {
    let (ledger, account, food) = try await household()
    for number in 0..<30 {
      try await ledger.append(
        .record(
          .expense(
            Money(Int64(number + 1) * 100, .eur), from: account, category: food, on: today,
            payee: "Shop \(number)")))
    }
    let asked = Asked(ledger)
    let first = await asked.get("/reports", [("by", "payee")]).text
    #expect(first.contains("Shop 29<") && !first.contains("Shop 0<"))
    let next = await asked.get("/reports", [("by", "payee"), ("skip", "24")]).text
    #expect(next.contains("Shop 0<") && !next.contains("Shop 29<"))
    #expect(first.contains("1–24 / 30") && next.contains("25–30 / 30"))
    let odd = [
      [("last", "0001-01"), ("per", "year")], [("last", "x"), ("by", "x"), ("skip", "-9")],
    ]
    for query in odd { #expect(await asked.get("/reports", query).status == 200) }
  }
}
