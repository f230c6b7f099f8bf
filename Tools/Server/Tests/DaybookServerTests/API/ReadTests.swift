// Goal: every read answers, now and of the past, with the token that it is of, and says what the library says.
// Method: all endpoints of `GET` are walked over a sample household; some answers are compared with the library's.
import Daybook
import DaybookTesting
import HTTPTypes
import Testing

@testable import DaybookServer

@Suite struct ReadTests {
  @Test func everyReadAnswersNowAndOfThePast() async throws {
    try await serving { client in
      let (account, category, newest) = try client.ledger.read { snapshot in
        (try snapshot.accounts()[0].id, try snapshot.categories(.expense)[0].id, snapshot.token)
      }
      let needed: [String: String] = [
        "reportTrend": "category=\(category)", "reportForecast": "account=\(account)",
        "reportBalanceSeries": "account=\(account)", "convertAmount": "base=USD&quoted=EUR",
      ]
      for endpoint in API.endpoints where endpoint.method == .get && !endpoint.path.contains("{") {
        guard endpoint.operation != "followChanges" else { continue }
        let path = "/v1\(endpoint.path)?\(needed[endpoint.operation] ?? "")"
        let now = try await client.get(path)
        #expect(now.status == 200, "\(path): \(now.text)")
        if endpoint.operation == "getDocument" { continue }
        #expect(now.headers[.ledgerToken] == newest.text, "\(path)")
        #expect(now.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
        #expect(now.headers[.contentSecurityPolicy]?.contains("unsafe") == false)
        // What they say has to do with more than commits: files, and names of devices.
        if !["getInfo", "listFindings"].contains(endpoint.operation) {
          let again = try await client.get(path, headers: [(.ifNoneMatch, now.tag ?? "")])
          #expect(again.status == 304 && again.text.isEmpty, "\(path) again")
        }
        guard endpoint.query.contains("asOf") else { continue }
        let then = try await client.get("\(path)&asOf=\(newest.sequence - 1)")
        // A category or an account may not have been there yet: that is told too.
        #expect([200, 400].contains(then.status), "\(path) then: \(then.text)")
        if then.status == 200 { #expect(then.headers[.ledgerToken] != newest.text) }
      }
    }
  }

  @Test func theInboxAndSuggestionsAreTheLibrarys() async throws {
    try await serving { client in
      let account = try client.ledger.read { try $0.accounts()[0] }
      for _ in 0..<3 {
        try await client.ledger.append(
          .record(.expense(Money(100, account.currency), from: account.id, on: today)))
      }
      let (inbox, all) = try client.ledger.read {
        (try $0.inbox(today: today, limit: 2), try $0.suggestions(limit: 500))
      }
      let served = try await client.get("/v1/inbox?limit=2").json()
      #expect(served["uncategorized"]?["count"]?.number == Int64(inbox.uncategorized.count))
      #expect(served["uncategorized"]?["entries"]?.elements.count == 2)
      #expect(served["duplicates"]?["count"]?.number == Int64(inbox.duplicates.count))
      var found: [String] = []
      var cursor = ""
      repeat {
        let page = try await client.get("/v1/suggestions?limit=2\(cursor)").json()
        found += page["suggestions"]?.elements.compactMap { $0["transaction"]?["id"]?.text } ?? []
        cursor = page["next"]?.text.map { "&cursor=\($0)" } ?? ""
      } while !cursor.isEmpty
      #expect(found == all.map { "\($0.transaction.id)" })
      #expect(found.count >= 3)
    }
  }

  @Test func figuresAreTheLibrarys() async throws {
    try await serving { client in
      let (worth, count, balances) = try client.ledger.read { snapshot in
        (
          try JSONValue(snapshot.netWorth(on: today)), try snapshot.count(),
          try JSONValue(snapshot.balances(on: today))
        )
      }
      let report = try await client.get("/v1/reports/balances?all=true").json()
      #expect(report["netWorth"]?.line == worth.sorted.line || report["netWorth"] == worth)
      let counted = try await client.get("/v1/transactions/count").json()
      #expect(counted["count"]?.number == Int64(count))
      let accounts = try await client.get("/v1/accounts?limit=500").json()
      #expect(accounts["accounts"]?.elements.count == balances.elements.count)
      let past = try client.ledger.token(at: 2)
      let then = try await client.get("/v1/transactions/count?asOf=2").json()
      let expected = try client.ledger.read(asOf: past) { try $0.count() }
      #expect(then["count"]?.number == Int64(expected))
    }
  }

  @Test func conversionsAreTheLibrarys() async throws {
    try await serving { client in
      let (rate, converted) = try client.ledger.read { snapshot in
        let rate = try #require(try snapshot.rates().last)
        let money = try Money.parse("10", currency: rate.base)
        return (rate, try snapshot.convert(money, to: rate.quoted, on: rate.day))
      }
      let query = "base=\(rate.base)&quoted=\(rate.quoted)&day=\(rate.day)"
      let found = try await client.get("/v1/rates/convert?amount=10&\(query)").json()
      #expect(found["converted"]?["amount"]?.text == converted?.text)
      #expect(found["oldestDay"]?.text == "\(rate.day)")
      #expect(found["rates"]?.elements.count == 1)
      for wrong in ["amount=x&\(query)", "base=EUR", "base=EUR&quoted=XXQ"] {
        #expect(try await client.get("/v1/rates/convert?\(wrong)").status == 400, "\(wrong)")
      }
      let worth = try await client.get("/v1/reports/net-worth?count=1").json()
      let rates = try client.ledger.read { try $0.netWorthRates(on: today).flatMap(\.rates) }
      #expect(worth["rates"]?.elements.count == rates.count)
    }
  }

  @Test func sumsAreTheLibrarys() async throws {
    try await serving { client in
      let (filter, sums, change) = try client.ledger.read { snapshot in
        let filter = TransactionFilter(account: try snapshot.accounts()[0].id, type: .expense)
        let month = today.monthOf.first..<today.adding(days: 1)
        return (
          filter, try snapshot.sums(of: filter), try snapshot.worthChange(in: month)
        )
      }
      let query = "account=\(filter.accounts[0])&type=expense"
      let found = try await client.get("/v1/transactions/sums?\(query)").json()
      #expect(sums.count > 0 && found["count"]?.number == Int64(sums.count))
      #expect(found["amounts"]?.elements.count == sums.amounts.count)
      #expect(found["converted"]?["net"]?["amount"]?.text == sums.converted?.net.text)
      let cut = try await client.get("/v1/transactions/sums?\(query)&rows=1").json()
      #expect(cut["isComplete"]?.flag == false && cut["readCount"]?.number == 1)
      let refused = try await client.get("/v1/transactions/sums?rows=-1")
      #expect(refused.status == 400)
      let worth = try await client.get("/v1/reports/worth-changes?count=1").json()
      #expect(worth["changes"]?.elements[0]["gain"]?["amount"]?.text == change.gain.text)
    }
  }

  @Test func aPageInTheMiddleDoesNotMoveWhenRowsComeAndGo() async throws {
    for seed in [1, 2, 3] as [UInt64] {
      try await serving(seed: seed, count: 200) { client in
        let all = try client.ledger.read { try $0.transactions(limit: 1_000) }
        var generator = SeededGenerator(seed: seed)
        var seen: [String] = []
        var cursor: String?
        var removed: Set<String> = []
        repeat {
          let page = try await client.get(
            "/v1/transactions?limit=17\(cursor.map { "&cursor=\($0)" } ?? "")"
          ).json()
          seen += page["transactions"]?.elements.compactMap { $0["id"]?.text } ?? []
          cursor = page["next"]?.text
          // Something new on top, and something that was not seen yet away.
          _ = try await client.post(
            "/v1/transactions",
            #"{"day":"2026-02-15","expense":{"amount":"1.00","currency":"EUR"}}"#)
          let rest = all.map { "\($0.id)" }.filter { !seen.contains($0) && !removed.contains($0) }
          if let gone = rest.randomElement(using: &generator) {
            removed.insert(gone)
            #expect(try await client.send(.delete, "/v1/transactions/\(gone)").status == 200)
          }
        } while cursor != nil
        let expected = all.map { "\($0.id)" }.filter { !removed.contains($0) }
        #expect(seen.filter { !removed.contains($0) } == expected, "seed \(seed)")
        #expect(Set(seen).count == seen.count, "no row comes twice")
      }
    }
  }

  @Test func paymentsToComeAreToldPageByPage() async throws {
    let ledger = try await Ledger.inMemory()
    let account = try await ledger.append(
      .openAccount(NewAccount(name: "Bank", kind: .asset, currency: .eur))
    ).accounts[0]
    for (name, days) in [("Rent", 3), ("Club", 3), ("Power", 9)] {
      try await ledger.append(
        .putSeries(
          Series(
            name: name,
            template: SeriesTemplate(type: .expense, amount: Money(9_00, .eur), account: account),
            schedule: Schedule(.month), anchor: today.adding(days: days))))
    }
    try await serving(ledger) { client in
      let all = try await client.get("/v1/series/upcoming?through=2026-12-31").json()
      let wanted = (all["upcoming"]?.elements ?? []).map(\.line)
      #expect(wanted.count == 33 && all["count"]?.number == 33 && all["next"] == nil)
      var found: [String] = []
      var more = ""
      repeat {
        let path = "/v1/series/upcoming?through=2026-12-31&limit=4\(more)"
        let page = try await client.get(path).json()
        found += (page["upcoming"]?.elements ?? []).map(\.line)
        more = page["next"]?.text.map { "&cursor=\($0)" } ?? ""
      } while !more.isEmpty && found.count < 100
      #expect(found == wanted)
    }
    try await ledger.close()
  }

  @Test func ofALargeCommitTheFirstChangesAreTold() async throws {
    let ledger = try await Ledger.inMemory()
    let receipt = try await ledger.append([
      .openAccount(NewAccount(name: "Checking", kind: .asset, currency: .eur)),
      .createCategory(NewCategory(name: "Food", kind: .expense)),
    ])
    let rows = try await ledger.append(
      (0..<1_200).map { _ in
        .record(
          .expense(
            Money(1_00, .eur), from: receipt.accounts[0], category: receipt.categories[0],
            on: today))
      })
    let last = try #require(rows.transactions.last)
    try await serving(ledger) { client in
      let commit = try await client.get("/v1/history/2").json()
      #expect(commit["changeCount"]?.number == 1_200)
      #expect(commit["changes"]?.elements.count == 1_000)
      let listed = try await client.get("/v1/history?limit=1").json()["commits"]?.elements[0]
      #expect(listed?["changes"]?.elements.count == 1_000)
      // What is asked for by its id is found wherever it is.
      let found = try await client.get("/v1/history?entity=\(last)").json()["commits"]?.elements
      #expect(found?.first?["changes"]?.elements.first?["id"]?.text == "\(last)")
    }
    try await ledger.close()
  }

  @Test func whatIsAskedWronglyIsToldWhere() async throws {
    try await serving(count: 10) { client in
      for (path, place) in [
        ("/v1/transactions?limit=501", "limit"), ("/v1/transactions?limit=0", "limit"),
        ("/v1/transactions?cursor=%21", "cursor"), ("/v1/transactions?nope=1", "nope"),
        ("/v1/transactions?from=2026-02-30", "from"), ("/v1/accounts?asOf=soon", "asOf"),
        ("/v1/accounts?on=2026-02-15&on=2026-02-16", "on"), ("/v1/accounts?closed=yes", "closed"),
        ("/v1/reports/trend", "category"), ("/v1/reports/months?count=5000", "count"),
        ("/v1/reports/balances?base=QQQ", "base"), ("/v1/export?format=exe", "format"),
      ] {
        let told = try await client.get(path)
        #expect(told.status == 400, "\(path): \(told.text)")
        #expect(told.headers[.contentType] == "application/problem+json")
        #expect(try told.json()["place"]?["name"]?.text == place, "\(path)")
        #expect(try told.json()["remedy"]?.text?.isEmpty == false, "\(path)")
      }
      #expect(try await client.get("/v1/accounts?asOf=9999").code == "invalidToken")
      #expect(try await client.get("/v1/nothing").status == 404)
      #expect(try await client.get("/v1/accounts/nobody").status == 404)
      let put = try await client.send(.put, "/v1/accounts", "{}")
      #expect(put.status == 405 && put.headers[.allow] == "GET, HEAD, POST")
    }
  }
}

extension JSONValue {
  fileprivate var sorted: JSONValue { .array(elements.sorted { $0.line < $1.line }) }
}
