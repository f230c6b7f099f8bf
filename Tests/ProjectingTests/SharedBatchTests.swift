// Goal: requests that share a batch, and commits that fail, do not harm each other or who reads.
// Method: the writer is held in one decision until others have queued up behind it; a map is filled while
// somebody reads history.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@Suite struct SharedBatchTests {
  @Test func theSameKeyTwiceInABatchIsOneCommit() async throws {
    let scratch = Scratch()
    let gate = Gate("decision")
    let store = try await RebuildTests.open(scratch)
    let first = Task {
      try await store.append { _ in gate.pass("decision") }
    }
    await gate.arrival(at: "decision")
    let digest = Hash256(hashing: [1, 2, 3])
    let keyed = AppendOptions(idempotencyKey: [9], requestDigest: digest)
    let queued = (0..<3).map { _ in
      Task { try await store.append(keyed) { try Self.add(1, 5, $0) } }
    }
    let neighbour = Task { try await store.append { try Self.add(2, 7, $0) } }
    try await Task.sleep(for: .milliseconds(100))
    gate.open("decision")
    _ = try await first.value
    var tokens: Set<Token> = []
    var freshCount = 0
    for task in queued {
      let appended = try await task.value
      tokens.insert(appended.token)
      if appended.result != nil { freshCount += 1 }
    }
    _ = try await neighbour.value
    #expect(tokens.count == 1)
    #expect(freshCount == 1)
    #expect(try store.total(1) == Sums(5, 1))
    #expect(try store.total(2) == Sums(7, 1))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func aFullMapWhileHistoryIsReadLeavesReadingAlone() async throws {
    let scratch = Scratch()
    let gate = Gate("reading")
    var options = EventStoreOptions()
    options.mapByteCount = 1 << 22
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    var count = 0
    for _ in 0..<300 {
      _ = try await store.record((0..<10).map { Reading(group: 1, amount: Int64($0)) })
      count += 10
    }
    // A rebuild reads history in one transaction, and tells of it.
    let reading = Task {
      try await store.rebuild { if $0.phase == .state, $0.fraction < 1 { gate.pass("reading") } }
    }
    await gate.arrival(at: "reading")
    var fault: (any Error)?
    while fault == nil, count < 100_000 {
      do {
        _ = try await store.record((0..<50).map { Reading(group: 1, amount: Int64($0)) })
        count += 50
      } catch {
        fault = error
      }
    }
    #expect((fault as? JournalError)?.code == .diskFull, "\(String(describing: fault))")
    #expect(try store.total(1)[1] == count)
    await #expect(throws: (any Error).self) {
      _ = try await store.record((0..<50).map { Reading(group: 1, amount: Int64($0)) })
    }
    #expect(try store.total(1)[1] == count)
    gate.open("reading")
    _ = try? await reading.value
    try await store.close()
    let again = try await RebuildTests.open(scratch)
    #expect(try again.total(1)[1] == count)
    _ = try await again.record([Reading(group: 1, amount: 1)])
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  private static func add(_ group: UInt32, _ amount: Int64, _ context: DecisionContext) throws {
    try context.apply(
      Change(
        kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
        before: nil, after: Reading(group: group, amount: amount).record))
  }
}
