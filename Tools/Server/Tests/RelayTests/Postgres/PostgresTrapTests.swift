// Goal: what has brought down others who kept logs in PostgreSQL does not happen here.
// Method: sessions of others that hold rows and snapshots, calls that are counted, a fence of another server, and pgbouncer.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Synchronization
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite(.enabled(if: Cluster.url != nil, Cluster.isMissing))
struct PostgresTrapTests {
  /// A store, and a session of somebody else in the same schema.
  private func storeAndOther() async throws -> (PostgresRelayStore, PostgresConnection) {
    let url = try await Cluster.emptyURL()
    let pool = PostgresPool(url, size: 4)
    _ = try await Schema.migrate(pool)
    let store = try await PostgresRelayStore.open(pool)
    try await store.makeLedger(ledger, quota: 1 << 30)
    return (store, try PostgresConnection(url))
  }

  @Test func whoHoldsALogHoldsNobodyElseUp() async throws {
    let (store, other) = try await storeAndOther()
    let second = EntityID(high: 1, low: 1)
    try await store.makeLedger(second, quota: 1 << 30)
    _ = try await store.push(PushPage([entry(1)]), to: ledger, now: 1)
    try other.script("begin")
    _ = try other.run("select head from ledger where id = $1 for update", [.uuid(ledger)])
    // Readers and other logs go on.
    _ = try await store.push(PushPage([entry(1)]), to: second, now: 1)
    #expect(try await readAll(store).end.position == 1)
    // The log itself is refused, in the time that a lock may take, and nothing of the push is there.
    let late = try entry(2)
    #expect(
      await refusal(.unavailable) {
        _ = try await store.push(PushPage([late]), to: ledger, now: 2)
      })
    try other.script("rollback")
    #expect(try await store.status(of: ledger, now: 0).end.position == 1)
    #expect(try await store.push(PushPage([late]), to: ledger, now: 2).positions == [2])
  }

  @Test func whoIdlesInATransactionHoldsNoReaderUp() async throws {
    let (store, other) = try await storeAndOther()
    // It has a snapshot and a number of its own, as whoever reads by transaction numbers would wait for.
    try other.script("begin isolation level repeatable read; create temporary table held (x int8)")
    _ = try other.run("select count(*) from entry")
    for number in 1...5 as ClosedRange<UInt64> {
      _ = try await store.push(PushPage([entry(number)]), to: ledger, now: 1)
      #expect(try await readAll(store).end.position == number)
    }
    #expect(try await store.waitForEntries(ledger, after: 4, seconds: 30) == 5)
    try other.script("rollback")
  }

  @Test func callsAreFewAndComeAfterTheCommit() async throws {
    let (store, other) = try await storeAndOther()
    try other.script("listen daybook_relay")
    let count = UInt64(200)
    for start in stride(from: 1, through: count, by: 10) {
      _ = try await store.push(
        PushPage((start..<start + 10).map { try entry($0) }), to: ledger, now: 1)
    }
    // As many that grow at the same time are told of at once.
    let ledgers = (0..<500).map { EntityID(high: 9, low: $0) }
    for one in ledgers { store.calls.told(one, head: 1) }
    var told: Set<EntityID> = []
    var calls = 0
    while !told.isSuperset(of: ledgers) || !told.contains(ledger) {
      for call in try other.notifications() {
        calls += 1
        told.formUnion(call.split(separator: ",").compactMap { EntityID(String($0)) })
        // What is told is there: the log can be asked at once.
        #expect(try other.run("select 1 from entry where ledger = $1", [.uuid(ledger)]).count > 0)
      }
      _ = try other.run("select 1")
    }
    #expect(calls < 40)
  }

  @Test func theFenceOfAnotherServerSaysNothing() async throws {
    let (store, other) = try await storeAndOther()
    let reign = try other.run("select reign()")[0].int8(0)
    try await store.fence.pass(reign)
    await #expect(throws: PostgresFault.moved) { try await store.fence.pass(reign - 1) }
    #expect(await refusal(.unavailable) { try await store.pass(reign + 1) })
  }

  @Test func connectionsThatEndedMeanwhileFailNobody() async throws {
    let (store, other) = try await storeAndOther()
    let pids = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await store.pool.run {
            try $0.run("select pg_backend_pid()::int8 from pg_sleep(0.02)")[0].int8(0)
          }
        }
      }
      return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
    }
    #expect(pids.count == 4)
    for pid in pids {
      _ = try other.run("select pg_terminate_backend($1::int8::int, 5000)", [.int8(pid)])
    }
    for _ in 0..<20 { _ = try await store.status(of: ledger, now: 0) }
  }

  @Test func serversAreTriedInAnotherOrder() {
    let list = ServerList("postgresql://relay@a:1,b:2,c/relay?target_session_attrs=read-write")
    #expect(list.servers.map(\.host) == ["a", "b", "c"])
    #expect(list.servers.map(\.port).prefix(2) == ["1", "2"])
    let other = ServerList("host=a,b port=7").avoiding(ServerList.Server(host: "a", port: "7"))
    #expect(other.parameters.map(\.1) == ["b,a", "7,7"])
    #expect(ServerList("dbname=relay").parameters.isEmpty)
  }

  @Test(.enabled(if: Cluster.pooler != nil, "It needs pgbouncer."))
  func throughAPoolerNothingOfASessionIsLeft() async throws {
    let database = "d\(UInt64.random(in: 0...UInt64.max))"
    let direct = try #require(Cluster.url)
    try await PostgresPool(direct, size: 1).run { try $0.script("create database \(database)") }
    let pooled = try #require(Cluster.pooler) + " dbname=\(database)"
    let pool = PostgresPool(pooled, size: 8)
    _ = try await Schema.migrate(pool)
    let store = try await PostgresRelayStore.open(pool)
    #expect(try await pool.run { $0.isPooled })
    #expect(try await !PostgresPool(direct, size: 1).run { $0.isPooled })
    try await store.makeLedger(ledger, quota: 1 << 30)
    async let rung = store.waitForEntries(ledger, after: 0, seconds: 30)
    // More sessions than the pooler has: each transaction may meet another.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for replica in 1...8 as ClosedRange<UInt64> {
        group.addTask {
          for number in 1...10 as ClosedRange<UInt64> {
            _ = try await store.push(
              PushPage([entry(number, replica: replica)]), to: ledger, now: 1)
            _ = try await store.pull(from: ledger, after: 0, byteCountMax: 1 << 20)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await rung > 0)
    #expect(try await readAll(store).end.position == 80)
    #expect(try await store.verify(ledger).faults == [])
    let left = try await pool.run {
      try $0.run(
        "select (select count(*) from pg_prepared_statements) + (select count(*) from pg_listening_channels())"
      )[0].int8(0)
    }
    #expect(left == 0)
  }
}
