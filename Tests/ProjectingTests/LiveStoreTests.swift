// Goal: what changed when is kept exactly, and a store without a ledger's face can be followed and
// observed as well.
// Method: stamps by themselves, at their limit and beyond; then the toy store of EventStoreTests
// under a follower and an observer, with a projection that is set aside.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Testing

@Suite(.timeLimit(.minutes(5))) struct LiveStoreTests {
  @Test func stampsSayTheLastChange() {
    var stamps = ChangeStamps(base: 7)
    let tag = ChangeTag.table(named: "GroupTotals.totals")
    #expect(stamps.sequence(of: tag) == 7)
    stamps.mark(tag, at: 9)
    stamps.mark(.kind(readingKind), at: 8)
    stamps.mark(tag, at: 0x0102_0304_0506_0708)
    #expect(stamps.sequence(of: tag) == 0x0102_0304_0506_0708)
    #expect(stamps.sequence(of: .kind(readingKind)) == 8)
    #expect(stamps.sequence(of: .table(named: "GroupTotals.members")) == 7)
  }

  /// What goes beyond the limit counts as changed together; never as unchanged.
  @Test func stampsBeyondTheLimitShareOne() {
    var stamps = ChangeStamps(base: 0)
    let tags = (0...ChangeStamps.entryCountMax).map { ChangeTag.table(named: "\($0)") }
    for (index, tag) in tags.enumerated() { stamps.mark(tag, at: UInt64(index + 1)) }
    for (index, tag) in tags.enumerated() { #expect(stamps.sequence(of: tag) == UInt64(index + 1)) }
    #expect(stamps.sequence(of: .table(named: "other")) == UInt64(tags.count))
    stamps.mark(tags[0], at: 1_000)
    #expect(stamps.sequence(of: tags[0]) == 1_000)
    #expect(stamps.sequence(of: tags[1]) == 2)
  }

  /// Differences that cancel each other out leave a table as it was.
  @Test func whatComesToNothingIsNoChange() async throws {
    let store = try await EventStore.ephemeral(schema: toySchema, projections: [GroupTotals.self])
    let ids = try await store.record([
      Reading(group: 1, amount: 5), Reading(group: 1, amount: 8),
    ])
    let runs = Lock(0)
    let totals = store.observe {
      runs.withLock { $0 += 1 }
      return try GroupTotals.total(1, in: $0)
    }
    let observer = Task { for try await _ in totals {} }
    // Who reads may find what was appended in the views a moment before it is rung for.
    func settled(after least: Int) async throws -> Int {
      _ = try store.token()
      for _ in 0..<20_000 where runs.withLock({ $0 }) < least {
        try await Task.sleep(for: .milliseconds(1))
      }
      while store.liveness.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
      return runs.withLock { $0 }
    }
    #expect(try await settled(after: 1) == 1)
    try await store.append { context in
      for (id, amount) in zip(ids, [6, 7] as [Int64]) {
        let old = try #require(try context.entity(readingKind, id))
        try context.apply(
          Change(
            kind: readingKind, id: id, number: old.number, before: old.record,
            after: Reading(group: 1, amount: amount).record))
      }
    }
    #expect(try await settled(after: 1) == 1)
    try await store.amend(ids[0], to: Reading(group: 1, amount: 7))
    #expect(try await settled(after: 2) == 2)
    observer.cancel()
    try await observer.value
    try await store.close()
  }

  @Test func aStoreIsFollowedAndObserved() async throws {
    let store = try await EventStore.ephemeral(schema: toySchema, projections: [GroupTotals.self])
    var changes = store.changes().makeAsyncIterator()
    var totals = store.observe { try GroupTotals.total(1, in: $0) }.makeAsyncIterator()
    #expect(try await totals.next() == Sums())
    let ids = try await store.record([Reading(group: 1, amount: 5)])
    #expect(try await totals.next() == Sums(5, 1))
    try await store.rebuild()
    try await store.amend(ids[0], to: Reading(group: 1, amount: 6))
    #expect(try await totals.next() == Sums(6, 1))
    for sequence in 1...2 as ClosedRange<UInt64> {
      let recorded = try #require(try await changes.next())
      #expect(recorded.token.sequence == sequence)
      #expect(recorded.commit.changes.map(\.id) == ids)
    }
    // Nobody else writes in a private folder.
    #expect(store.liveness.listenerCount == 2 && !store.liveness.isWatching)
    _ = try await store.record([Reading(group: 1, amount: -666)])
    let error = await #expect(throws: ProjectingError.self) { try await totals.next() }
    #expect(error?.code == .quarantined)
    #expect(try await changes.next()?.token.sequence == 3)
    try await store.close()
    #expect(try await changes.next() == nil)
    #expect(store.liveness.listenerCount == 0)
  }
}

extension GroupTotals {
  fileprivate static func total(_ group: UInt32, in view: borrowing View) throws -> Sums {
    let tables = try view.tables(of: GroupTotals.self)
    return try view.sums(GroupTotals().key(group), in: tables[0]) ?? Sums()
  }
}
