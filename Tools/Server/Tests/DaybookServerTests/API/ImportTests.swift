// Goal: a file is sent, looked at and recorded, once, and an export goes out as it came in. Method: a table, a
// bank's file and a whole ledger are sent; the ledger is asked what it holds.
import Daybook
import Foundation
import HTTPTypes
import Testing

@testable import DaybookServer

@Suite struct ImportTests {
  private let table = """
    Date,Amount,Currency,Payee
    2026-01-02,-12.50,EUR,Rewe
    2026-01-03,-3.20,EUR,Bakery
    2026-01-05,1000.00,EUR,Employer

    """

  @Test func aTableIsPreviewedRecordedAndKnownAgain() async throws {
    let ledger = try await Ledger.inMemory()
    try await serving(ledger) { client in
      let name = try await client.post("/v1/accounts", #"{"name":"Checking","currency":"EUR"}"#)
      #expect(name.status == 201)
      let sent = try await client.post("/v1/imports?name=bank.csv", table)
      #expect(sent.status == 201, "\(sent.text)")
      let id = try #require(try sent.json()["upload"]?.text)
      #expect(sent.headers[.location] == "/v1/imports/\(id)")
      let choices = #"{"account":"Checking"}"#
      let preview = try await client.post("/v1/imports/\(id)/preview", choices)
      #expect(preview.status == 200, "\(preview.text)")
      #expect(try preview.json()["counts"]?["new"]?.number == 3)
      let before = try client.ledger.token
      let dry = try await client.post("/v1/imports/\(id)/commit?dryRun=true", choices)
      #expect(dry.status == 200, "\(dry.text)")
      #expect(try dry.json()["imported"]?.number == 3)
      #expect(try client.ledger.token == before)
      // Figure by figure, what the ledger answers before and after.
      let asked = FigureReader(ledger: client.ledger)
      let told = try asked.told(dry)
      #expect(told.contains { $0.figure == .balance } && told.contains { $0.figure == .netWorth })
      #expect(told.contains { $0.figure == .income } && told.contains { $0.figure == .expense })
      let now = try told.map { try asked.value(of: $0) }
      #expect(now == told.map(\.before))
      let stale = try await client.post(
        "/v1/imports/\(id)/commit", choices, headers: [(.ifMatch, "\"\(before.text)\"")])
      #expect(stale.status == 200, "it is the newest: \(stale.text)")
      #expect(try stale.json()["transactions"]?.elements.count == 3)
      let then = try told.map { try asked.value(of: $0) }
      #expect(then == told.map(\.after))
      let late = try await client.post(
        "/v1/imports/\(id)/commit", choices, headers: [(.ifMatch, "\"\(before.text)\"")])
      #expect(late.status == 412)
      let again = try await client.post("/v1/imports/\(id)/commit", choices)
      #expect(try again.json()["imported"]?.number == 0)
      #expect(try again.json()["duplicates"]?.number == 3)
      let count = try await client.get("/v1/transactions/count").json()
      #expect(count["count"]?.number == 3)
      #expect(try await client.send(.delete, "/v1/imports/\(id)").status == 204)
      #expect(try await client.get("/v1/imports/\(id)").status == 404)
    }
    try await ledger.close()
  }

  @Test func whatCannotBeReadIsToldByLine() async throws {
    try await serving(count: 5) { client in
      let sent = try await client.post(
        "/v1/imports", table.replacingOccurrences(of: "-3.20", with: "much"))
      let id = try #require(try sent.json()["upload"]?.text)
      let mapping =
        #"{"mapping":{"date":{"column":"Date"},"amount":{"column":"Amount"},"currency":"{Currency}","account":"Checking"}}"#
      let told = try await client.post("/v1/imports/\(id)/commit", mapping)
      #expect(told.status == 422, "\(told.text)")
      #expect(try told.json()["badLines"]?.elements.count == 1, "\(told.text)")
      let misspelt = try await client.post("/v1/imports/\(id)/preview", #"{"acount":"Checking"}"#)
      #expect(misspelt.status == 422 && misspelt.code == "invalidBody")
      #expect(try await client.send(.post, "/v1/imports").status == 422)
    }
  }

  @Test func aLedgerComesBackFromItsExport() async throws {
    try await serving(count: 60) { client in
      let export = try await client.get("/v1/export?format=jsonl")
      #expect(export.headers[.contentDisposition]?.contains("attachment") == true)
      let other = try await Ledger.inMemory()
      try await serving(other) { copy in
        let sent = try await copy.post("/v1/imports?name=all.jsonl", export.text)
        let id = try #require(try sent.json()["upload"]?.text)
        let dry = try await copy.post("/v1/imports/\(id)/commit?dryRun=true", "{}")
        #expect(dry.status == 200, "\(dry.text)")
        let asked = FigureReader(ledger: other)
        let told = try asked.told(dry)
        #expect(told.contains { $0.figure == .balance })
        #expect(try other.token.sequence == 0)
        let done = try await copy.post("/v1/imports/\(id)/commit", "{}")
        #expect(done.status == 200, "\(done.text)")
        let then = try told.map { try asked.value(of: $0) }
        #expect(then == told.map(\.after))
        #expect(try await copy.get("/v1/export?format=jsonl").text == export.text)
      }
      try await other.close()
    }
  }
}
