// Goal: what a relay refused, and what took long, is one line in its log, without anything that nobody may see.
// Method: requests to a server's routes, whose logger writes into a list.

import DaybookSyncWire
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import Relay
@testable import RelayServer

@Suite struct LogTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  /// The lines that requests to a server leave, without the time.
  private func lines(
    slowSeconds: Double = 60,
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws -> [String] {
    let lines = Lines()
    let logger = Logger(label: "relay") { label in
      LogfmtHandler(label: label) { lines.add($0) }
    }
    let store = EmbeddedRelayStore.inMemory()
    try await store.makeLedger(ledger, quota: 1 << 20)
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash("a-token"), name: "Phone"))
    var options = RelayOptions()
    options.slowSeconds = slowSeconds
    let router = RelayServer(store, options: options).router()
    try await Application(router: router, logger: logger).test(.router) { try await body($0) }
    return lines.all.map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  @Test func whatIsRefusedIsALine() async throws {
    let mailbox = String(repeating: "b", count: 32)
    let lines = try await lines { client in
      try await client.execute(uri: "/health/live", method: .get) { _ in }
      try await client.execute(uri: "/v1/status", method: .get) { _ in }
      try await client.execute(uri: "/v1/invitations/\(mailbox)/take", method: .post) { _ in }
      try await client.execute(
        uri: "/v1/pull?after=x", method: .get, headers: [.authorization: "Bearer a-token"]
      ) { _ in }
    }
    try #require(lines.count == 3, "\(lines)")
    let start = "level=notice logger=relay message=refused code="
    #expect(lines[0].hasPrefix(start + "unauthorized "), "\(lines[0])")
    #expect(lines[0].hasSuffix(" route=/v1/status status=401\n"), "\(lines[0])")
    #expect(lines[1].contains(" route=/v1/invitations/{mailbox}/take status=404\n"), "\(lines[1])")
    #expect(lines[2].hasPrefix(start + "malformed "), "\(lines[2])")
    #expect(!lines.contains { $0.contains(mailbox) || $0.contains("a-token") })
  }

  @Test func whatTakesLongIsALine() async throws {
    let lines = try await lines(slowSeconds: 0) { client in
      try await client.execute(uri: "/health/live", method: .get) { _ in }
    }
    #expect(lines.count == 1 && lines[0].contains(" message=slow "), "\(lines)")
  }

  @Test(arguments: [
    ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
    ("\"\\\n\u{1b}[31m", "\"\\\"\\\\\\n\\u{1b}[31m\""),
  ]) func aLineStaysALine(_ value: String, _ written: String) {
    let lines = Lines()
    var logger = Logger(label: "relay") { label in LogfmtHandler(label: label) { lines.add($0) } }
    logger[metadataKey: "value"] = "\(value)"
    logger.error("x")
    let rest = " level=error logger=relay message=x value=\(written)\n"
    #expect(lines.all.count == 1 && lines.all[0].hasSuffix(rest))
    #expect(
      lines.all[0].dropLast(rest.count).wholeMatch(
        of: /time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(lines.all)")
  }
}
