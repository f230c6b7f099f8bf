// Goal: every range of commits comes back in either direction, whole, whatever its size.
// Method: commits of sizes around the limit of a chunk, and of ten thousand changes, are appended,
// read in both directions before and after reopening, and compared.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Testing

@Suite struct ReplayTests {
  @Test func everyRangeInBothDirections() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    var world = RandomWorld(seed: 21)
    var appended: [[Change]] = []
    for _ in 0..<12 {
      let changes = world.randomChanges(Int.random(in: 0...40, using: &world.generator))
      appended.append(changes)
      try store.record(draft(changes))
    }
    for reopened in [false, true] {
      if reopened {
        try store.close()
        store = try folder.openJournal()
      }
      for after in 0...12 {
        for through in 0...13 {
          let wanted = after < through ? Array(after + 1...max(after + 1, min(through, 12))) : []
          let numbers = wanted.filter { $0 <= 12 }
          #expect(try sequences(store, after, through, reversed: false) == numbers)
          #expect(try sequences(store, after, through, reversed: true) == numbers.reversed())
        }
      }
      try store.forEachCommit(after: 0) { commit in
        let changes = try commit.copied().changes
        #expect(changes == appended[Int(commit.sequence) - 1].map(expected))
        return true
      }
    }
    #expect(try sequences(store, 0, nil, reversed: false).count == 12)
    try store.close()
  }

  private func sequences(
    _ store: JournalStore, _ after: Int, _ through: Int?, reversed: Bool
  ) throws -> [Int] {
    var found: [Int] = []
    try store.forEachCommit(
      after: UInt64(after), through: through.map(UInt64.init), reversed: reversed
    ) { commit in
      found.append(Int(commit.sequence))
      return true
    }
    return found
  }

  @Test func stopsWhenToldTo() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    for number in 1...4 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    for reversed in [false, true] {
      var seen: [UInt64] = []
      try store.forEachCommit(after: 0, reversed: reversed) { commit in
        seen.append(commit.sequence)
        return seen.count < 2
      }
      #expect(seen == (reversed ? [4, 3] : [1, 2]))
    }
    try store.close()
  }

  @Test func chunksAtTheirLimits() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let limit = store.limits.chunkByteCountMax
    // How many bytes a commit with one figure takes beside the figure's value.
    try store.record(draft([figure(1, byteCount: 1_000)]))
    let overhead = try store.chunks(of: 1)[0].count - 1_000
    var sequence: UInt64 = 1
    for count in [1, 2, 3] {
      for difference in [-1, 0, 1] {
        let byteCount = count * limit - overhead + difference
        let change = figure(sequence + 1, byteCount: byteCount)
        sequence = try store.record(draft([change])).sequence
        let chunks = try store.chunks(of: sequence)
        #expect(chunks.count == (difference > 0 ? count + 1 : count))
        #expect(chunks.dropLast().allSatisfy { $0.count == limit })
        #expect(try store.commit(at: sequence).changes == [expected(change)])
      }
    }
    var backwards: [UInt64] = []
    try store.forEachCommit(after: 0, reversed: true) { commit in
      backwards.append(commit.sequence)
      return true
    }
    #expect(backwards == (1...sequence).reversed())
    #expect(try store.verifyChain().commitCount == sequence)
    let statistics = try store.environment.statistics(of: store.tables.commits)
    #expect(statistics.overflowPageCount == 0)
    try store.close()
  }

  @Test func tenThousandChangesInOneCommit() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let changes = (1...10_000).map { noteInsertion($0, "note \($0)") }
    try store.record(draft(changes))
    try store.record(draft([noteInsertion(10_001)]))
    var index = 0
    try store.forEachCommit(after: 0, through: 1) { commit in
      #expect(commit.changeCount == 10_000)
      try commit.forEachChange { change in
        let packed = change.packedCopy
        if packed != changes[index].after?.bytes { Issue.record("change \(index) differs") }
        index += 1
        return true
      }
      return true
    }
    #expect(index == 10_000)
    #expect(try store.verifyChain().changeCount == 10_001)
    #expect(try store.nextNumber(.note) == 10_002)
    try store.close()
  }

  @Test func missingChunksAreNamed() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    try store.record(draft((1...200).map { noteInsertion($0) }))
    let count = try store.chunks(of: 1).count
    #expect(count > 3)
    try store.environment.write { transaction in
      try transaction.delete(JournalTables.chunkKey(1, 2), in: store.tables.commits)
    }
    #expect(code { _ = try store.commit(at: 1) } == .missingCommit)
    #expect(
      code { try store.forEachCommit(after: 0, reversed: true) { _ in true } } == .missingCommit)
    #expect(code { _ = try store.commit(at: 9) } == .missingCommit)
    try store.close()
  }
}
