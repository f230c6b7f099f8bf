// Goal: a relay whose database is away says so to whoever runs it, and nothing of where it is to anybody who asks.
// Method: the routes before a store whose server does not exist.

import DaybookEntities
import DaybookSyncWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import RelayServer
import Testing

@testable import RelayPostgres

@Suite struct UnreachableTests {
  @Test func whereTheDatabaseIsIsToldToNobody() async throws {
    let pool = PostgresPool("host=127.0.0.1 port=1 user=somebody dbname=hidden", size: 2)
    let store = PostgresRelayStore(pool: pool, fence: Fence(pool), calls: LogNotifications(pool))
    try await withClient(RelayServer(store)) { (client) async throws in
      func get(_ path: String) async throws -> (status: Int, text: String) {
        let answer = try await client.executeRequest(
          uri: path, method: .get, headers: [.authorization: "Bearer a"], body: nil)
        return (answer.status.code, String(decoding: answer.body.readableBytesView, as: UTF8.self))
      }
      for path in ["/v1/status", "/v1/pull?after=0", "/health/ready"] {
        let answer = try await get(path)
        #expect(answer.status == 503, "\(path)")
        let refusal = try JSONDecoder().decode(RelayRefusal.self, from: Data(answer.text.utf8))
        #expect(refusal.code == .unavailable && refusal.retryAfter == 1)
        for secret in ["127.0.0.1", "somebody", "hidden", "database"] {
          #expect(!answer.text.contains(secret), "\(answer.text)")
        }
      }
      #expect(try await get("/health/live").status == 200)
      let metrics = try await get("/metrics")
      #expect(metrics.status == 200)
      #expect(metrics.text.contains("daybook_relay_store_answers 0\n"))
      #expect(metrics.text.contains("daybook_relay_refusals_total 3\n"))
    }
  }
}
