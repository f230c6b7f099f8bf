// Goal: a decision that is dropped leaves State to the next ones of its batch as it was.
// Method: a decision that changes the same entities twice, some of which the batch had changed before, and then throws,
// between two that are accepted.

import DaybookEntities
import Testing

@testable import DaybookEngine

@Suite struct DroppedDecisionTests {
  private struct Refused: Error {}

  /// What a dropped decision changed twice, what it changed that the batch had changed before, and what it
  /// made is as it was.
  @Test func whatIsDroppedIsUndoneStepByStep() async throws {
    let scratch = Scratch()
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self])
    let records = (0..<5).map { Reading(group: 1, amount: Int64($0)).record }
    try await store.append { context in
      for low in [0, 1] as [UInt64] {
        try context.add([Reading(group: 1, amount: 0)], ids: low)
      }
    }
    let refused = try await store.inOneBatch([
      { try $0.amend(0, to: records[1]) },
      {
        try $0.amend(0, to: records[2])
        try $0.amend(0, to: nil)
        try $0.amend(1, to: records[2])
        try $0.amend(1, to: records[3])
        try $0.add([Reading(group: 1, amount: 9)], ids: 2)
        try $0.amend(2, to: records[4])
        throw Refused()
      },
      { context in
        func current(_ low: UInt64) throws -> Record? {
          try context.entity(readingKind, EntityID(high: 7, low: low))?.record
        }
        #expect(try current(0) == records[1])
        #expect(try current(1) == records[0])
        #expect(try current(2) == nil)
        try context.amend(0, to: records[4])
        try context.amend(1, to: records[4])
        #expect(try current(0) == records[4])
      },
    ])
    #expect(refused == [false, true, false])
    #expect(try store.total(1) == Sums(8, 2))
    #expect(try store.verify().findings == [])
    try await store.close()
  }
}
