// Goal: an event store keeps what is appended, refuses what decisions refuse, and has its
// projections current at every step.
// Method: the toy store of `ReadingStore.swift`; every expectation is recomputed from what the test itself appended.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@Suite struct EventStoreTests {
  func open(_ scratch: Scratch) async throws -> EventStore {
    try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self])
  }

  @Test func appendsAmendsDeletesAndReopens() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    let ids = try await store.record([
      Reading(group: 1, amount: 10), Reading(group: 1, amount: 20), Reading(group: 2, amount: 5),
    ])
    #expect(try store.total(1) == Sums(30, 2))
    try await store.amend(ids[0], to: Reading(group: 2, amount: 7))
    #expect(try store.total(1) == Sums(20, 1))
    #expect(try store.total(2) == Sums(12, 2))
    try await store.amend(ids[2], to: nil)
    #expect(try store.total(2) == Sums(7, 1))
    #expect(try store.verify().findings == [])
    try await store.close()

    let again = try await open(scratch)
    #expect(try again.total(2) == Sums(7, 1))
    try await again.rebuild()
    #expect(try again.total(2) == Sums(7, 1))
    #expect(try again.total(1) == Sums(20, 1))
    #expect(try again.verify().findings == [])
    _ = try await again.record([Reading(group: 9, amount: 1)])
    #expect(try again.total(9) == Sums(1, 1))
    try await again.close()
  }

  @Test func manyTasksShareFlushesAndNothingIsLost() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for index in 0..<20 {
            _ = try await store.record([
              Reading(group: UInt32(task % 3), amount: Int64(index))
            ])
          }
        }
      }
      try await group.waitForAll()
    }
    let sums = try (0..<3).map { try store.total(UInt32($0)) }
    #expect(sums.reduce(0) { $0 + $1[1] } == 320)
    #expect(sums.reduce(0) { $0 + $1[0] } == 16 * 190)
    #expect(try store.verify().isSound)
    try await store.close()
  }

  @Test func aRefusedDecisionLeavesNoTrace() async throws {
    struct Refused: Error {}
    let store = try await EventStore.ephemeral(
      schema: toySchema, projections: [GroupTotals.self])
    let before = try store.token()
    await #expect(throws: Refused.self) {
      try await store.append { context in
        try context.apply(
          Change(
            kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
            before: nil, after: Reading(group: 1, amount: 1).record))
        throw Refused()
      }
    }
    #expect(try store.token() == before)
    _ = try await store.record([Reading(group: 1, amount: 3)])
    #expect(try store.total(1) == Sums(3, 1))
    try await store.close()
  }

  @Test func aProjectionThatThrowsIsSetAsideAndTheOthersGoOn() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    _ = try await store.record([Reading(group: 1, amount: 3)])
    let bad = try await store.record([Reading(group: 1, amount: -666)])
    #expect(throws: ProjectingError.self) { try store.total(1) }
    guard case .quarantined = await store.projectors[0].health else {
      Issue.record("the projector does not say that it was set aside")
      return
    }
    try await store.amend(bad[0], to: Reading(group: 1, amount: 4))
    try await store.rebuild()
    #expect(try store.total(1) == Sums(7, 2))
    try await store.close()
  }

  @Test func viewsThatAreDeletedComeBack() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    _ = try await store.record((0..<500).map { Reading(group: $0 % 7, amount: Int64($0)) })
    let sums = try (0..<7).map { try store.total(UInt32($0)) }
    try await store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    where name.hasPrefix("views-") {
      try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
    }
    let again = try await open(scratch)
    #expect(try (0..<7).map { try again.total(UInt32($0)) } == sums)
    try await again.close()
  }

  /// Before a flip the old views are told that they retire: a write that is not flushed, so their mark
  /// must be there, or a power failure would leave views that are trusted and must not be.
  @Test func whoClosesCanOpenAgainThoughSomebodyWasReading() async throws {
    for isReadOnly in [false, true] {
      let scratch = Scratch()
      try await RebuildTests.open(scratch).close()
      var options = EventStoreOptions()
      options.isReadOnly = isReadOnly
      let store = try await EventStore.open(
        at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
      let isReading = DispatchSemaphore(value: 0)
      let thread = Thread {
        try? store.read { _ in
          isReading.signal()
          Thread.sleep(forTimeInterval: 0.2)
        }
      }
      thread.start()
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          isReading.wait()
          continuation.resume()
        }
      }
      try await store.close()
      let again = try await RebuildTests.open(scratch)
      try await again.close()
    }
  }

  @Test func viewsThatRetireAreMarkedAsUnflushed() async throws {
    let scratch = Scratch()
    let first = try await open(scratch)
    _ = try await first.record([Reading(group: 1, amount: 5)])
    try await first.close()
    let mark = scratch.path + "/views-0001/SESSION"
    #expect(!FileManager.default.fileExists(atPath: mark))
    var options = EventStoreOptions()
    options.trace = { step in
      if step == "before flip" { #expect(FileManager.default.fileExists(atPath: mark)) }
    }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    try await store.rebuild()
    #expect(!FileManager.default.fileExists(atPath: mark))
    #expect(try store.total(1) == Sums(5, 1))
    try await store.close()
  }

  /// A restored or merged ledger may bring numbers in any order, and numbers that were free.
  @Test func numbersOutOfTurnSurviveARebuild() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    let numbers: [UInt64] = [5, 3, 9, 1, 7, 8, 2]
    var ids: [EntityID] = []
    for number in numbers {
      let appended = try await store.append { context in
        let id = context.newID()
        try context.apply(
          Change(
            kind: readingKind, id: id, number: number, before: nil,
            after: Reading(group: 1, amount: Int64(number)).record))
        return id
      }
      ids.append(try #require(appended.result))
    }
    try await store.amend(ids[1], to: Reading(group: 1, amount: 30))
    try await store.amend(ids[3], to: nil)
    let expected = Sums(5 + 30 + 9 + 7 + 8 + 2, 6)
    #expect(try store.total(1) == expected)
    #expect(try store.verify().findings == [])
    try await store.rebuild()
    #expect(try store.total(1) == expected)
    try await store.close()
  }

  @Test func aBatchThatIsLargeAgainstTheStoreRebuilds() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    let ids = try await store.record(
      (0..<30_000).map { Reading(group: UInt32($0 % 5), amount: Int64($0)) })
    #expect(ids.count == 30_000)
    #expect(try store.total(4)[1] == 6_000)
    try await store.amend(ids[4], to: nil)
    #expect(try store.total(4)[1] == 5_999)
    #expect(try store.verify().isSound)
    try await store.close()
  }

  @Test func theSameKeyAgainReturnsTheFirstCommit() async throws {
    let store = try await EventStore.ephemeral(
      schema: toySchema, projections: [GroupTotals.self])
    var options = AppendOptions()
    options.idempotencyKey = [1, 2, 3]
    options.requestDigest = Hash256([UInt8](repeating: 7, count: 32))
    let decide: @Sendable (DecisionContext) throws -> Void = { context in
      try context.apply(
        Change(
          kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
          before: nil, after: Reading(group: 1, amount: 3).record))
    }
    let first = try await store.append(options, decide)
    let second = try await store.append(options, decide)
    #expect(first.token == second.token)
    #expect(first.result != nil && second.result == nil)
    options.requestDigest = Hash256([UInt8](repeating: 8, count: 32))
    await #expect(throws: JournalError.self) { try await store.append(options, decide) }
    #expect(try store.total(1) == Sums(3, 1))
    try await store.close()
  }
}
