// Goal: a purge passes nobody who has registered meanwhile, and no allowance is so long that it is none.
// Method: slices of one change each, between which a consumer registers.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Testing

@Suite struct PurgeSliceTests {
  @Test func aConsumerThatRegistersDuringAPurgeIsNotPassed() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    for index in 0..<8 { _ = try await store.record([Reading(group: 1, amount: Int64(index))]) }
    try await store.close()
    let folder = try StoreFolder.open(at: scratch.path)
    let journal = try JournalStore.open(folder, folder.current(), schema: toySchema)
    let first = try journal.purgeSlice(through: 6, now: 0, changeCountMax: 1)
    #expect(first.floor == 1 && !first.isDone)
    try journal.register(consumer: "late", .required, at: journal.token(at: 3), now: 0)
    var slice = first
    for _ in 0..<8 where !slice.isDone {
      slice = try journal.purgeSlice(through: 6, now: 0, changeCountMax: 1)
    }
    #expect(slice.isDone && slice.floor == 3)
    #expect(try journal.floor().sequence == 3)
    try journal.close()
  }

  @Test(arguments: [Int64.max, Int64.max / 1_000_000 + 1])
  func anAllowanceWithoutEndHolds(seconds: Int64) async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    _ = try await store.record([Reading(group: 1, amount: 1)])
    try await store.register(consumer: "patient", .bestEffort(allowanceSeconds: seconds))
    for index in 0..<4 { _ = try await store.record([Reading(group: 1, amount: Int64(index))]) }
    var options = PurgeOptions()
    options.policy = .count(1)
    #expect(try await store.purge(options).floor == 0)
    try await store.close()
  }
}
