// Goal: pushes that share a transaction are answered as if each had its own; none of them waits for a log of others, or
// is refused for them.
// Method: one group is held up by a lock until all others wait for the next. A trigger notes each entry's transaction.

import Entities
import Foundation
import SyncWire
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite(.enabled(if: Cluster.url != nil, Cluster.isMissing))
struct PostgresGroupTests {
  private static let noting = """
    create table noted (ledger uuid, transaction xid8);
    create function note() returns trigger language plpgsql as $$
    begin
      insert into noted values (new.ledger, pg_current_xact_id());
      return new;
    end $$;
    create trigger note before insert on entry for each row execute function note();
    """

  private static func id(_ number: UInt64) -> EntityID { EntityID(high: 9, low: number) }

  /// What each push comes to where all others go well, with the number of its ledger.
  private static let expected: [UInt64: String] = [
    0: "[1]", 1: "[1]", 2: "[1]", 3: "[1]", 4: "[1]", 5: "[1]", 6: "[1] again", 7: "gap",
    8: "not let in", 9: "overQuota", 10: "[1]", 99: "noLedger",
  ]

  /// What becomes of a push into a ledger, in a word.
  ///
  /// Into the seventh a second entry is pushed, and no first one.
  private static func outcome(
    _ number: UInt64, _ store: PostgresRelayStore, _ first: SealedEntry, _ second: SealedEntry
  ) async throws -> String {
    let page = PushPage([number == 7 ? second : first])
    do {
      let answer: PushAnswer? =
        switch number {
        case 1: try await store.push(page, to: id(1), by: DeviceToken.hash("a"), now: 1)
        case 8: try await store.push(page, to: id(8), by: DeviceToken.hash("a"), now: 1)
        default: try await store.push(page, to: id(number), now: 1)
        }
      guard let answer else { return "not let in" }
      return "\(answer.positions)" + (answer.duplicates == 1 ? " again" : "")
    } catch let refusal as RelayRefusal {
      return refusal.code.rawValue
    }
  }

  /// Waits until somebody waits for the table that a session has locked.
  private static func isHeldUp(_ other: PostgresConnection) async throws {
    try await eventually {
      let waiting = try other.run(
        "select 1 from pg_locks where not granted and relation = 'ledger'::regclass")
      try require(waiting.count == 1)
    }
  }

  @Test func eachIsAnsweredAsIfItWereAlone() async throws {
    let url = try await Cluster.emptyURL()
    let pool = PostgresPool(url, size: 4)
    _ = try await Schema.migrate(pool)
    let store = try await PostgresRelayStore.open(pool)
    for number in 0...10 as ClosedRange<UInt64> {
      try await store.makeLedger(Self.id(number), quota: number == 9 ? 10 : 1 << 30)
    }
    let token = DeviceToken.hash("a")
    try await store.addDevice(RelayDevice(ledger: Self.id(1), tokenHash: token, name: "phone"))
    try await store.bind(token, to: 1)
    let (first, second) = (try entry(1), try entry(2))
    _ = try await store.push(PushPage([first]), to: Self.id(6), now: 1)
    let other = try PostgresConnection(url)
    try other.script(Self.noting)

    // The log of 10 is held, and all logs until the others wait.
    try other.script("begin")
    _ = try other.run("select head from ledger where id = $1 for update", [.uuid(Self.id(10))])
    try other.script("savepoint before; lock table ledger in exclusive mode")
    let found = try await withThrowingTaskGroup(of: (UInt64, String).self) { tasks in
      func push(_ number: UInt64) {
        tasks.addTask { (number, try await Self.outcome(number, store, first, second)) }
      }
      push(0)
      try await Self.isHeldUp(other)
      for number in Self.expected.keys where number != 0 { push(number) }
      while store.pushes.waitingCount < Self.expected.count - 1 { await Task.yield() }
      try other.script("rollback to before")
      var found: [UInt64: String] = [:]
      while found.count < Self.expected.count, let (number, outcome) = try await tasks.next() {
        found[number] = outcome
        // Nobody but who pushes to it has waited for the log that is held.
        if found.count == Self.expected.count - 1 {
          #expect(found[10] == nil)
          try other.script("rollback")
        }
      }
      return found
    }
    #expect(found == Self.expected)

    // Those that went well share a transaction; the first had one of its own, and who waited had.
    let transactions = try other.run(
      "select count(*) from noted group by transaction order by min(ledger::text)")
    #expect(try transactions.map { try $0.int8(0) } == [1, 5, 1])
    for number in [0, 1, 2, 6, 10] as [UInt64] {
      #expect(try await store.verify(Self.id(number)).faults == [])
    }
  }

  @Test func noMoreWaitThanMay() async throws {
    let url = try await Cluster.emptyURL()
    let pool = PostgresPool(url, size: 2, waitingMax: 3)
    _ = try await Schema.migrate(pool)
    let store = try await PostgresRelayStore.open(pool)
    for number in 0...4 as ClosedRange<UInt64> {
      try await store.makeLedger(Self.id(number), quota: 1 << 30)
    }
    let first = try entry(1)
    let other = try PostgresConnection(url)
    try other.script("begin; lock table ledger in exclusive mode")
    let found = try await withThrowingTaskGroup(of: String.self) { tasks in
      func push(_ number: UInt64) {
        tasks.addTask { try await Self.outcome(number, store, first, first) }
      }
      push(0)
      try await Self.isHeldUp(other)
      for number in 1...3 as ClosedRange<UInt64> { push(number) }
      while store.pushes.waitingCount < 3 { await Task.yield() }
      #expect(try await Self.outcome(4, store, first, first) == "unavailable")
      try other.script("rollback")
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(found.filter { $0 == "[1]" }.count == 3, "1 is pushed with the token of no device")
    #expect(try await Self.outcome(4, store, first, first) == "[1]")
  }

  @Test func aLongOneGoesAlone() async throws {
    let store = try await Cluster.store()
    try await store.makeLedger(ledger, quota: 1 << 30)
    let long = [UInt8](repeating: 7, count: WaitingPush.sharedByteCountMax)
    let push = try WaitingPush(
      PushPage([entry(1, content: long)]), to: ledger, by: nil, now: 1)
    #expect(!push.isShared)
    #expect(
      try await store.push(PushPage(push.entries), to: ledger, now: 1).positions == [1])
    #expect(try await readAll(store).end.position == 1)
  }
}
