/// Goal: whoever follows a ledger hears of every commit, in order, of this process and of others;
/// whoever observes one is asked again when, and only when, what was read has changed; and nobody
/// who listens costs the ledger anything.
/// Method: commands of the fixture under followers and observers; another process is an exit
/// test's child. Conditions are waited for, so time decides nothing but when a test gives up.
import Daybook
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct LiveTests {
  @Test func commitsComeInOrderAndWithoutGaps() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let (ledger, start) = (house.ledger, try house.ledger.token)
    let follower = Task {
      var followed: [Token] = []
      for try await recorded in ledger.changes(after: start) {
        #expect(try ledger.token.sequence >= recorded.sequence)
        #expect(recorded.changes.map(\.kind) == [.transaction])
        followed.append(recorded.token)
        if followed.count == 200 { break }
      }
      return followed
    }
    let receipts = try await withThrowingTaskGroup(of: [Token].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var tokens: [Token] = []
          for _ in 0..<50 {
            let command = Command.record(.expense(money("1"), from: a, on: today))
            tokens.append(try await ledger.append(command).token)
          }
          return tokens
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let followed = try await follower.value
    #expect(followed.map(\.sequence) == Array(start.sequence + 1...start.sequence + 200))
    #expect(Set(followed) == Set(receipts))
    try await house.end()
  }

  @Test func aSlowFollowerMissesNothingAndStopsNobody() async throws {
    let house = try await House()
    let a = try await house.account("A")
    var all = house.ledger.changes().makeAsyncIterator()
    let first = try await all.next()
    #expect(first?.token.sequence == 1)
    for _ in 0..<100 { try await house.expense(money("1"), from: a) }
    // Nothing was waiting for the consumer but the journal itself.
    #expect(house.ledger.liveness.waiterCount == 0)
    let last = try house.ledger.token
    var sequence: UInt64 = 1
    while sequence < last.sequence {
      let next = try #require(try await all.next())
      sequence += 1
      #expect(next.token.sequence == sequence)
      #expect(next.header.sequence == sequence)
    }
    // Where one left off, another goes on.
    try await house.expense(money("2"), from: a)
    var rest = house.ledger.changes(after: last).makeAsyncIterator()
    #expect(try await rest.next()?.token == house.ledger.token)
    try await house.end()
  }

  @Test func tokensThatLeadNowhereAreRefused() async throws {
    let house = try await House()
    let stranger = try await Ledger.inMemory()
    let now = try house.ledger.token
    var (future, diverged, restored) = (now, now, now)
    future.sequence += 1
    diverged.linkPrefix ^= 1
    restored.lineage ^= 1
    for token in [try stranger.token, future, diverged, restored] {
      var changes = house.ledger.changes(after: token).makeAsyncIterator()
      let error = await #expect(throws: DaybookError.self) { try await changes.next() }
      #expect(error?.code == .invalidToken)
      #expect(try await changes.next() == nil)
    }
    #expect(house.ledger.liveness.listenerCount == 0)
    try await stranger.close()
    try await house.end()
  }

  /// With the doorbell alone, by looking now and then alone, and for a process that only reads.
  @Test(arguments: [(false, 3_600_000, false), (true, 20, false), (false, 3_600_000, true)])
  func whatOtherProcessesCommitIsHeardOf(
    isDeaf: Bool, pollMilliseconds: Int, readOnly: Bool
  ) async throws {
    let house = try await House()
    let a = try await house.account("A")
    try await house.reopen(readOnly: readOnly) {
      $0.ignoresDoorbell = isDeaf
      $0.pollMilliseconds = pollMilliseconds
    }
    let (ledger, start) = (house.ledger, try house.ledger.token)
    let follower = Task {
      var sequences: [UInt64] = []
      for try await recorded in ledger.changes(after: start) {
        sequences.append(recorded.token.sequence)
        if sequences.count == 20 { break }
      }
      return sequences
    }
    let observer = Task {
      var seen: [Total] = []
      for try await balance in ledger.observe({ try $0.balance(of: a, on: today) }) {
        seen.append(balance)
        if balance == total("-20") { break }
      }
      return seen
    }
    try await house.settled(2)
    #expect(ledger.liveness.isWatching)
    // In the middle, the other process replaces the views.
    await #expect(processExitsWith: .success) {
      [path = house.path as String, account = a.description as String] in
      let ledger = try await appendElsewhere(path, account, 10)
      try await ledger.rebuild()
      try await ledger.close()
      try await appendElsewhere(path, account, 10).close()
    }
    #expect(try await follower.value == Array(start.sequence + 1...start.sequence + 20))
    let seen = try await observer.value
    #expect(seen.first == total("0"))
    #expect(seen.map(\.units) == Set(seen.map(\.units)).sorted(by: >))
    try await house.end()
  }

  @Test func whatWasNotReadIsNotAskedForAgain() async throws {
    let house = try await House()
    let a = try await house.account("A")
    let b = try await house.account("B", opening: "5")
    let row = try await house.expense(money("1"), from: a)
    let (balances, names, months) = (Tally(), Tally(), Tally())
    let ledger = house.ledger
    let tasks = [
      Task {
        for try await _ in ledger.observe({
          balances.add()
          return try $0.balance(of: a, on: today)
        }) {}
      },
      Task {
        for try await _ in ledger.observe({
          names.add()
          return try $0.accounts().map(\.name)
        }) {}
      },
      Task {
        for try await _ in ledger.observe({
          months.add()
          return try $0.months(month("2026-01")..<month("2026-03"), today: today)
        }) {}
      },
    ]
    func expect(_ counts: [Int], _ what: Comment) async throws {
      // A notification may reach the observers after the append has returned.
      let end = ContinuousClock.now + .seconds(20)
      repeat {
        try await house.settled(3)
        if [balances.count, names.count, months.count] == counts { break }
        try await Task.sleep(for: .milliseconds(5))
      } while ContinuousClock.now < end
      #expect([balances.count, names.count, months.count] == counts, what)
    }
    try await expect([1, 1, 1], "each begins with a value")
    try await house.append(.amend(row, Amendment(description: "milk")))
    try await expect([1, 1, 1], "a description is in no figure")
    try await house.transfer(money("1"), from: b, to: a)
    try await expect([2, 1, 2], "a transfer changes balances and months")
    try await house.append(.amendAccount(b, AccountChange(name: "C")))
    let renamed = [balances.count, names.count, months.count]
    try await expect([3, 2, renamed[2]], "a balance needs its account's currency")
    try await house.ledger.rebuild()
    try await expect([3, 2, renamed[2]], "a rebuild changes nothing")
    try await house.expense(money("1"), from: a)
    try await expect([4, 2, renamed[2] + 1], "an expense after it does")
    for task in tasks {
      task.cancel()
      try await task.value
    }
    try await house.end()
  }

  @Test func equalValuesAreLeftOutAndSlowObserversGetTheNewest() async throws {
    struct Plain: Sendable { var count: Int }
    let house = try await House()
    let a = try await house.account("A")
    let ledger = house.ledger
    let (runs, values) = (Tally(), Tally())
    let counts = ledger.observe {
      runs.add()
      return try $0.accounts().count
    }
    let observer = Task { for try await _ in counts { values.add() } }
    try await house.settled()
    try await house.append(.amendAccount(a, AccountChange(name: "Z")))
    try await house.settled()
    #expect(runs.count == 2 && values.count == 1)
    var plain = ledger.observe { Plain(count: try $0.accounts().count) }.makeAsyncIterator()
    var tokens = ledger.observe { $0.token }.makeAsyncIterator()
    #expect(try await plain.next()?.count == 1)
    #expect(try await tokens.next() == ledger.token)
    try await house.append(.amendAccount(a, AccountChange(name: "Y")))
    #expect(try await plain.next()?.count == 1)
    for name in ["B", "C", "D"] { _ = try await house.account(name) }
    #expect(try await plain.next()?.count == 4)
    #expect(try await tokens.next() == ledger.token)
    observer.cancel()
    try await observer.value
    try await house.end()
  }
}
