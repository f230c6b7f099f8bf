// Goal: the chain holds what was appended, and no byte of it can change unnoticed.
// Method: ledgers in temporary folders; every byte of committed records is turned in turn and the
// check of the chain must name the commit.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import DaybookRandom
import Testing

@Suite struct ChainTests {
  @Test func linksFollowFromTheFirst() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    let store = try folder.openJournal()
    let first = try store.head()
    #expect(first.sequence == 0)
    #expect(first.link == JournalTables.firstLink(store: folder.identity))
    var link = first.link
    for number in 1...5 as ClosedRange<UInt64> {
      let header = try store.record(draft([noteInsertion(number)]))
      #expect(header.sequence == number && header.link != link)
      link = header.link
    }
    let report = try store.verifyChain()
    #expect(report.commitCount == 5 && report.changeCount == 5 && report.head.link == link)
    #expect(try store.verifyChain(after: 3).commitCount == 2)
    #expect(try store.commit(at: 5).header.link == link)
    try store.close()
  }

  @Test func everyTurnedByteIsFound() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    var world = RandomWorld(seed: 3)
    for author in ["", "Ada", "Bob"] {
      // An insertion, an update and a deletion with personal text, and whatever comes.
      let tea = noteInsertion(1, "tea")
      let cake = noteInsertion(1, "cake")
      var update = tea
      update.before = tea.after
      update.after = cake.after
      var deletion = cake
      deletion.before = cake.after
      deletion.after = nil
      let changes = [tea, update, deletion] + world.randomChanges(3)
      var draft = draft(changes, author: author)
      draft.idempotencyKey = author.isEmpty ? nil : text(author)
      draft.requestDigest = author.isEmpty ? nil : Hash256(hashing: text(author))
      try store.record(draft)
    }
    let whole = try store.chunks(of: 2)
    var generator = SeededGenerator(seed: 4)
    var tried = 0
    for (chunk, bytes) in whole.enumerated() {
      for position in bytes.indices {
        var damaged = bytes
        damaged[position] ^= UInt8(1) << UInt8(generator.next() % 8)
        try store.tamper(2, chunk: UInt32(chunk), damaged)
        do {
          _ = try store.verifyChain()
          Issue.record("a turned bit at \(position) of chunk \(chunk) was not noticed")
        } catch let error as JournalError {
          #expect(error.sequence == 2, "\(error)")
        }
        expectRefused(store, "a turned bit at \(position) of chunk \(chunk)")
        tried += 1
      }
      try store.tamper(2, chunk: UInt32(chunk), bytes)
    }
    #expect(tried > 300)
    #expect(try store.verifyChain().commitCount == 3)
    try store.close()
  }

  /// Checks that history doesn't return commit 2, in whatever way it is read.
  private func expectRefused(_ store: JournalStore, _ what: Comment) {
    #expect(throws: JournalError.self, what) { try store.commit(at: 2) }
    #expect(throws: JournalError.self, what) {
      try store.beginning(of: 2, changeCountMax: 1) { _ in true }
    }
    #expect(throws: JournalError.self, what) { try store.commit(at: 2, changesAt: []) }
    for reversed in [false, true] {
      #expect(throws: JournalError.self, what) {
        try store.forEachCommit(after: 1, through: 2, reversed: reversed) { commit, check in
          try check()
          return true
        }
      }
    }
  }

  @Test func removedAndSurplusCommitsAreFound() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    for number in 1...4 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    let third = try store.chunks(of: 3)[0]
    try store.environment.write { transaction in
      try transaction.delete(JournalTables.chunkKey(3, 0), in: store.tables.commits)
    }
    #expect(code { _ = try store.verifyChain() } == .missingCommit)
    try store.tamper(3, third)
    try store.tamper(5, third)
    #expect(code { _ = try store.verifyChain() } == .brokenChain)
    try store.environment.write { transaction in
      try transaction.delete(JournalTables.chunkKey(5, 0), in: store.tables.commits)
    }
    try store.tamper(4, third)
    #expect(code { _ = try store.verifyChain() } == .brokenChain)
    try store.close()
  }

  @Test func unknownKindsAreCheckedToo() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    let store = try folder.openJournal()
    try store.record(draft([noteInsertion(1)]))
    try store.close()
    let stranger = try folder.openJournal(schema: Schema([]))
    #expect(try stranger.verifyChain().commitCount == 1)
    try stranger.close()
  }

  @Test func clocksNeverGoBack() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    var last: UInt64 = 0
    for wall in [5_000_000, 4_000_000, -1, 6_000_000, 6_000_000] as [Int64] {
      let header = try store.record(draft([], wall: wall))
      #expect(header.hlc > last && header.wallMicroseconds == wall)
      last = header.hlc
    }
    #expect(last == 6_000 << 16 + 1)
    try store.close()
  }

  @Test func theHybridClockCountsWithinAMillisecond() {
    var clock = HybridClock(last: 0)
    #expect(clock.tick(wallMicroseconds: 1_999) == 1 << 16)
    #expect(clock.tick(wallMicroseconds: 1_999) == 1 << 16 | 1)
    #expect(clock.tick(wallMicroseconds: 0) == 1 << 16 | 2)
    #expect(clock.tick(wallMicroseconds: .min) == 1 << 16 | 3)
    #expect(clock.tick(wallMicroseconds: 2_000) == 2 << 16)
    clock.receive(9 << 16)
    #expect(clock.tick(wallMicroseconds: 2_000) == 9 << 16 | 1)
    var far = HybridClock(last: .max)
    #expect(far.tick(wallMicroseconds: .max) == .max)
  }
}
