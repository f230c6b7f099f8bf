// Goal: a paired device lists the ledger's devices, lets others in and turns them away, and nobody else does.
// Method: the router in memory, with tokens of two ledgers.

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

@Suite struct DeviceRouteTests {
  private let other = EntityID(high: 1, low: 1)

  /// "a" and "b" are tokens of the ledger, "c" is one of another ledger.
  private func with(
    _ options: RelayOptions = RelayOptions(),
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let store = EmbeddedRelayStore.inMemory()
    for id in [ledger, other] { try await store.makeLedger(id, quota: 1 << 30) }
    for (token, id) in [("a", ledger), ("b", ledger), ("c", other)] {
      try await store.addDevice(
        RelayDevice(ledger: id, tokenHash: DeviceToken.hash(token), name: token))
    }
    try await Application(router: RelayServer(store, options: options).router()).test(.router) {
      client in try await body(client)
    }
  }

  private func send(
    _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String,
    _ body: [UInt8] = [], token: String
  ) async throws -> (status: Int, bytes: [UInt8]) {
    let response = try await client.executeRequest(
      uri: path, method: method, headers: [.authorization: "Bearer \(token)"],
      body: ByteBuffer(bytes: body))
    return (response.status.code, Array(response.body.readableBytesView))
  }

  private func devices(_ client: any TestClientProtocol, token: String) async throws
    -> [PairedDevice]
  {
    let answer = try await send(client, .get, "/v1/devices", token: token)
    return try JSONDecoder().decode([PairedDevice].self, from: Data(answer.bytes))
  }

  @Test(arguments: StoreKind.everywhere) func whoIsTurnedAwayPushesNoMore(_ kind: StoreKind)
    async throws
  {
    try await withAnyStore(kind) { store in
      let hash = DeviceToken.hash("secret")
      try await store.addDevice(RelayDevice(ledger: ledger, tokenHash: hash, name: "Phone"))
      try await withClient(RelayServer(store)) { (client) async throws in
        func push(_ number: UInt64, replica: UInt64 = 1) async throws -> HTTPResponse.Status {
          try await client.executeRequest(
            uri: "/v1/push", method: .post, headers: [.authorization: "Bearer secret"],
            body: ByteBuffer(bytes: PushPage([entry(number, replica: replica)]).bytes)
          ).status
        }
        func pull() async throws -> HTTPResponse.Status {
          try await client.executeRequest(
            uri: "/v1/pull?after=0", method: .get, headers: [.authorization: "Bearer secret"],
            body: nil
          ).status
        }
        #expect(try await push(1) == .ok)
        #expect(try await pull() == .ok)
        #expect(try await push(2) == .ok)
        #expect(try await push(1, replica: 2) == .ok)
        #expect(try await push(9) == .conflict)
        _ = try await store.revoke(hash, of: ledger)
        #expect(try await push(3) == .unauthorized)
        #expect(try await push(1, replica: 3) == .unauthorized)
        #expect(try await pull() == .unauthorized)
      }
      #expect(try await readAll(store).end.position == 3)
    }
  }

  @Test func aDeviceLetsAnotherIn() async throws {
    try await with { (client) async throws in
      let body = Array(#"{"name": "Anna’s phone"}"#.utf8)
      let added = try await send(client, .post, "/v1/devices", body, token: "a")
      #expect(added.status == 200)
      let token = try JSONDecoder().decode(NewDeviceAnswer.self, from: Data(added.bytes)).token
      let status = try await send(client, .get, "/v1/status", token: token)
      #expect(
        try JSONDecoder().decode(LogStatus.self, from: Data(status.bytes)).ledger == ledger)
      _ = try await send(client, .post, "/v1/push", PushPage([entry(1)]).bytes, token: token)
      let listed = try await devices(client, token: "b")
      #expect(Set(listed.map(\.name)) == ["a", "b", "Anna’s phone"])
      let found = try #require(listed.first { $0.tokenHash == DeviceToken.hash(token) })
      #expect(found.replicas == [1] && !found.isRevoked)
      #expect(try await devices(client, token: "c").map(\.name) == ["c"])
      for wrong in ["", "{}", #"{"name": ""}"#, #"{"name": 1}"#] {
        let answer = try await send(client, .post, "/v1/devices", Array(wrong.utf8), token: "a")
        #expect(answer.status == 400, "\(wrong)")
      }
      #expect(try await send(client, .post, "/v1/devices", body, token: "x").status == 401)
      #expect(try await send(client, .get, "/v1/devices", token: "x").status == 401)
    }
  }

  @Test func aDeviceIsTurnedAway() async throws {
    try await with { (client) async throws in
      func delete(_ hash: String) async throws -> Int {
        try await send(client, .delete, "/v1/devices/\(hash)", token: "a").status
      }
      let hash = DeviceToken.hash("b").description
      #expect(try await delete(String(hash.prefix(12))) == 400)
      #expect(try await delete(DeviceToken.hash("c").description) == 404)
      #expect(try await delete(DeviceToken.hash("d").description) == 404)
      #expect(try await send(client, .get, "/v1/status", token: "b").status == 200)
      #expect(try await send(client, .get, "/v1/status", token: "c").status == 200)
      #expect(try await delete(hash) == 204)
      #expect(try await send(client, .get, "/v1/status", token: "b").status == 401)
      #expect(try await devices(client, token: "a").filter(\.isRevoked).map(\.name) == ["b"])
    }
  }

  @Test func aTokenCannotPushAsAnothersReplica() async throws {
    try await with { (client) async throws in
      func push(_ number: UInt64, _ replica: UInt64, _ token: String) async throws -> Int {
        let page = PushPage([try entry(number, replica: replica)])
        return try await send(client, .post, "/v1/push", page.bytes, token: token).status
      }
      #expect(try await push(1, 1, "a") == 200)
      #expect(try await push(2, 1, "b") == 403)
      #expect(try await push(1, 77, "a") == 200)
      #expect(try await push(1, 2, "b") == 200)
    }
  }

  @Test func newDevicesAndInvitationsAreLimited() async throws {
    var options = RelayOptions()
    options.newcomersPerHour = 2
    options.now = { 1 }
    try await with(options) { (client) async throws in
      let invitation = try entry(0, kind: .invitation)
      func add() async throws -> Int {
        let body = Array(#"{"name": "n"}"#.utf8)
        return try await send(client, .post, "/v1/devices", body, token: "a").status
      }
      func invite(_ mailbox: String) async throws -> Int {
        let path = "/v1/invitations/\(mailbox)"
        return try await send(client, .put, path, invitation.bytes, token: "a").status
      }
      let mailbox = PairingCode().mailbox
      for wrong in [String(mailbox.dropLast()), "g" + mailbox.dropFirst(), mailbox + "0"] {
        #expect(try await invite(wrong) == 400, "\(wrong)")
      }
      let statuses = [try await add(), try await add(), try await add()]
      #expect(statuses == [200, 200, 429])
      let invited = [
        try await invite(mailbox), try await invite(mailbox), try await invite(mailbox),
      ]
      #expect(invited == [204, 204, 429])
    }
  }
}
