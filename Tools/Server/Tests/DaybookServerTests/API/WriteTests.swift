// Goal: every resource can be written, conditionally and repeatably, and a dry run tells what then changes.
// Method: each command is sent as its resource has it; the ledger is asked what has become of it.
import Daybook
import Foundation
import HTTPTypes
import Testing

@testable import DaybookServer

@Suite struct WriteTests {
  private func made(_ told: Told, _ kind: String) throws -> String {
    #expect(told.status == 201 || told.status == 200, "\(told.text)")
    return try #require(try told.json()["outcomes"]?.elements.first?[kind]?.text, "\(told.text)")
  }

  @Test func everyResourceIsWrittenChangedAndRemoved() async throws {
    try await serving(count: 20) { client in
      let account = try made(
        try await client.post(
          "/v1/accounts",
          #"{"name":"Wallet","currency":"EUR","opening":{"amount":"10.00","currency":"EUR"}}"#),
        "account")
      let category = try made(
        try await client.post("/v1/categories", #"{"name":"Books","kind":"expense"}"#), "category")
      let row = try made(
        try await client.post(
          "/v1/transactions",
          #"{"day":"2026-02-01","expense":{"amount":"3.50","currency":"EUR","account":"\#(account)","category":"\#(category)"}}"#
        ), "transaction")
      let budget = try made(
        try await client.post(
          "/v1/budgets",
          #"{"name":"Reading","categories":["\#(category)"],"amount":{"amount":"20.00","currency":"EUR"},"period":{"every":"month"}}"#
        ), "budget")
      let series = try made(
        try await client.post(
          "/v1/series",
          #"{"name":"Club","type":"expense","amount":{"amount":"5.00","currency":"EUR"},"account":"\#(account)","category":"\#(category)","schedule":{"every":1,"unit":"month"},"anchor":"2026-01-10"}"#
        ), "series")
      let rule = try made(
        try await client.post(
          "/v1/rules",
          #"{"name":"Shop","conditions":[{"match":"contains","text":"shop"}],"category":"\#(category)"}"#
        ),
        "rule")
      let assertion = try made(
        try await client.post(
          "/v1/assertions",
          #"{"account":"\#(account)","day":"2026-02-10","balance":{"amount":"6.50","currency":"EUR"}}"#
        ),
        "assertion")
      let mapping = try made(
        try await client.post("/v1/mappings", #"{"name":"Bank","contents":"{}","columnCount":2}"#),
        "mapping")

      let steps: [(HTTPRequest.Method, String, String?)] = [
        (.patch, "/v1/accounts/\(account)", #"{"name":"Purse"}"#),
        (
          .put, "/v1/accounts/\(account)/opening",
          #"{"opening":{"amount":"11.00","currency":"EUR"}}"#
        ),
        (
          .post, "/v1/accounts/\(account)/correct",
          #"{"day":"2026-02-12","balance":{"amount":"9.00","currency":"EUR"},"by":"opening"}"#
        ),
        (.patch, "/v1/categories/\(category)", #"{"name":"Reading"}"#),
        (.patch, "/v1/transactions/\(row)", #"{"payee":"Shop"}"#),
        (.post, "/v1/transactions/reconcile", #"{"transactions":["\#(row)"]}"#),
        (.post, "/v1/transactions/unreconcile", #"{"transactions":["\#(row)"]}"#),
        (
          .put, "/v1/transactions/\(row)/series",
          #"{"series":"\#(series)","occurrence":"2026-02-10"}"#
        ),
        (.delete, "/v1/transactions/\(row)/series", nil),
        (
          .put, "/v1/budgets/\(budget)",
          #"{"name":"Reading","amount":{"amount":"30.00","currency":"EUR"},"period":{"every":"week"}}"#
        ),
        (.post, "/v1/series/generate", #"{"through":"2026-02-15"}"#),
        (.post, "/v1/series/\(series)/skip", #"{"occurrence":"2026-03-10"}"#),
        (.post, "/v1/series/\(series)/unskip", #"{"occurrence":"2026-03-10"}"#),
        (.post, "/v1/series/\(series)/pause", #"{"after":"2026-03-01"}"#),
        (.post, "/v1/series/\(series)/resume", #"{"on":"2026-06-01"}"#),
        (.post, "/v1/series/\(series)/stop", #"{"after":"2026-12-31"}"#),
        (
          .put, "/v1/rules/\(rule)",
          #"{"name":"Shops","conditions":[{"match":"contains","text":"shop"}],"category":"\#(category)"}"#
        ),
        (.post, "/v1/rules/apply", #"{"rules":["\#(rule)"]}"#),
        (.put, "/v1/rates", #"{"base":"USD","quoted":"EUR","day":"2026-02-14","rate":"0.9"}"#),
        (.delete, "/v1/rates?base=USD&quoted=EUR&day=2026-02-14", nil),
        (.post, "/v1/currencies", #"{"currency":{"code":"PTS","digits":0},"name":"Points"}"#),
        (.put, "/v1/settings", #"{"firstWeekday":"sunday"}"#),
        (.post, "/v1/periods/close", #"{"through":"2019-12-31"}"#),
        (.post, "/v1/periods/reopen", #"{}"#),
        (.put, "/v1/mappings/\(mapping)", #"{"name":"Bank","contents":"{}","columnCount":3}"#),
        (.delete, "/v1/assertions/\(assertion)", nil), (.delete, "/v1/mappings/\(mapping)", nil),
        (.delete, "/v1/rules/\(rule)", nil), (.put, "/v1/rules", #"{"rules":[]}"#),
        (.delete, "/v1/series/\(series)?withRows=true", nil),
        (.delete, "/v1/budgets/\(budget)", nil), (.delete, "/v1/transactions/\(row)", nil),
        (.post, "/v1/entities/\(row)/restore", nil),
        (.delete, "/v1/categories/\(category)?rows=keep", nil),
        (.post, "/v1/accounts/\(account)/close", nil),
        (.post, "/v1/accounts/\(account)/reopen", nil),
        (.delete, "/v1/accounts/\(account)?rows=delete", nil),
        (.post, "/v1/undo", nil), (.post, "/v1/redo", nil),
        (.post, "/v1/commands", #"[{"createCategory":{"name":"Games","kind":"expense"}}]"#),
      ]
      for (method, path, body) in steps {
        // A dry run of each first: it is accepted, and changes nothing.
        let before = try client.ledger.token
        let dry = try await client.send(
          method, path + (path.contains("?") ? "&" : "?") + "dryRun=true", body)
        #expect(dry.status == 200, "\(method) \(path) dry: \(dry.text)")
        #expect(try dry.json()["dryRun"]?.flag == true)
        #expect(try client.ledger.token == before, "\(method) \(path) dry")
        let told = try await client.send(method, path, body)
        #expect([200, 201].contains(told.status), "\(method) \(path): \(told.text)")
        #expect(told.headers[.ledgerToken] == (try client.ledger.token.text), "\(method) \(path)")
      }
      #expect(try await client.post("/v1/verify", "{}").json()["findings"]?.elements == [])
    }
  }

  /// What two devices opened twice, and named alike, is made one.
  @Test func twoAreMadeOne() async throws {
    try await serving(count: 5) { client in
      let begun = try await client.ledger.append(
        .openAccount(NewAccount(name: "Purse A", currency: .eur)),
        .openAccount(NewAccount(name: "Purse B", currency: .eur)),
        .createCategory(NewCategory(name: "Food A", kind: .expense)),
        .createCategory(NewCategory(name: "Food B", kind: .expense))
      ).outcomes
      let (a, b) = (try #require(begun[0].account), try #require(begun[1].account))
      let (food, meals) = (try #require(begun[2].category), try #require(begun[3].category))
      let day = try #require(Day("2026-02-14"))
      try await client.ledger.append(
        .record(.expense(Money(700, .eur), from: b, category: meals, on: day)))
      let merging = "/v1/accounts/\(b)/merge"
      for body in [#"{"into":"\#(b)"}"#, "{}", #"{"into":"\#(food)"}"#] {
        #expect((400..<500).contains(try await client.post(merging, body).status), "\(body)")
      }
      let dry = try await client.post(merging + "?dryRun=true", #"{"into":"\#(a)"}"#)
      #expect(dry.status == 200, "\(dry.text)")
      #expect(try client.ledger.read { try $0.account(b)?.isDeleted } == false)
      #expect(try await client.post(merging, #"{"into":"\#(a)"}"#).status == 200)
      let path = "/v1/categories/\(meals)/merge"
      #expect(try await client.post(path, #"{"into":"\#(food)"}"#).status == 200)
      let balance = try await client.get("/v1/accounts/\(a)?on=2026-02-14").json()["balance"]
      #expect(balance?["amount"]?.text == "-7.00")
      #expect(try client.ledger.read { try $0.account(b)?.isDeleted } == true)
      #expect(try client.ledger.read { try $0.count(TransactionFilter(category: food)) } == 1)
    }
  }

  @Test func aDryRunTellsWhatTheReportsThenSay() async throws {
    try await serving(count: 50) { client in
      let (account, category) = try client.ledger.read { snapshot in
        (try snapshot.accounts()[0], try snapshot.categories(.expense)[0].id)
      }
      let body =
        #"{"day":"2026-02-14","expense":{"amount":"12.00","currency":"\#(account.currency)","account":"\#(account.id)","category":"\#(category)"}}"#
      func balance() async throws -> String? {
        try await client.get("/v1/accounts/\(account.id)").json()["balance"]?["amount"]?.text
      }
      let before = try await balance()
      let dry = try await client.post("/v1/transactions?dryRun=true", body).json()
      let change = try #require(
        dry["figures"]?.elements.first {
          $0["figure"]?.text == "balance" && $0["subject"]?.text == "\(account.id)"
        })
      #expect(change["before"]?["amount"]?.text == before)
      #expect(try await client.post("/v1/transactions", body).status == 201)
      #expect(change["after"]?["amount"]?.text == (try await balance()))
    }
  }

  @Test func aWriteIsConditionalAndRepeatable() async throws {
    try await serving(count: 20) { client in
      let body = #"{"day":"2026-02-14","income":{"amount":"1.00","currency":"EUR"}}"#
      let tag = try #require(try await client.get("/v1/accounts").tag)
      let key = [(HTTPField.Name.idempotencyKey, "one")]
      let first = try await client.post("/v1/transactions", body, headers: key + [(.ifMatch, tag)])
      #expect(first.status == 201)
      let again = try await client.post("/v1/transactions", body, headers: key + [(.ifMatch, tag)])
      #expect(again.status == 200)
      #expect(try again.json()["outcomes"] == first.json()["outcomes"])
      let other = try await client.post(
        "/v1/transactions", body.replacingOccurrences(of: "1.00", with: "2.00"), headers: key)
      #expect(other.status == 422 && other.code == "keyReused")
      let late = try await client.post("/v1/transactions", body, headers: [(.ifMatch, tag)])
      #expect(late.status == 412 && late.code == "conflict")
      let commits = try late.json()["overtakenBy"]?.elements ?? []
      #expect(commits.count == 1)
      #expect(commits.first?["token"]?.text == first.headers[.ledgerToken])
      let dry = try await client.post(
        "/v1/transactions?dryRun=true", body, headers: [(.ifMatch, tag)])
      #expect(dry.status == 412)
      let undo = try await client.send(.post, "/v1/undo", headers: [(.ifMatch, tag)])
      #expect(undo.status == 412)
      let bad = try await client.post("/v1/transactions", body, headers: [(.ifMatch, "\"x\"")])
      #expect(bad.status == 400)
      // What was undone with a key is not done again by the same.
      let undone = try await client.send(.post, "/v1/undo", headers: [(.idempotencyKey, "u")])
      let repeated = try await client.send(.post, "/v1/undo", headers: [(.idempotencyKey, "u")])
      #expect(undone.status == 200 && repeated.status == 200)
      #expect(try undone.json()["isRepeat"]?.flag == false)
      #expect(try repeated.json()["isRepeat"]?.flag == true)
      #expect(repeated.headers[.ledgerToken] == undone.headers[.ledgerToken])
      let redo = try await client.send(.post, "/v1/redo", headers: key)
      #expect(redo.status == 422 && redo.code == "keyReused", "it was for a transaction")
    }
  }

  @Test func whatIsRefusedSaysWhyAndRecordsNothing() async throws {
    try await serving(count: 20) { client in
      let before = try client.ledger.token
      let nobody = "01890a5d-ac96-774b-bcce-b302099a8057"
      for (method, path, body, status, code) in [
        (HTTPRequest.Method.post, "/v1/accounts", #"{"name":"","currency":"EUR"}"#, 422, "refused"),
        (.post, "/v1/accounts", #"{"name":"x"}"#, 422, "invalidBody"),
        (
          .post, "/v1/accounts",
          #"{"name":"x","currency":"EUR","opening":{"amount":1.5,"currency":"EUR"}}"#, 400,
          "malformed"
        ),
        (.post, "/v1/accounts", #"{"name"#, 400, "malformed"),
        (.post, "/v1/accounts", #"[1]"#, 422, "invalidBody"),
        (.delete, "/v1/transactions/\(nobody)", "", 404, "missing"),
        (.patch, "/v1/accounts/\(nobody)", #"{"name":"x"}"#, 404, "missing"),
        (
          .post, "/v1/transactions",
          #"{"day":"2026-02-31","income":{"amount":"1.00","currency":"EUR"}}"#, 422, "invalidBody"
        ),
        (
          .post, "/v1/transactions",
          #"{"day":"2026-02-01","income":{"amount":"1.001","currency":"EUR"}}"#, 422, "invalidBody"
        ),
        (.post, "/v1/accounts", #"{"name":"x","currency":"EUR","hiden":true}"#, 422, "invalidBody"),
        (
          .post, "/v1/transactions",
          #"{"day":"2026-02-01","income":{"amount":"1.00","currency":"EUR","acount":"x"}}"#, 422,
          "invalidBody"
        ),
        (.post, "/v1/commands", #"{}"#, 422, "invalidBody"),
        (.post, "/v1/redo", "[null]", 422, "invalidBody"),
        (.post, "/v1/redo", "", 409, "nothingToRedo"),
        (.post, "/v1/history/99999/undo", "", 404, "missing"),
      ] {
        let told = try await client.send(method, path, body.isEmpty ? nil : body)
        #expect(told.status == status, "\(path) \(body): \(told.text)")
        #expect(told.code == code, "\(path) \(body): \(told.text)")
      }
      #expect(try client.ledger.token == before)
    }
  }
}
