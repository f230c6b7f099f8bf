// Goal: a commit of many changes, which is put in blocks, is kept and chained like a small one; one that is refused in a
// later block leaves nothing behind, in the tables or in the redo log.
// Method: seeded changes around the size of a block and beyond it, decoded again and held against the encoder of
// small commits; drafts that fail in the second block, between small commits of the same transaction.

import DaybookEntities
import DaybookLMDB
import Testing

@testable import DaybookJournal

@Suite struct LargeCommitTests {
  static let blockCount = JournalWriter.blockChangeCount

  /// So many changes, most of them insertions of notes.
  private static func changes(_ count: Int, seed: UInt64) -> [Change] {
    var world = RandomWorld(seed: seed)
    // Choosing among those that are there takes long where there are many.
    let varied = world.randomChanges(200)
    let first = world.numbers[.note, default: 1]
    let notes = (0..<UInt64(max(count - varied.count, 0))).map { index in
      noteInsertion(first + index, String(repeating: "x", count: Int(index % 90)))
    }
    return Array((varied + notes).prefix(count))
  }

  @Test(arguments: [blockCount, blockCount + 1, 2 * blockCount, 2 * blockCount + 37])
  func allOfItIsThere(count: Int) throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    try store.record(draft([figure(1_000_000, byteCount: 3)]))
    let changes = LargeCommitTests.changes(count, seed: UInt64(count))
    let header = try store.record(draft(changes, author: "somebody"))
    try store.record(draft([figure(1_000_001, byteCount: 3)]))
    try store.close()
    store = try folder.openJournal()
    #expect(try store.verifyChain().commitCount == 3)
    let commit = try store.commit(at: 2)
    #expect(commit.header == header)
    #expect(commit.changes == changes.map(expected))
    // Chunks are cut as those of small commits are.
    let chunks = try store.chunks(of: 2)
    let limit = store.limits.chunkByteCountMax
    #expect(chunks.dropLast().allSatisfy { $0.count == limit })
    #expect(chunks.last.map { (1...limit).contains($0.count) } == true)
    try store.close()
  }

  /// Blocks end by bytes where records are long.
  @Test func longRecordsAreThere() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let changes = (1...UInt64(LargeCommitTests.blockCount + 1)).map { number in
      figure(number, byteCount: number % 200 == 0 ? 1 << 20 - 64 : 1)
    }
    try store.record(draft(changes))
    #expect(try store.verifyChain().commitCount == 1)
    #expect(try store.commit(at: 1).changes == changes.map(expected))
    try store.close()
  }

  /// Its first changes can be read without the rest, few or many, short or long.
  @Test func itsBeginningIsRead() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let changes = (1...UInt64(LargeCommitTests.blockCount + 9)).map { number in
      figure(number, byteCount: number == 40 ? 1 << 20 - 64 : Int(number % 90))
    }
    try store.record(draft([figure(1_000_000, byteCount: 3)]))
    let header = try store.record(draft(changes, author: "somebody"))
    for count in [0, 1, 39, 40, 1_000, changes.count, changes.count + 1] {
      let found = try store.beginning(of: 2, changeCountMax: count) { $0.changeCount > 1 }
      #expect(found?.header == header)
      #expect(found?.changes == changes.prefix(count).map(expected))
    }
    #expect(try store.beginning(of: 1, changeCountMax: 1) { $0.changeCount > 1 } == nil)
    for missing in [0, 3] as [UInt64] {
      #expect(throws: JournalError.self) {
        try store.beginning(of: missing, changeCountMax: 1) { _ in true }
      }
    }
    // Of what is asked for nothing may be missing.
    try store.environment.write { transaction in
      try transaction.delete(JournalTables.chunkKey(2, 3), in: store.tables.commits)
    }
    #expect(throws: JournalError.self) {
      try store.beginning(of: 2, changeCountMax: changes.count) { _ in true }
    }
    try store.close()
  }

  /// Whoever reads such a commit completely notices any change; of its beginning, only `verifyChain` does.
  @Test func damageIsNoticedWhereItIsReadCompletely() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let changes = (1...2_000).map { figure($0, byteCount: 60) }
    try store.record(draft([figure(1_000_000, byteCount: 3)]))
    try store.record(draft(changes))
    let chunks = try store.chunks(of: 2)
    #expect(chunks.reduce(0) { $0 + $1.count } > 2 << 16)
    // A byte of a value, at the beginning and at the end.
    for (chunk, position) in [(0, 1_000), (chunks.count - 1, chunks[chunks.count - 1].count - 10)] {
      var bytes = chunks[chunk]
      #expect(bytes[position] == 7)
      bytes[position] ^= 1
      try store.tamper(2, chunk: UInt32(chunk), bytes)
      #expect(code { _ = try store.commit(at: 2) } == .brokenChain)
      for reversed in [false, true] {
        #expect(
          code {
            try store.forEachCommit(after: 1, through: 2, reversed: reversed) { commit, check in
              try check()
              return true
            }
          } == .brokenChain)
      }
      #expect(
        code { _ = try store.beginning(of: 2, changeCountMax: changes.count) { _ in true } }
          == .brokenChain)
      _ = try store.beginning(of: 2, changeCountMax: 10) { _ in true }
      #expect(code { _ = try store.verifyChain() } == .brokenChain)
      try store.tamper(2, chunk: UInt32(chunk), chunks[chunk])
    }
    #expect(try store.verifyChain().commitCount == 2)
    try store.close()
  }

  /// The stored bytes are those that the encoder of small commits gives, but for salts and link.
  @Test func itIsStoredAsSmallOnesAre() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    // Figures have no personal text, so no salts.
    let changes = (1...UInt64(LargeCommitTests.blockCount + 500)).map {
      figure($0, byteCount: Int($0 % 70))
    }
    let start = try store.head().link
    let header = try store.record(draft(changes))
    var encoder = CommitEncoder(schema: sampleSchema)
    let digest = try encoder.encode(
      draft(changes), origin: .init(hlc: header.hlc, replica: store.replica(), sequence: 1))
    encoder.finish(link: JournalTables.link(after: start, 1, digest))
    #expect(header.link == JournalTables.link(after: start, 1, digest))
    #expect(try store.chunks(of: 1).flatMap(\.self) == encoder.stored.bytes)
    try store.close()
  }

  enum Fault: String, CaseIterable {
    case largeRecord
    case neitherBeforeNorAfter
    case commitTooLarge
  }

  @Test func aTransactionOfNothingButRefusedDraftsIsNone() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal(redoing: RedoTests.policy)
    var changes = LargeCommitTests.changes(LargeCommitTests.blockCount + 100, seed: 6)
    changes[changes.count - 1] = Change(
      kind: .figure, id: EntityID(high: 1, low: 1), number: 1_000, before: nil, after: nil)
    for number in 1...3 as ClosedRange<UInt64> {
      try store.record(draft([figure(number, byteCount: 5)]))
    }
    let before = try store.environment.info.lastTransactionID
    try folder.withWriter { _ in
      let writer = try store.beginWrite()
      #expect(code { _ = try writer.append(draft(changes)) } == .refused)
      try writer.commit()
    }
    #expect(try store.environment.info.lastTransactionID == before)
    #expect(store.isUnsettled)
    try store.close()
  }

  @Test(arguments: Fault.allCases, [false, true])
  func oneThatIsRefusedInALaterBlockLeavesNothing(fault: Fault, isRedone: Bool) throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    var limits = JournalLimits.standard
    var changes = LargeCommitTests.changes(LargeCommitTests.blockCount + 100, seed: 5)
    switch fault {
    case .largeRecord:
      changes[LargeCommitTests.blockCount + 7] = figure(
        1_000, byteCount: limits.recordByteCountMax + 1)
    case .neitherBeforeNorAfter:
      changes[LargeCommitTests.blockCount + 7] = Change(
        kind: .figure, id: EntityID(high: 1, low: 1), number: 1_000, before: nil, after: nil)
    case .commitTooLarge:
      limits.commitByteCountMax = 300_000
    }
    let policy = isRedone ? RedoTests.policy : .standard
    var store = try folder.openJournal(limits: limits, redoing: policy)
    for number in 1...3 as ClosedRange<UInt64> {
      try store.record(draft([figure(number, byteCount: 5)]))
    }
    #expect(store.isUnsettled == isRedone)
    try folder.withWriter { _ in
      let writer = try store.beginWrite()
      _ = try writer.append(draft([figure(4, byteCount: 5)]))
      #expect(code { _ = try writer.append(draft(changes)) } == .refused)
      #expect(writer.head.sequence == 4)
      _ = try writer.append(draft([figure(5, byteCount: 5)]))
      try writer.commit()
    }
    // The log could not bring back what it was not told, so the file was flushed.
    #expect(!store.isUnsettled)
    #expect(try store.chunks(of: 5).count == 1)
    #expect(try store.chunks(of: 6).isEmpty)
    try store.record(draft([figure(6, byteCount: 5)]))
    try store.close()
    store = try folder.openJournal(redoing: policy, bootIdentity: isRedone ? "another run" : nil)
    #expect(try store.verifyChain().commitCount == 6)
    #expect(try store.commit(at: 5).changes == [expected(figure(5, byteCount: 5))])
    try store.close()
  }
}
