// Goal: other sites, other names, other people and odd requests get a clear refusal, and nothing of the machine.
// Method: each is sent; the answer and the ledger are looked at.
import Daybook
import Foundation
import HTTPTypes
import Pages
import Testing

@testable import DaybookServer

@Suite struct HostileTests {
  @Test func otherSitesAreRefused() async throws {
    try await serving(count: 10) { client in
      let before = try client.ledger.token
      let body = #"{"name":"Evil","kind":"expense"}"#
      for headers in [
        [(HTTPField.Name.origin, "https://evil.example")], [(.origin, "null")],
        [(.secFetchSite, "cross-site")], [(.secFetchSite, "same-site")],
        [(.origin, "http://localhost.evil.example")],
      ] {
        let told = try await client.post("/v1/categories", body, headers: headers)
        #expect(told.status == 403 && told.code == "crossSite", "\(headers)")
        #expect(try await client.get("/v1/accounts", headers: headers).status == 403)
      }
      // A form of another site is no JSON, whatever it is called.
      let form = try await client.post(
        "/v1/categories", body, headers: [(.contentType, "text/plain")])
      #expect(form.status == 415)
      #expect(try await client.send(.post, "/", "a=b").status == 403)
      #expect(try client.ledger.token == before)
      let own = try await client.get("/v1/accounts", headers: [(.origin, "http://localhost")])
      #expect(own.status == 200)
    }
  }

  @Test func otherNamesAreRefused() throws {
    var options = ServerOptions()
    options.port = 8_480
    let access = options.access(port: 8_480)
    for host in [
      "evil.example", "evil.example:8480", "127.0.0.1", "127.0.0.1:80", "", "localhost:84800",
    ] {
      let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/v1/accounts")
      #expect(throws: Problem.self, "\(host)") { try access.check(head, from: "127.0.0.1") }
    }
    for host in ["127.0.0.1:8480", "LOCALHOST:8480", "[::1]:8480"] {
      let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
      #expect(throws: Never.self) { try access.check(head, from: "127.0.0.1") }
    }
  }

  @Test func oddPathsLeadNowhere() async throws {
    try await serving(count: 10) { client in
      for path in [
        "/v1/../../etc/passwd", "/v1/%2e%2e/%2e%2e/etc/passwd", "/v1/accounts/..%2f..%2fetc",
        "/..%5c..%5cetc", "/v1/accounts/%00", "/v1/accounts/%ff", "/v1/accounts/%zz",
        "/v1/accounts?limit=%ff", "/" + String(repeating: "a", count: 3_000),
      ] {
        let told = try await client.get(path)
        #expect([400, 404].contains(told.status), "\(path): \(told.status)")
        #expect(!told.text.contains("root:"), "\(path)")
      }
    }
  }

  @Test func nothingOfTheMachineIsTold() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-\(UUID().uuidString)/Secret.daybook").path
    try FileManager.default.createDirectory(
      atPath: String(path.dropLast("/Secret.daybook".count)), withIntermediateDirectories: true)
    let ledger = try await Ledger.open(at: path)
    try await serving(ledger) { client in
      let info = try await client.get("/v1/info")
      #expect(try info.json()["path"]?.text == "Secret.daybook")
      #expect(!info.text.contains(FileManager.default.temporaryDirectory.path))
      let problem = Problem(
        DaybookError(
          code: .damaged, message: "“\(path)/journal” is damaged.", remedy: "See \(path)."),
        hiding: path)
      #expect(
        !problem.json.line.contains("/Secret") && problem.json.line.contains("Secret.daybook"))
      let upload = try await client.post(
        "/v1/imports?name=..%2F..%2Fetc%2Fpasswd",
        "include /etc/passwd\n2026-01-01 x\n  A  1 EUR\n  B\n")
      #expect(try upload.json()["name"]?.text == "passwd")
      let id = try #require(try upload.json()["upload"]?.text)
      let preview = try await client.post("/v1/imports/\(id)/preview", #"{"format":"hledger"}"#)
      #expect(!preview.text.contains("root:"))
    }
    try await ledger.close()
    try FileManager.default.removeItem(atPath: String(path.dropLast("/Secret.daybook".count)))
  }

  @Test func largeAndDeepBodiesAreRefused() async throws {
    try await serving(count: 10) { client in
      let large = #"{"name":""# + String(repeating: "x", count: Endpoint.jsonByteCountMax) + #""}"#
      #expect(try await client.post("/v1/accounts", large).status == 413)
      let deep = String(repeating: "[", count: 100_000)
      #expect(try await client.post("/v1/commands", deep).status == 400)
      #expect(try await client.send(.get, "/v1/accounts", "{}").status == 413)
      let key = String(repeating: "k", count: 300)
      let told = try await client.post(
        "/v1/categories", #"{"name":"x","kind":"expense"}"#, headers: [(.idempotencyKey, key)])
      #expect(told.status == 400)
    }
  }

  @Test func whatEveryWriteMayBeAskedIsLookedAtFirst() async throws {
    try await serving(count: 10) { client in
      let before = try client.ledger.token
      let long = [(HTTPField.Name.idempotencyKey, String(repeating: "k", count: 300))]
      for endpoint in API.endpoints where endpoint.method != .get {
        let path = "/v1" + endpoint.path.replacing(/{[a-z]+}/, with: "1")
        if endpoint.query.contains("today") {
          let told = try await client.send(endpoint.method, path + "?today=", "{}")
          #expect(told.status == 400 && told.code == "invalidQuery", "\(path): \(told.text)")
        }
        guard endpoint.query.contains("dryRun") else { continue }
        let dry = try await client.send(endpoint.method, path + "?dryRun=perhaps", "{}")
        #expect(dry.status == 400 && dry.code == "invalidQuery", "\(path): \(dry.text)")
        let keyed = try await client.send(endpoint.method, path, "{}", headers: long)
        #expect(keyed.status == 400 && keyed.code == "invalidHeader", "\(path): \(keyed.text)")
      }
      #expect(try client.ledger.token == before)
    }
  }

  @Test func theTokenIsNeededWhereThereIsOne() async throws {
    let token = "0123456789abcdef0123456789abcdef"
    try await serving(count: 10, token: token) { client in
      let none = try await client.get("/v1/accounts")
      #expect(none.status == 401 && none.headers[.wwwAuthenticate] != nil)
      let wrong = try await client.get(
        "/v1/accounts", headers: [(.authorization, "Bearer 0123456789abcdef0123456789abcdeF")])
      #expect(wrong.status == 401)
      let right = try await client.get(
        "/v1/accounts", headers: [(.authorization, "Bearer \(token)")])
      #expect(right.status == 200)
      let signed = try await client.get("/?token=\(token)")
      #expect(signed.status == 303)
      let cookie = try #require(signed.headers[.setCookie])
      #expect(cookie.contains("SameSite=Strict") && cookie.contains("HttpOnly"))
      let page = try await client.get("/", headers: [(.cookie, "a=b; daybook=\(token)")])
      #expect(page.status == 200)
      #expect(try await client.get("/?token=wrong").status == 401)
      var last = 0
      // On a slow machine some of the budget comes back between two requests.
      for _ in 0..<400 where last != 429 { last = try await client.get("/v1/accounts").status }
      #expect(last == 429, "guessing is slow")
    }
  }

  @Test func requestsThatComeTooOftenWait() async throws {
    let limit = RateLimit(perSecond: 10, burst: 3)
    let now = ContinuousClock.now
    #expect((0..<5).map { _ in limit.take(at: now) } == [true, true, true, false, false])
    #expect(limit.take(at: now + .milliseconds(150)))
    #expect(!limit.take(at: now + .milliseconds(160)))
  }
}
