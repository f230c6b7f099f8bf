/// Goal: purging forgets how things came to be and nothing that is needed; it never passes a consumer
/// that has to see every commit; consumers see each commit once. Method: each promise is tried through
/// the public API; the oracle purges in random sequences.
import Daybook
import Foundation
import Testing

@Suite struct RetentionTests {
  /// A ledger with a history of many small commits and one that is larger than a slice.
  private func aged() async throws -> (House, AccountID) {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    var rows: [TransactionID] = []
    for step in 0..<40 {
      rows.append(try await house.expense(money("1"), from: a, description: "row \(step)"))
    }
    try await house.ledger.append(
      (0..<2_500).map { .record(.income(money("0.01"), into: a, on: today.adding(days: -$0 % 90))) }
    )
    for row in rows.prefix(10) { try await house.append(.delete(row)) }
    for row in rows.suffix(10) {
      try await house.append(.amend(row, Amendment(amount: money("2"))))
    }
    return (house, a)
  }

  private func purge(_ house: House, _ policy: RetentionPolicy) async throws -> PurgeReport {
    var options = PurgeOptions()
    options.policy = policy
    return try await house.ledger.purge(options)
  }

  @Test func everyAnswerStays() async throws {
    let (house, a) = try await aged()
    let before = try house.balance(a)
    let newest = try house.ledger.token
    let report = try await purge(house, .count(5))
    #expect(report.floor == newest.sequence - 5)
    #expect(report.byteCount > 100_000)
    #expect(try house.balance(a) == before)
    // The purge itself is the newest commit.
    #expect(try house.ledger.token.sequence == newest.sequence + 1)
    #expect(try await house.ledger.verify().findings == [])
    var cursor = try house.ledger.history().cursor()
    #expect(try cursor.next()?.sequence == report.floor + 1)
    let expired = #expect(throws: DaybookError.self) {
      try house.ledger.token(at: report.floor - 1)
    }
    #expect(expired?.code == .expiredToken)
    try await house.ends { snapshot throws in
      #expect(try snapshot.balance(of: a, on: today) == before)
    }
  }

  @Test func purgingAgainGoesOn() async throws {
    let (house, a) = try await aged()
    let before = try house.balance(a)
    for keep in [40, 20, 3, 0, 0] {
      let report = try await purge(house, .count(keep))
      #expect(report.floor >= report.floorBefore)
      #expect(try await house.ledger.verify().findings == [])
    }
    #expect(try house.balance(a) == before)
    // What the oldest of it came to can still be changed and taken back.
    let row = try #require(try house.ledger.read { try $0.transactions(limit: 1).first })
    try await house.append(.amend(row.id, Amendment(note: "seen")))
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    #expect(try house.ledger.read { try $0.transaction(row.id) } == row)
    try await house.end()
  }

  @Test func aRehearsalChangesNothing() async throws {
    let (house, _) = try await aged()
    let newest = try house.ledger.token
    try await house.ledger.register(consumer: "backup", after: house.ledger.token(at: 7))
    var options = PurgeOptions()
    options.policy = .count(0)
    options.isDryRun = true
    let report = try await house.ledger.purge(options)
    #expect(report.floor == 7)
    #expect(report.policyFloor == newest.sequence)
    #expect(report.holders.map(\.name) == ["backup"])
    #expect(try house.ledger.token == newest)
    #expect(try house.ledger.token(at: 1).sequence == 1)
    try await house.end()
  }

  @Test func purgingWaitsForWhomItHasTo() async throws {
    let (house, _) = try await aged()
    let clock = Clock()
    try await house.reopen { $0.clock = { clock.now } }
    try await house.ledger.register(consumer: "sync", after: house.ledger.token(at: 10))
    try await house.ledger.register(
      consumer: "widget", .bestEffort(allowanceSeconds: 60), after: house.ledger.token(at: 5))
    #expect(try await purge(house, .count(0)).floor == 5)
    clock.now += 61_000_000
    #expect(try await purge(house, .count(0)).floor == 10)
    let passed = #expect(throws: DaybookError.self) {
      try house.ledger.history(forConsumer: "widget")
    }
    #expect(passed?.code == .expiredToken)
    try await house.ledger.acknowledge(house.ledger.token(at: 20), by: "sync")
    #expect(try await purge(house, .count(0)).floor == 20)
    #expect(try await house.ledger.unregister(consumer: "sync"))
    #expect(try await !house.ledger.unregister(consumer: "sync"))
    #expect(try await purge(house, .count(0)).floor > 60)
    // Whoever was passed begins again with a full snapshot.
    try await house.ledger.acknowledge(house.ledger.token, by: "widget")
    _ = try house.ledger.history(forConsumer: "widget")
    try await house.end()
  }

  @Test func ageIsCountedByTheClock() async throws {
    let house = try await House(rates: false)
    let clock = Clock()
    try await house.reopen { $0.clock = { clock.now } }
    let a = try await house.account("A")
    clock.now += 8 * 86_400_000_000
    try await house.expense(money("1"), from: a)
    try await house.ledger.setRetention(.week)
    #expect(try house.ledger.retention() == .week)
    #expect(try await house.ledger.purge().floor == 2)
    // A clock that is years ahead must not let everything go.
    clock.now += 400 * 86_400_000_000
    let ahead = await #expect(throws: DaybookError.self) { try await house.ledger.purge() }
    #expect(ahead?.code == .conflict)
    var options = PurgeOptions()
    options.trustsClock = true
    #expect(try await house.ledger.purge(options).floor == 4)
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @Test(.timeLimit(.minutes(5)))
  func openingPurgesByThePolicy() async throws {
    let (house, a) = try await aged()
    let before = try house.balance(a)
    try await house.ledger.setRetention(.count(10))
    let newest = try house.ledger.token
    try await house.reopen()
    // The work goes on after opening; the last thing it does is to leave a note.
    var note: RecordedChange?
    for try await commit in house.ledger.changes(after: newest) {
      note = commit.changes.first { $0.purgedThrough != nil }
      if note != nil { break }
    }
    #expect(note?.purgedThrough == newest.sequence - 10)
    #expect(try house.ledger.history().cursor().first() == newest.sequence - 9)
    #expect(try house.balance(a) == before)
    #expect(try await house.ledger.verify().findings == [])
    try await house.end()
  }

  @Test func aConsumerSeesEachCommitOnceAndRemembers() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    try await house.ledger.register(consumer: "export")
    var seen: [UInt64] = []
    for _ in 0..<3 {
      try await house.expense(money("1"), from: a)
      try await house.expense(money("1"), from: a)
      var cursor = try house.ledger.history(forConsumer: "export").cursor()
      while let entry = try cursor.next() {
        seen.append(entry.sequence)
        try await house.ledger.acknowledge(
          entry.token, by: "export",
          putting: [Array("last".utf8): [UInt8(entry.sequence)], Array("gone".utf8): nil])
      }
    }
    #expect(seen == Array(1...8))
    #expect(try house.ledger.value(Array("last".utf8), ofConsumer: "export") == [8])
    #expect(try house.ledger.consumers().map(\.sequence) == [8])
    let back = await #expect(throws: DaybookError.self) {
      try await house.ledger.acknowledge(house.ledger.token(at: 3), by: "export")
    }
    #expect(back?.code == .limitExceeded)
    let nobody = await #expect(throws: DaybookError.self) {
      try await house.ledger.acknowledge(house.ledger.token, by: "nobody")
    }
    #expect(nobody?.message.contains("register") == true)
    try await house.end()
  }

  @Test func aKeyOutlivesItsCommit() async throws {
    let house = try await House(rates: false)
    let a = try await house.account("A")
    let commands: [Command] = [.record(.expense(money("5"), from: a, on: today))]
    try await house.ledger.append(commands, key: "monday")
    _ = try await purge(house, .count(0))
    let again = try await house.ledger.append(commands, key: "monday")
    #expect(again.isRepeat)
    #expect(again.outcomes.isEmpty)
    #expect(try house.balance(a) == total("-5"))
    try await house.end()
  }

  @Test func appendsGoOnWhileAPurgeRuns() async throws {
    let (house, a) = try await aged()
    let before = try house.balance(a)
    let ledger = house.ledger
    var options = PurgeOptions()
    options.policy = .count(0)
    async let purged = ledger.purge(options)
    for _ in 0..<50 {
      try await ledger.append(.record(.expense(money("1"), from: a, on: today)))
    }
    _ = try await purged
    #expect(try house.balance(a).units == before.units - 5_000)
    #expect(try await ledger.verify().findings == [])
    try await house.end()
  }
}

/// A clock that a test moves.
private final class Clock: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Int64 = 1_770_000_000_000_000

  var now: Int64 {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}

extension LedgerHistory.Cursor {
  /// The sequence of the first commit.
  fileprivate func first() throws -> UInt64 {
    var copy = self
    return try copy.next()?.sequence ?? 0
  }
}
