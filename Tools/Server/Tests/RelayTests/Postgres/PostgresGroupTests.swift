// Goal: pushes that share a transaction are answered as if each had its own; none of them waits for a log of others, or
// is refused for them.
// Method: one group is held up by a lock until all others wait for the next. A trigger notes each entry's transaction.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Testing

@testable import Relay
@testable import RelayPostgres

@Suite(.timeLimit(.minutes(5)), .enabled(if: Cluster.url != nil, Cluster.isMissing))
struct PostgresGroupTests {
  private let token = DeviceToken.hash("a")

  /// A push, and what becomes of it, in a word.
  private struct Case: Sendable {
    var ledger: UInt64
    var entries: [SealedEntry]
    var now: Int64 = 1
    var token: Hash256?
    var expected: String
  }

  @Test func eachIsAnsweredAsIfItWereAlone() async throws {
    let held = try await HeldLogs(0...12)
    let store = held.store
    try await store.setQuota(10, of: held.id(9))
    try await store.addDevice(RelayDevice(ledger: held.id(1), tokenHash: token, name: "phone"))
    try await store.bind(token, to: 1)
    let known = try entry(1)
    _ = try await store.push(PushPage([known]), to: held.id(6), now: 1)

    let three = try (1...3).map { try entry($0, replica: 2, content: [9, UInt8($0)]) }
    let cases: [Case] = [
      Case(ledger: 0, entries: [try entry(1)], expected: "[1]"),
      Case(ledger: 7, entries: [try entry(2)], now: 5, expected: "gap"),
      Case(ledger: 1, entries: [try entry(1)], now: 7, token: token, expected: "[1]"),
      Case(ledger: 8, entries: [try entry(1)], token: token, expected: "not let in"),
      Case(ledger: 2, entries: three, now: 9, expected: "[1, 2, 3]"),
      Case(ledger: 99, entries: three, expected: "noLedger"),
      Case(ledger: 12, entries: [try entry(1)], now: 11, expected: "[1]"),
      Case(ledger: 6, entries: [known], now: 13, expected: "[1] again"),
      Case(ledger: 10, entries: [try entry(1)], expected: "[1]"),
      Case(ledger: 12, entries: [try entry(1, replica: 5)], now: 15, expected: "[2]"),
      Case(ledger: 9, entries: [try entry(1)], expected: "overQuota"),
      Case(ledger: 3, entries: three, now: 17, expected: "[1, 2, 3]"),
    ]
    // The log of 10 is held by another session longer than the others.
    try held.other.script("begin")
    _ = try held.other.run("select 1 from ledger where id = $1 for update", [.uuid(held.id(10))])
    try held.other.script("savepoint before")
    let found = try await outcomes(cases, held, heldLonger: 8)
    #expect(found == cases.map(\.expected))

    // Each log has what was pushed to it, as it was; those that went well share a transaction.
    for one in cases where one.expected.hasPrefix("[") && one.ledger != 6 {
      let page = try await store.pull(
        from: held.id(one.ledger), after: 0, byteCountMax: 1 << 20)
      #expect(
        page.entries.filter { $0.received == one.now }.map(\.entry.bytes)
          == one.entries.map(\.bytes))
    }
    // (What was known before, the first, and the last; of the others one, three, one, one and three.)
    #expect(try held.transactions() == [1, 1, 9, 1])
  }

  @Test func whereOneHoldsAGroupUpTheRestGoesOn() async throws {
    let held = try await HeldLogs(0...3, patience: 5)
    let cases = try (0...3).map {
      Case(ledger: $0, entries: [try entry(1)], expected: "[1]")
    }
    // What the push of 1 has to write another session writes, too, without having the log's row.
    try held.other.script("begin")
    try held.other.script(
      "insert into replica (ledger, replica) values ('\(held.text(1))', 1); savepoint before")
    let found = try await outcomes(cases, held, heldLonger: 1)
    #expect(found == cases.map(\.expected))
    #expect(try held.transactions() == [1, 1, 1, 1], "what is left of a group goes alone")
  }

  @Test func aGroupThatIsCancelledIsPushedOneByOne() async throws {
    let held = try await HeldLogs(0...3)
    let cases = try (0...3).map {
      Case(ledger: $0, entries: [try entry(1)], expected: "[1]")
    }
    try held.other.script("begin")
    let found = try await outcomes(cases, held) { done in
      guard done.isEmpty else { return }
      // Of the first, and then of the other three.
      try await eventually {
        _ = try held.waiting("pg_cancel_backend(pid)", "query like '%push_all%'")
        try require(held.waiting("1", "query not like '%push_all%'") == cases.count)
      }
      try held.other.script("rollback")
    }
    #expect(found == cases.map(\.expected))
    #expect(try held.transactions() == [1, 1, 1, 1])
  }

  @Test func noMoreWaitThanMay() async throws {
    // (More than the calls to other processes, which wait for connections, too.)
    let held = try await HeldLogs(0...9, waitingMax: 8)
    let cases = try (0...8).map {
      Case(ledger: $0, entries: [try entry(1)], expected: "[1]")
    }
    let late = Case(ledger: 9, entries: [try entry(1)], expected: "unavailable")
    try held.other.script("begin")
    let found = try await outcomes(cases, held) { done in
      guard done.isEmpty else { return }
      #expect(try await Self.outcome(late, held.store, held.id(9)) == late.expected)
      try held.other.script("rollback")
    }
    #expect(found == cases.map(\.expected))
    #expect(try await Self.outcome(late, held.store, held.id(9)) == "[1]")
  }

  @Test func whatHasWaitedTooLongIsNotTried() async throws {
    let store = try await Cluster.store()
    try await store.makeLedger(ledger, quota: 1 << 30)
    let page = PushPage([try entry(1)])
    let late = try WaitingPush(page, to: ledger, by: nil, now: 1, since: .now - .seconds(60))
    #expect(await refusal(.unavailable) { _ = try await store.placeTogether(late) })
    #expect(try await readAll(store).end.position == 0)
    #expect(try await store.push(page, to: ledger, now: 1).positions == [1])
  }

  @Test func aLongOneGoesAlone() async throws {
    let held = try await HeldLogs(0...2)
    let long = [UInt8](repeating: 7, count: WaitingPush.sharedByteCountMax)
    try held.other.script("begin")
    let cases = [
      Case(ledger: 0, entries: [try entry(1)], expected: "[1]"),
      Case(ledger: 1, entries: [try entry(1)], expected: "[1]"),
      Case(ledger: 2, entries: [try entry(1, content: long)], expected: "[1]"),
    ]
    let found = try await outcomes(cases, held, together: 1) { done in
      guard done.isEmpty else { return }
      // The first and the long one are at the database, while the second waits for the first.
      try await eventually { try require(held.waiting("1", "true") == 2) }
      #expect(held.store.pushes.waitingCount == 1)
      try held.other.script("rollback")
    }
    #expect(found == cases.map(\.expected))
  }

  /// What becomes of a push, in a word.
  private static func outcome(
    _ one: Case, _ store: PostgresRelayStore, _ id: EntityID
  ) async throws -> String {
    let page = PushPage(one.entries)
    do {
      let answer: PushAnswer? =
        if let token = one.token {
          try await store.push(page, to: id, by: token, now: one.now)
        } else {
          try await store.push(page, to: id, now: one.now)
        }
      guard let answer else { return "not let in" }
      return "\(answer.positions)" + (answer.duplicates == 1 ? " again" : "")
    } catch let refusal as RelayRefusal {
      return refusal.code.rawValue
    }
  }

  /// The same where one of them is held until all others are answered: nobody else waits for what it waits for.
  private func outcomes(
    _ cases: [Case], _ held: HeldLogs, heldLonger one: Int
  ) async throws -> [String] {
    try await outcomes(cases, held) { done in
      if done.isEmpty { try held.other.script("rollback to before") }
      if done.count == cases.count - 1 {
        #expect(!done.contains(one))
        try held.other.script("rollback")
      }
    }
  }

  /// Pushes the first, which is held up by a lock of all logs, and behind it the others, in their order.
  ///
  /// - Parameters:
  ///   - together: How many are to wait for the next group; all others unless told otherwise.
  ///   - step: Called when they wait, and after each that was answered, with the numbers of those that were.
  private func outcomes(
    _ cases: [Case], _ held: HeldLogs, together: Int? = nil,
    _ step: (Set<Int>) async throws -> Void
  ) async throws -> [String] {
    let store = held.store
    try held.other.script("lock table ledger in exclusive mode")
    return try await withThrowingTaskGroup(of: (Int, String).self) { tasks in
      func push(_ number: Int) {
        let id = held.id(cases[number].ledger)
        tasks.addTask { (number, try await Self.outcome(cases[number], store, id)) }
      }
      push(0)
      try await eventually { try require(held.waiting("1", "true") == 1) }
      for number in 1..<cases.count {
        push(number)
        if number > together ?? cases.count { continue }
        try await eventually { try require(store.pushes.waitingCount == number) }
      }
      try await step([])
      var found: [Int: String] = [:]
      while let (number, outcome) = try await tasks.next() {
        found[number] = outcome
        try await step(Set(found.keys))
      }
      return cases.indices.map { found[$0] ?? "" }
    }
  }
}

/// A store with some logs, and a session of somebody else that can hold them.
private struct HeldLogs {
  let store: PostgresRelayStore
  let other: PostgresConnection
  /// Within a transaction the other sees sessions as they were at its first look.
  private let watcher: PostgresConnection

  /// - Parameter patience: After how many seconds a push gives up a lock that others hold: here long enough for a busy
  ///   machine, unless that is what is tested.
  init(
    _ numbers: ClosedRange<UInt64>, waitingMax: Int = 1_024, patience: Int = 60
  ) async throws {
    let url = try await Cluster.emptyURL()
    let pool = PostgresPool(url, size: 6, deadline: 60, waitingMax: waitingMax)
    _ = try await Schema.migrate(pool)
    store = try await PostgresRelayStore.open(pool)
    other = try PostgresConnection(url)
    watcher = try PostgresConnection(url)
    for number in numbers { try await store.makeLedger(id(number), quota: 1 << 30) }
    try other.script(
      """
      alter function push_all set lock_timeout = '\(patience)s';
      alter function push set lock_timeout = '\(patience)s';
      create table noted (transaction xid8);
      create function note() returns trigger language plpgsql as $$
      begin
        insert into noted values (pg_current_xact_id());
        return new;
      end $$;
      create trigger note before insert on entry for each row execute function note();
      """)
  }

  func id(_ number: UInt64) -> EntityID { EntityID(high: 9, low: number) }

  func text(_ number: UInt64) -> String { id(number).description }

  /// Asks something of each session that waits for all logs; how many there are.
  func waiting(_ question: String, _ condition: String) throws -> Int {
    try watcher.run(
      """
      select \(question) from pg_stat_activity where \(condition) and pid in
        (select pid from pg_locks where not granted and relation = 'ledger'::regclass)
      """
    ).count
  }

  /// How many entries each transaction wrote, in their order.
  func transactions() throws -> [Int64] {
    try other.run("select count(*) from noted group by transaction order by transaction")
      .map { try $0.int8(0) }
  }
}
