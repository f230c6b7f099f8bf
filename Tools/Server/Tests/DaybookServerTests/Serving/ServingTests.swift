// Goal: what would let others read a ledger is refused before a port is opened; what cannot be written, or is
// gone, is told clearly. Method: options are checked; ledgers that are read-only or closed are asked.
import Daybook
import Foundation
import HTTPTypes
import Testing

@testable import DaybookServer

@Suite struct ServingTests {
  @Test func otherMachinesNeedATokenAndTLSOrAProxy() throws {
    func refusal(_ change: (inout ServerOptions) -> Void) -> String? {
      var options = ServerOptions()
      change(&options)
      do {
        try options.check()
        return nil
      } catch {
        return "\(error)"
      }
    }
    let token = "0123456789abcdef"
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.host = "0.0.0.0" }?.contains("--token-file") == true)
    #expect(refusal { ($0.host, $0.token) = ("0.0.0.0", token) } != nil)
    #expect(
      refusal {
        ($0.host, $0.token, $0.certificate) = ("0.0.0.0", token, ("chain.pem", "key.pem"))
      } == nil)
    #expect(refusal { $0.trustedProxy = "10.0.0.2" }?.contains("--origin") == true)
    #expect(
      refusal {
        ($0.host, $0.trustedProxy, $0.origin) = ("0.0.0.0", "10.0.0.2", "https://books.example.org")
      } == nil)
    #expect(refusal { $0.token = "short" } != nil)
    #expect(refusal { $0.token = "0123456789abcdef;" } != nil)
  }

  @Test func behindAProxyOnlyItsRequestsCount() throws {
    var options = ServerOptions()
    (options.trustedProxy, options.origin) = ("10.0.0.2", "https://books.example.org")
    let access = options.access(port: 8_480)
    let head = HTTPRequest(
      method: .get, scheme: "https", authority: "books.example.org", path: "/v1/accounts")
    #expect(throws: Never.self) { try access.check(head, from: "10.0.0.2") }
    #expect(throws: Problem.self) { try access.check(head, from: "10.0.0.3") }
  }

  @Test func aLedgerThatCannotBeWrittenIsReadAndSaysSo() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString).daybook").path
    let made = try await Ledger.open(at: path)
    try await made.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    try await made.close()
    try Data("daybook backup\n".utf8).write(to: URL(fileURLWithPath: path + "/BACKUP"))
    let ledger = try await Ledger.open(at: path)
    try await serving(ledger) { client in
      #expect(try await client.get("/v1/categories").json()["count"]?.number == 1)
      let told = try await client.post("/v1/categories", #"{"name":"Rent","kind":"expense"}"#)
      #expect(told.status == 403 && told.code == "readOnly")
    }
    try await ledger.close()
    try await serving(ledger) { client in
      let told = try await client.get("/v1/categories")
      #expect(told.status == 503 && told.code == "closed")
    }
    try FileManager.default.removeItem(atPath: path)
  }
}
