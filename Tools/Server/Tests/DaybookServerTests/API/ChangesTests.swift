// Goal: every commit comes as an event, after the one that was seen last; a token that leads nowhere is told of
// at once. Method: the stream is read into memory until it has what was recorded.
import Daybook
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import DaybookServer

@Suite struct ChangesTests {
  /// Takes what a stream writes.
  private final class Taken: Sendable {
    private let content = Mutex("")
    var text: String { content.withLock { $0 } }
    func add(_ text: String) { content.withLock { $0 += text } }
  }

  private struct Writer: ResponseBodyWriter {
    let taken: Taken
    mutating func write(_ buffer: ByteBuffer) async throws { taken.add(String(buffer: buffer)) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  private func call(_ service: LedgerService, after token: Token?) throws -> Call {
    var head = HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/v1/changes")
    if let token { head.headerFields[.lastEventID] = token.text }
    return Call(service: service, head: head, parameters: [:], query: try Query(nil), body: [])
  }

  private func follow(
    _ service: LedgerService, after token: Token?, until isEnough: (String) -> Bool
  ) async throws -> String {
    let answer = try await ChangesAPI.endpoints[0].handle(call(service, after: token))
    guard case .other(let body, type: "text/event-stream") = answer.content else {
      Issue.record("no stream")
      return ""
    }
    let taken = Taken()
    let task = Task { try await body.write(Writer(taken: taken)) }
    for _ in 0..<500 where !isEnough(taken.text) { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    _ = await task.result
    return taken.text
  }

  @Test func commitsComeInOrderFromWhereOneLeftOff() async throws {
    let ledger = try await Ledger.inMemory()
    let service = LedgerService(ledger) { today }
    let start = try ledger.token
    var tokens: [String] = []
    for name in ["A", "B", "C"] {
      let receipt = try await ledger.append(
        .createCategory(NewCategory(name: name, kind: .expense)))
      tokens.append(receipt.token.text)
    }
    let all = try await follow(service, after: start) { $0.contains("id: \(tokens[2])") }
    let ids = all.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { $0.dropFirst(4) }
    #expect(ids.map(String.init) == tokens)
    let second = try #require(Token(tokens[1]))
    let rest = try await follow(service, after: second) { $0.contains("id: \(tokens[2])") }
    #expect(!rest.contains("id: \(tokens[1])") && rest.contains("id: \(tokens[2])"))
    #expect(service.streams.withLock { $0 } == 0, "places are given back")
    try await ledger.close()
  }

  @Test func aTokenThatLeadsNowhereIsToldOf() async throws {
    let ledger = try await Ledger.inMemory()
    let other = try await Ledger.inMemory()
    try await serving(ledger) { client in
      let foreign = try other.token.text
      let told = try await client.get("/v1/changes", headers: [(.lastEventID, foreign)])
      #expect(told.status == 400 && told.code == "invalidToken", "\(told.text)")
      #expect(try await client.get("/v1/changes?after=x").status == 400)
    }
    try await ledger.close()
    try await other.close()
  }

  @Test func aTokenBeforeWhatIsKeptIsGone() async throws {
    let ledger = try await Ledger.inMemory()
    let old = try ledger.token(at: 0)
    for name in ["A", "B", "C"] {
      try await ledger.append(.createCategory(NewCategory(name: name, kind: .expense)))
    }
    var options = PurgeOptions()
    options.policy = .count(1)
    try await ledger.purge(options)
    try await serving(ledger) { client in
      let told = try await client.get("/v1/changes", headers: [(.lastEventID, old.text)])
      #expect(told.status == 410 && told.code == "expiredToken", "\(told.text)")
      #expect(try told.json()["remedy"]?.text?.contains("without asOf") == true)
    }
    try await ledger.close()
  }
}
