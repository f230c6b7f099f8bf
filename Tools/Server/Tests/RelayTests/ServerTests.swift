// Goal: the exchange over HTTP answers, refuses and counts as Docs/Sync.md says.
// Method: the router in memory; a reader checks the chain of what it pulls.

import DaybookEntities
import DaybookSyncWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Relay
@testable import RelayServer

@Suite struct ServerTests {
  private let token = "secret"

  private func with(
    _ options: RelayOptions = RelayOptions(),
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let store = EmbeddedRelayStore.inMemory()
    try await store.makeLedger(ledger, quota: 1 << 30)
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: "Phone"))
    try await Application(router: RelayServer(store, options: options).router()).test(.router) {
      client in try await body(client)
    }
  }

  @Test func entriesComeBackInOrder() async throws {
    try await with { client in
      let page = PushPage([try entry(1), try entry(2)])
      let pushed = try await send(client, .post, "/v1/push", page.bytes)
      #expect(pushed.status == .ok)
      let answer = try JSONDecoder().decode(PushAnswer.self, from: Data(pushed.bytes))
      #expect(answer.positions == [1, 2])
      var chain = LogChain(ledger: ledger)
      let pulled = try await send(client, .get, "/v1/pull?after=0")
      try chain.append(PullPage(bytes: pulled.bytes))
      #expect(chain.end == answer.end)
      let status = try await send(client, .get, "/v1/status")
      #expect(try JSONDecoder().decode(LogStatus.self, from: Data(status.bytes)).end == chain.end)
      let ring = try await send(client, .get, "/v1/ring?after=0")
      #expect(String(decoding: ring.bytes, as: UTF8.self) == #"{"head":2}"#)
      let metrics = try await send(client, .get, "/metrics")
      #expect(
        String(decoding: metrics.bytes, as: UTF8.self).contains(
          "daybook_relay_pushed_entries_total 2\n"))
    }
  }

  @Test func refusalsAreTold() async throws {
    try await with { client in
      func code(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], token: String? = nil
      ) async throws -> RelayRefusal.Code {
        let answer = try await send(client, method, path, body, token: token)
        return try JSONDecoder().decode(RelayRefusal.self, from: Data(answer.bytes)).code
      }
      #expect(try await code(.get, "/v1/status", token: "wrong") == .unauthorized)
      #expect(try await code(.get, "/v1/pull") == .malformed)
      #expect(try await code(.get, "/v1/pull?after=1") == .beyondHead)
      #expect(try await code(.post, "/v1/push", [1, 2, 3]) == .malformed)
      var other = PushPage([try entry(1)]).bytes
      other[0] = 9
      #expect(try await code(.post, "/v1/push", other) == .otherVersion)
      #expect(try await code(.post, "/v1/push", PushPage([entry(2)]).bytes) == .gap)
      let large = [UInt8](repeating: 1, count: WireLimits.pageByteCountMax + 1)
      #expect(try await code(.post, "/v1/push", large) == .tooLarge)
      #expect(try await code(.get, "/v1/nothing") == .notFound)
      #expect(try await code(.get, "/v1/manifest") == .notFound)
    }
  }

  @Test func tooManyRequestsWait() async throws {
    var options = RelayOptions()
    options.requestsPerSecond = 1
    options.now = { 1 }
    try await with(options) { (client) async throws in
      for _ in 0..<10 {
        #expect(try await send(client, .get, "/v1/status").status == .ok)
      }
      #expect(try await send(client, .get, "/v1/status").status == .tooManyRequests)
    }
  }

  @Test func anInvitationIsTakenWithoutAToken() async throws {
    try await with { client in
      let code = PairingCode()
      let invitation = Invitation(
        ledger: ledger, relay: "r", token: "t", position: 0, link: .zero, keys: KeyRing(first: key))
      let sealed = try invitation.seal(for: code, replica: 1, clock: 1)
      let path = "/v1/invitations/\(code.mailbox)"
      #expect(try await send(client, .put, path, sealed.bytes).status == .noContent)
      let taken = try await send(client, .post, path + "/take", token: "")
      #expect(
        try Invitation(opening: SealedEntry(bytes: taken.bytes), with: code) == invitation)
      #expect(try await send(client, .post, path + "/take", token: "").status == .notFound)
    }
  }

  private func send(
    _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String,
    _ body: [UInt8] = [], token: String? = nil
  ) async throws -> (status: HTTPResponse.Status, bytes: [UInt8]) {
    let response = try await client.executeRequest(
      uri: path, method: method, headers: [.authorization: "Bearer \(token ?? self.token)"],
      body: ByteBuffer(bytes: body))
    return (response.status, Array(response.body.readableBytesView))
  }
}
