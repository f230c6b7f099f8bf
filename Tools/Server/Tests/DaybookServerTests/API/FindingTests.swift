// Goal: what merging did can be read and put aside over HTTP. Method: two devices rename one account, each without
// the other; the answers are compared with the library's.
import Daybook
import DaybookFindings
import HTTPTypes
import SharedLedgers
import Testing

@testable import DaybookServer

@Suite struct FindingTests {
  private func disputed() async throws -> SharedLedgers {
    let shared = try await SharedLedgers([
      .openAccount(NewAccount(name: "Cash", currency: .eur)),
      .openAccount(NewAccount(name: "Bank", currency: .eur)),
    ])
    for (ledger, word) in [(shared.phone, "phone"), (shared.laptop, "laptop")] {
      for account in try ledger.read({ try $0.accounts() }) {
        try await ledger.append(
          .amendAccount(account.id, AccountChange(name: "\(account.name) of the \(word)")))
      }
    }
    try await shared.settle()
    return shared
  }

  @Test func theyAreListedPageByPageAndPutAside() async throws {
    let shared = try await disputed()
    let findings = try #require(try await shared.phone.findings())
    #expect(findings.count == 2)
    try await serving(shared.phone) { client in
      let first = try await client.get("/v1/findings?limit=1").json()
      let cursor = try #require(first["next"]?.text)
      let second = try await client.get("/v1/findings?limit=1&cursor=\(cursor)").json()
      let told = [first, second].flatMap { $0["findings"]?.elements ?? [] }
      #expect(Set(told.compactMap { $0["id"]?.text }) == Set(findings.map(\.id)))
      #expect(first["count"]?.number == 2 && first["note"] == nil && second["next"] == nil)
      let value = try #require(told[0]["values"]?.elements.first)
      #expect(value["property"]?.text == "name" && value["lostAt"] != nil)
      #expect(Set([value["lostBy"]?.text, value["heldBy"]?.text]) == ["phone", "laptop"])

      let path = "/v1/findings/\(findings[0].id)/dismiss"
      let rehearsed = try await client.post("\(path)?dryRun=true", "{}")
      #expect(try rehearsed.json()["figures"]?.elements == [], "\(rehearsed.text)")
      #expect(try await client.get("/v1/findings").json()["count"]?.number == 2)
      let old = try shared.phone.token(at: 1).text
      let late = try await client.post(path, "{}", headers: [(.ifMatch, "\"\(old)\"")])
      #expect(late.status == 412)
      let done = try await client.post(path, "{}", headers: [(.idempotencyKey, "k")])
      #expect(done.status == 200, "\(done.text)")
      let again = try await client.post(path, "{}", headers: [(.idempotencyKey, "k")])
      #expect(again.status == 200 && again.headers[.ledgerToken] == done.headers[.ledgerToken])
      #expect(try await client.get("/v1/findings").json()["count"]?.number == 1)
      for query in ["", "?dryRun=true"] {
        let unknown = try await client.post("/v1/findings/0/dismiss\(query)", "{}")
        #expect(unknown.status == 404 && unknown.code == "missing")
      }
    }
    try await shared.settle()
    #expect(try await shared.laptop.findings()?.count == 1)
  }

  @Test func whatIsHeldIsRehearsedAndTaken() async throws {
    let account = AccountID.random()
    let shared = try await SharedLedgers([
      .openAccount(NewAccount(id: account, name: "Cash", currency: .eur))
    ])
    try await shared.phone.append(.closePeriod(through: today))
    try await shared.laptop.append(
      .record(.expense(Money(5_00, .eur), from: account, on: today, payee: "Rewe")))
    try await shared.settle()
    let finding = try #require(try await shared.phone.findings()?.first)
    try await serving(shared.phone) { client in
      let path = "/v1/findings/\(finding.id)/take"
      let closed = try await client.post(path, "{}")
      #expect(closed.status == 422 && closed.code == "refused")
      let body = #"{"day":"2026-03-01"}"#
      let rehearsed = try await client.post("\(path)?dryRun=true", body).json()
      #expect(rehearsed["figures"]?.elements.isEmpty == false, "\(rehearsed.line)")
      #expect(try await client.get("/v1/findings").json()["count"]?.number == 1)
      #expect(try await client.post(path, #"{"on":"2026-03-01"}"#).status == 422)
      #expect(try await client.post(path, body).status == 200)
      #expect(try await client.get("/v1/findings").json()["count"]?.number == 0)
      #expect(try await client.get("/v1/transactions/count").json()["count"]?.number == 1)
      #expect(try await client.post(path, body).status == 404)
    }
  }

  @Test func whereNothingIsSharedTheListSaysSo() async throws {
    try await serving(count: 5) { client in
      let told = try await client.get("/v1/findings").json()
      #expect(told["count"]?.number == 0 && told["findings"]?.elements == [])
      #expect(told["note"]?.text?.contains("not shared") == true)
      // They are of now alone.
      #expect(try await client.get("/v1/findings?asOf=1").status == 400)
    }
  }
}
