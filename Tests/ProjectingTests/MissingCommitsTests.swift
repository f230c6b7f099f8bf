// Goal: a journal that went backwards is noticed, nothing is appended to it until somebody accepts that, and the
// changes that only the views still contain can be recorded again. Nothing that replaces a journal legitimately is
// mistaken for it.
// Method: an older copy of the journal's file is put back under newer views; both copies of the last record of an open
// redo log are damaged in 15 places, in a copy of the folder, so that the journal has to be recovered.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import Foundation
import Synchronization
import Testing

@Suite struct MissingCommitsTests {
  private func open(
    _ path: String, _ adjust: (inout EventStoreOptions) -> Void = { _ in }
  ) async throws -> EventStore {
    var options = EventStoreOptions()
    options.mapByteCount = 1 << 28
    adjust(&options)
    return try await EventStore.open(
      at: path, schema: toySchema, projections: [GroupTotals.self], options: options)
  }

  private func journalFile(_ path: String) throws -> String {
    let folder = try StoreFolder.open(at: path)
    return try folder.journalPath(folder.current().journal) + "/data.mdb"
  }

  private func readings(_ store: EventStore) throws -> [EntityID: Reading] {
    try store.read { view in
      var found: [EntityID: Reading] = [:]
      try view.forEachEntity(readingKind) { _, id, record in
        found[id] = try Reading(Record(bytes: record.copied()))
        return true
      }
      return found
    }
  }

  /// Records three commits, keeps a copy of the journal, and makes four more changes.
  ///
  /// - Returns: The readings at the end.
  @discardableResult
  private func make(_ path: String, _ kept: String) async throws -> [EntityID: Reading] {
    var store = try await open(path)
    let ids = try await store.record([
      Reading(group: 1, amount: 10), Reading(group: 1, amount: 20), Reading(group: 2, amount: 5),
    ])
    _ = try await store.record([Reading(group: 2, amount: 7)])
    _ = try await store.record([Reading(group: 3, amount: 8)])
    try await store.close()
    try FileManager.default.copyItem(atPath: try journalFile(path), toPath: kept)
    store = try await open(path)
    try await store.amend(ids[0], to: Reading(group: 1, amount: 11))
    try await store.amend(ids[1], to: nil)
    _ = try await store.record([Reading(group: 4, amount: 1), Reading(group: 4, amount: 2)])
    _ = try await store.record([Reading(group: 5, amount: 9)])
    let found = try readings(store)
    try await store.close()
    return found
  }

  private func putBack(_ kept: String, to path: String) throws {
    let place = try journalFile(path)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: kept, toPath: place)
  }

  private func expectRefused(
    _ body: () async throws -> Void, at place: SourceLocation = #_sourceLocation
  ) async {
    do {
      try await body()
      Issue.record("it was not refused", sourceLocation: place)
    } catch {
      #expect(
        (error as? ProjectingError)?.code == .missingCommits, "\(error)", sourceLocation: place)
    }
  }

  private let lost = MissingCommits(newest: 3, seen: 7)

  @Test func anOlderJournalIsNoticedAndNothingIsAppended() async throws {
    let (scratch, kept) = (Scratch(), Scratch())
    try await make(scratch.path, kept.path)
    try putBack(kept.path, to: scratch.path)
    for _ in 0..<2 {
      let store = try await open(scratch.path)
      #expect(store.missingCommits == lost)
      #expect(store.missingCommits?.description == "commits 4 to 7")
      // Reads show what the journal contains.
      #expect(try store.total(1) == Sums(30, 2))
      #expect(try store.total(5) == Sums())
      let report = try store.verify()
      #expect(report.findings.count == 1)
      #expect(report.findings.first?.message.contains("commits 4 to 7") == true)
      await expectRefused { _ = try await store.record([Reading(group: 9, amount: 1)]) }
      await expectRefused {
        var options = PurgeOptions()
        options.policy = .count(1)
        _ = try await store.purge(options)
      }
      // What replaces the files doesn't change that.
      try await store.rebuild()
      _ = try await store.compact()
      #expect(store.missingCommits == lost)
      await expectRefused { _ = try await store.record([Reading(group: 9, amount: 1)]) }
      try await store.close()
    }
  }

  @Test func theChangesOfMissingCommitsAreRecordedAgain() async throws {
    let (scratch, kept) = (Scratch(), Scratch())
    let before = try await make(scratch.path, kept.path)
    try putBack(kept.path, to: scratch.path)
    var store = try await open(scratch.path)
    let changes = try store.missingChanges()
    #expect(changes.count { $0.before == nil } == 3)
    #expect(changes.count { $0.after == nil } == 1)
    #expect(changes.count == 5)
    #expect(try await store.acceptLoss(author: "me", recordingChanges: true) == lost)
    #expect(store.missingCommits == nil)
    #expect(try readings(store) == before)
    _ = try await store.record([Reading(group: 9, amount: 1)])
    #expect(try store.verify().findings == [])
    // History names the accepted loss.
    let commit = try store.commit(at: 4)
    let record = try #require(commit.changes.first { $0.kind.rawValue == 0 })
    #expect(record.properties.map(\.tag) == [24, 25])
    #expect(commit.header.author == "me")
    try await store.close()
    let folder = try StoreFolder.open(at: scratch.path)
    #expect(try folder.generations().count { $0.kind == .views } == 1)
    store = try await open(scratch.path)
    #expect(store.missingCommits == nil)
    #expect(try readings(store)[before.keys.sorted()[0]] == before[before.keys.sorted()[0]])
    try await store.close()
  }

  @Test func theLossIsAcceptedWithoutTheChanges() async throws {
    let (scratch, kept) = (Scratch(), Scratch())
    try await make(scratch.path, kept.path)
    try putBack(kept.path, to: scratch.path)
    let store = try await open(scratch.path)
    let earlier = try store.token()
    #expect(try await store.acceptLoss() == lost)
    #expect(try await store.acceptLoss() == nil)
    #expect(try store.total(1) == Sums(30, 2))
    #expect(try store.missingChanges() == [])
    _ = try await store.record([Reading(group: 9, amount: 1)])
    var later = try store.history(after: earlier).cursor()
    #expect(try later.next() != nil, "earlier tokens stay valid")
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func theNewerJournalRepairsTheLoss() async throws {
    let (scratch, kept, newer) = (Scratch(), Scratch(), Scratch())
    let before = try await make(scratch.path, kept.path)
    try FileManager.default.copyItem(atPath: try journalFile(scratch.path), toPath: newer.path)
    try putBack(kept.path, to: scratch.path)
    var store = try await open(scratch.path)
    #expect(store.missingCommits == lost)
    try await store.close()
    try putBack(newer.path, to: scratch.path)
    store = try await open(scratch.path)
    #expect(store.missingCommits == nil)
    #expect(try readings(store) == before)
    _ = try await store.record([Reading(group: 9, amount: 1)])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// Others have appended to the older journal, as programs without this check do.
  @Test func anotherCommitWithTheNumberIsNoticed() async throws {
    let (scratch, other) = (Scratch(), Scratch())
    var store = try await open(scratch.path)
    for amount in 1...3 as ClosedRange<Int64> {
      _ = try await store.record([Reading(group: 1, amount: amount)])
    }
    try await store.close()
    try FileManager.default.copyItem(atPath: scratch.path, toPath: other.path)
    for (path, count) in [(scratch.path, 4), (other.path, 9)] {
      store = try await open(path)
      for _ in 0..<count { _ = try await store.record([Reading(group: 2, amount: 1)]) }
      try await store.close()
    }
    try putBack(try journalFile(other.path), to: scratch.path)
    store = try await open(scratch.path)
    #expect(store.missingCommits == MissingCommits(newest: 12, seen: 7))
    await expectRefused { _ = try await store.record([Reading(group: 9, amount: 1)]) }
    try await store.close()
  }

  @Test func readOnlyStoresReportIt() async throws {
    let (scratch, kept) = (Scratch(), Scratch())
    try await make(scratch.path, kept.path)
    try putBack(kept.path, to: scratch.path)
    var store = try await open(scratch.path) { $0.isReadOnly = true }
    #expect(store.missingCommits == lost)
    try await store.close()
    // Of a folder that can't be written, the journal is copied and gets new views.
    try Data().write(to: URL(fileURLWithPath: scratch.path + "/BACKUP"))
    store = try await open(scratch.path)
    #expect(store.missingCommits == lost)
    #expect(try store.verify().findings.first?.message.contains("commits 4 to 7") == true)
    try await store.close()
    try FileManager.default.removeItem(atPath: scratch.path + "/BACKUP")
    // And when a writer has noted it.
    try await open(scratch.path).close()
    store = try await open(scratch.path) { $0.isReadOnly = true }
    #expect(store.missingCommits == lost)
    #expect(try store.total(1) == Sums(30, 2))
    try await store.close()
  }

  // MARK: The redo log

  /// A copy of a folder whose redo log is open, with a number of commits that the views contain.
  private func copyOfOpenFolder(_ place: Scratch, _ copy: Scratch) async throws {
    let store = try await open(place.path) {
      $0.redoing.patienceCommitCount = 1
      $0.idleSeconds = 600
    }
    for amount in 1...6 { _ = try await store.record([Reading(group: 1, amount: Int64(amount))]) }
    #expect(try store.total(1) == Sums(21, 6))
    try FileManager.default.copyItem(atPath: place.path, toPath: copy.path)
    try await store.close()
  }

  private func redo(_ path: String) throws -> URL {
    let folder = try StoreFolder.open(at: path)
    return URL(fileURLWithPath: try folder.journalPath(folder.current().journal) + "/REDO")
  }

  /// The last bytes of both copies of the last record in a redo log.
  private func lastCopies(_ log: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var offset = 8_192
    while log[offset..<offset + 8].elementsEqual(log[8_192..<8_200]) {
      offset += 12 + log[offset + 8..<offset + 12].reduce(0) { $0 << 8 | Int($1) } + 32
      ends.append(offset - 1)
    }
    return ends.suffix(2)
  }

  @Test func theUndamagedCopyLacksNothing() async throws {
    let (scratch, copy) = (Scratch(), Scratch())
    try await copyOfOpenFolder(scratch, copy)
    let store = try await open(copy.path)
    #expect(store.missingCommits == nil)
    #expect(try store.total(1) == Sums(21, 6))
    _ = try await store.record([Reading(group: 9, amount: 1)])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func aDamagedLastRecordOfTheRedoLogIsNoticed() async throws {
    let (scratch, copy) = (Scratch(), Scratch())
    try await copyOfOpenFolder(scratch, copy)
    let bytes = [UInt8](try Data(contentsOf: try redo(copy.path)))
    for step in 0..<15 {
      let trial = Scratch()
      try FileManager.default.copyItem(atPath: copy.path, toPath: trial.path)
      var damaged = bytes
      for last in lastCopies(bytes) { damaged[last - step * 5] ^= 1 << UInt8(step % 8) }
      try Data(damaged).write(to: try redo(trial.path))
      let store = try await open(trial.path)
      #expect(store.missingCommits == MissingCommits(newest: 5, seen: 6), "\(step)")
      await expectRefused { _ = try await store.record([Reading(group: 9, amount: 1)]) }
      #expect(try store.total(1) == Sums(15, 5))
      #expect(try store.verify().findings.first?.message.contains("commit 6") == true)
      let changes = try store.missingChanges()
      #expect(changes.count == 1)
      try await store.acceptLoss(recordingChanges: true)
      #expect(try store.total(1) == Sums(21, 6))
      try await store.close()
    }
  }

  // MARK: What must not be mistaken for it

  @Test func aTornRecordThatNobodyAcknowledgedIsNoLoss() async throws {
    let (scratch, copy) = (Scratch(), Scratch())
    let gate = Gate("before projecting")
    let isHeld = Mutex(false)
    let store = try await open(scratch.path) {
      $0.redoing.patienceCommitCount = 1
      $0.idleSeconds = 600
      $0.trace = { name in
        if name == "before projecting", isHeld.withLock({ $0 }) { gate.pass("before projecting") }
      }
    }
    for amount in 1...5 { _ = try await store.record([Reading(group: 1, amount: Int64(amount))]) }
    #expect(try store.total(1) == Sums(15, 5))
    isHeld.withLock { $0 = true }
    // The views don't contain this commit, as if the machine had stopped before its answer.
    _ = try await store.record([Reading(group: 1, amount: 6)])
    await gate.arrival(at: "before projecting")
    try FileManager.default.copyItem(atPath: scratch.path, toPath: copy.path)
    isHeld.withLock { $0 = false }
    gate.open("before projecting")
    var bytes = [UInt8](try Data(contentsOf: try redo(copy.path)))
    for last in lastCopies(bytes) { bytes[last] ^= 1 }
    try Data(bytes).write(to: try redo(copy.path))
    try await store.close()
    let again = try await open(copy.path)
    #expect(again.missingCommits == nil)
    #expect(try again.total(1) == Sums(15, 5))
    _ = try await again.record([Reading(group: 9, amount: 1)])
    try await again.close()
  }

  @Test func aDamagedHeadOfTheViewsIsNoLoss() async throws {
    let (scratch, kept) = (Scratch(), Scratch())
    let before = try await make(scratch.path, kept.path)
    let folder = try StoreFolder.open(at: scratch.path)
    let place = try folder.viewsPath(folder.current().views) + "/data.mdb"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: place))
    let key = Data("checkpoint".utf8)
    var count = 0
    var from = bytes.startIndex
    while let found = bytes.range(of: key, in: from..<bytes.endIndex) {
      // The last byte of the sequence, with which the row begins.
      bytes[found.upperBound + 7] ^= 0x40
      from = found.upperBound
      count += 1
    }
    #expect(count > 0)
    try bytes.write(to: URL(fileURLWithPath: place))
    let store = try await open(scratch.path)
    #expect(store.missingCommits == nil)
    #expect(try readings(store) == before)
    _ = try await store.record([Reading(group: 9, amount: 1)])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func whatReplacesAJournalIsNoLoss() async throws {
    let (scratch, kept, backup, restored) = (Scratch(), Scratch(), Scratch(), Scratch())
    let before = try await make(scratch.path, kept.path)
    var store = try await open(scratch.path)
    try store.backup(to: backup.path)
    _ = try await store.compact()
    var purge = PurgeOptions()
    purge.policy = .count(1)
    _ = try await store.purge(purge)
    _ = try await store.compact()
    try await store.rebuild()
    #expect(store.missingCommits == nil)
    #expect(try readings(store) == before)
    try await store.close()
    try EventStore.restore(from: backup.path, to: restored.path, schema: toySchema)
    for path in [scratch.path, backup.path, restored.path] {
      store = try await open(path)
      #expect(store.missingCommits == nil, "\(path)")
      #expect(try readings(store) == before)
      try await store.close()
    }
    for path in [scratch.path, restored.path] {
      store = try await open(path)
      _ = try await store.record([Reading(group: 9, amount: 1)])
      try await store.close()
    }
  }
}
