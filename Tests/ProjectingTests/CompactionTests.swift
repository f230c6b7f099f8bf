// Goal: a compaction gives free pages back and changes nothing that can be asked, while readers and
// writers go on; whoever had the old journal open finds the new one.
// Method: free pages are made by a table that is filled and dropped; the compaction is held at its
// named points while the test appends, and the journal is compared commit by commit.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@Suite struct CompactionTests {
  /// Leaves pages of a table that is gone in the journal of a closed store.
  static func waste(_ path: String, pages: Int = 2_000) throws {
    let folder = try StoreFolder.open(at: path)
    let journal = folder.journalPath(try folder.current().journal)
    let environment = try Environment.open(path: journal)
    let junk = try environment.database(named: "junk", create: true)
    let value = [UInt8](repeating: 7, count: 1_900)
    try environment.write { transaction in
      for index in 0..<pages * 2 {
        var key = ByteWriter()
        key.u64be(UInt64(index))
        try transaction.put(key.bytes, value, in: junk)
      }
    }
    var transaction = try environment.beginWrite()
    try transaction.drop(junk)
    try transaction.commit()
    try environment.close()
  }

  static func fileByteCount(_ path: String) throws -> Int {
    let folder = try StoreFolder.open(at: path)
    let file = folder.journalPath(try folder.current().journal) + "/data.mdb"
    return try #require(
      try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
  }

  static func keyed(_ store: EventStore, _ key: UInt8, _ amount: Int64) async throws -> Token {
    var options = AppendOptions()
    options.idempotencyKey = [key]
    options.requestDigest = Hash256([UInt8](repeating: key, count: 32))
    return try await store.append(options) { context in
      try context.apply(
        Change(
          kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
          before: nil, after: Reading(group: 9, amount: amount).record))
    }.token
  }

  static func commits(_ store: EventStore) throws -> [Commit] {
    let last = try store.token().sequence
    return try (0..<last).map { try store.commit(at: $0 + 1) }
  }

  @Test func freePagesComeBackAndNothingChanges() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    _ = try await store.record((1...500).map { Reading(group: 1, amount: Int64($0)) })
    let key = try await Self.keyed(store, 1, 5)
    let token = try store.token()
    let commits = try Self.commits(store)
    try await store.close()
    let used = try Self.fileByteCount(scratch.path)
    try Self.waste(scratch.path)
    let before = try Self.fileByteCount(scratch.path)
    let free = before - used
    #expect(free > 4_000_000)

    let again = try await RebuildTests.open(scratch)
    let phases = Lock<Set<RebuildProgress.Phase>>([])
    let report = try await again.compact { progress in
      phases.withLock { _ = $0.insert(progress.phase) }
    }
    let after = try Self.fileByteCount(scratch.path)
    #expect(before - after >= free * 95 / 100)
    #expect(report.byteCountBefore - report.byteCountAfter >= UInt64(free * 95 / 100))
    #expect(report.sequence == token.sequence)
    #expect(phases.withLock { $0.isSuperset(of: [.proof, .flush]) })
    #expect(try RebuildTests.generations(scratch, "journal-") == ["journal-0002"])
    #expect(try RebuildTests.generations(scratch, "views-") == ["views-0001"])
    #expect(try again.token() == token)
    #expect(try Self.commits(again) == commits)
    // The same key again is the first result, in the new journal too.
    #expect(try await Self.keyed(again, 1, 5) == key)
    _ = try await again.record([Reading(group: 1, amount: 1)])
    #expect(try again.verify().findings == [])
    try await again.close()
    let once = try await RebuildTests.open(scratch)
    #expect(try once.total(1)[1] == 501)
    #expect(try once.verify().findings == [])
    try await once.close()
  }

  @Test(
    arguments: ["compaction reserved", "compaction copied", "compaction caught up"])
  func whatIsAppendedMeanwhileIsInTheNewJournal(point: String) async throws {
    let scratch = Scratch()
    let gate = Gate(point)
    let store = try await RebuildTests.open(scratch, trace: { gate.pass($0) })
    let ids = try await store.record((1...300).map { Reading(group: 1, amount: Int64($0)) })
    async let report = store.compact()
    await gate.arrival(at: point)
    for amount in 1...120 {
      _ = try await store.record([Reading(group: 2, amount: Int64(amount))])
    }
    // A commit of several chunks, and one with a key.
    _ = try await store.record((1...2_000).map { Reading(group: 3, amount: Int64($0)) })
    try await store.amend(ids[0], to: nil)
    let key = try await Self.keyed(store, 7, 1)
    let commits = try Self.commits(store)
    gate.open(point)
    #expect(try await report.sequence == UInt64(commits.count))
    #expect(try RebuildTests.generations(scratch, "journal-") == ["journal-0002"])
    #expect(try Self.commits(store) == commits)
    #expect(try await Self.keyed(store, 7, 1) == key)
    #expect(try store.verify().findings == [])
    _ = try await store.record([Reading(group: 2, amount: 1)])
    try await store.close()
    let again = try await RebuildTests.open(scratch)
    #expect(try again.total(2)[1] == 121)
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  @Test func aViewHoldsTheOldJournalUntilItIsDone() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    _ = try await store.record([Reading(group: 1, amount: 1)])
    let began = Gate("in view")
    async let reading: UInt64 = onThread {
      try store.read { view in
        began.pass("in view")
        return view.token.sequence
      }
    }
    await began.arrival(at: "in view")
    try await store.compact()
    _ = try await store.record([Reading(group: 1, amount: 1)])
    began.open("in view")
    #expect(try await reading == 1)
    #expect(try store.total(1) == Sums(2, 2))
    try await store.close()
  }

  @Test func severalAtOnceAndARebuildBesides() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    _ = try await store.record((1...300).map { Reading(group: 1, amount: Int64($0)) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await store.compact() }
      group.addTask { try await store.compact() }
      group.addTask { try await store.rebuild() }
      group.addTask {
        for amount in 1...100 {
          _ = try await store.record([Reading(group: 2, amount: Int64(amount))])
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.total(2) == Sums(5_050, 100))
    #expect(try RebuildTests.generations(scratch, "journal-").count == 1)
    #expect(try RebuildTests.generations(scratch, "views-").count == 1)
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test(arguments: ["compaction reserved", "compaction copied", "compaction caught up"])
  func aCancelledOneLeavesTheOldJournal(point: String) async throws {
    let scratch = Scratch()
    let gate = Gate(point)
    let store = try await RebuildTests.open(scratch, trace: { gate.pass($0) })
    _ = try await store.record((1...300).map { Reading(group: 1, amount: Int64($0)) })
    let task = Task { try await store.compact() }
    await gate.arrival(at: point)
    task.cancel()
    gate.open(point)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try RebuildTests.generations(scratch, "journal-") == ["journal-0001"])
    _ = try await store.record([Reading(group: 1, amount: 1)])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// A purge folds commits, moves the floor, and removes what it has folded.
  ///
  /// After any slice of it, a copy from before is of no use. What consumers acknowledge comes along.
  @Test(arguments: [1, 3, 500])
  func aPurgeMeanwhileHasItBeginAgain(changesOfASlice: Int) async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    for index in 0..<6 {
      let amounts = (0...index).map { Reading(group: 1, amount: Int64($0)) }
      _ = try await store.record(amounts)
    }
    try await store.register(consumer: "reader")
    try await store.close()
    let (source, number, building) = try Self.reserve(scratch)
    try source.copyCompacted(as: number)
    let copy = try #require(try source.openCopy(as: number))
    let tail = try JournalTail(from: source, to: copy)
    try source.acknowledge(
      source.token(at: 4), by: "reader", putting: [[1]: [2]], now: 1)
    #expect(try tail.copy())
    try tail.checkIsEqual()
    #expect(try copy.consumers().map(\.sequence) == [4])
    #expect(try copy.value([1], of: "reader") == [2])
    _ = try source.purgeSlice(through: 3, now: 0, changeCountMax: changesOfASlice)
    #expect(try !tail.copy())
    building.release()
    try copy.close()
    try source.close()
  }

  /// The journal of a closed store, and a generation that is being built beside it.
  static func reserve(_ scratch: Scratch) throws -> (JournalStore, UInt32, WriterLock) {
    let folder = try StoreFolder.open(at: scratch.path)
    let source = try JournalStore.open(folder, folder.current(), schema: toySchema)
    let (number, building) = try folder.withWriter { lock in
      let number = try folder.reserveGeneration(holding: lock)
      return (number, try folder.beginBuilding(Generation(kind: .journal, number: number)))
    }
    return (source, number, building)
  }

  @Test func aStoreInMemoryIsCompactedToo() async throws {
    let store = try await EventStore.ephemeral(
      schema: toySchema, projections: [GroupTotals.self])
    _ = try await store.record([Reading(group: 1, amount: 1)])
    try await store.rebuild()
    try await store.compact()
    _ = try await store.record([Reading(group: 1, amount: 2)])
    try await store.compact()
    #expect(try store.total(1) == Sums(3, 2))
    #expect(try store.verify().findings == [])
    try await store.close()
  }
}
