// Goal: what is refused leaves no trace, keys answer with what they were used for, and kinds that a
// process does not know make it read-only.
// Method: ledgers in temporary folders, with drafts one below, at and one above each limit, and
// opened again under other schemas.

import DaybookEntities
import DaybookJournal
import Testing

@Suite struct AppendTests {
  @Test func keysRememberTheirRequest() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    var keyed = draft([noteInsertion(1)])
    keyed.idempotencyKey = text("import-1")
    keyed.requestDigest = Hash256(hashing: text("request"))
    #expect(try store.lookUp(key: text("import-1")) == nil)
    try store.record(keyed)
    try store.close()
    store = try folder.openJournal()
    let row = try store.lookUp(key: text("import-1"))
    #expect(row?.sequence == 1 && row?.requestDigest == keyed.requestDigest)
    #expect(row?.wallMicroseconds == keyed.wallMicroseconds)
    let writer = try store.beginWrite()
    let same = Hash256(hashing: text("request"))
    #expect(try writer.previous(key: text("import-1"), requestDigest: same) == 1)
    #expect(try writer.previous(key: text("import-2"), requestDigest: same) == nil)
    #expect(
      code { _ = try writer.previous(key: text("import-1"), requestDigest: .zero) }
        == .idempotencyConflict)
    writer.abort()
    try store.close()
  }

  @Test func severalCommitsInOneTransaction() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let writer = try store.beginWrite()
    #expect(writer.nextNumber(.note) == 1)
    for number in 1...5 as ClosedRange<UInt64> {
      _ = try writer.append(draft([noteInsertion(number)]))
      #expect(writer.nextNumber(.note) == number + 1)
      #expect(writer.head.sequence == number)
    }
    #expect(try store.head().sequence == 0)
    try writer.commit()
    #expect(try store.head().sequence == 5)
    #expect(try store.nextNumber(.note) == 6 && store.nextNumber(.figure) == 1)
    #expect(code { try writer.commit() } == .refused)
    #expect(try store.verifyChain().commitCount == 5)
    try store.close()
  }

  @Test func refusedDraftsLeaveTheTransactionUsable() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let writer = try store.beginWrite()
    let strange = Change(
      kind: EntityKind(rawValue: 99), id: EntityID(high: 0, low: 1), number: 1, before: nil,
      after: Record())
    let empty = Change(
      kind: .note, id: EntityID(high: 0, low: 1), number: 1, before: nil, after: nil)
    var unpacked = noteInsertion(1)
    unpacked.after = Record(bytes: [2, 1, 0, 1, 1, 0])
    #expect(code { _ = try writer.append(draft([noteInsertion(1), strange])) } == .unknownKind)
    #expect(code { _ = try writer.append(draft([noteInsertion(1), empty])) } == .refused)
    #expect(code { _ = try writer.append(draft([noteInsertion(1), unpacked])) } == .refused)
    _ = try writer.append(draft([noteInsertion(2)]))
    try writer.commit()
    #expect(try store.verifyChain().changeCount == 1)
    #expect(try store.commit(at: 1).changes == [expected(noteInsertion(2))])
    try store.close()
  }

  @Test(arguments: [-1, 0, 1])
  func limits(difference: Int) throws {
    let scratch = Scratch()
    var limits = JournalLimits()
    limits.commitChangeCountMax = 10
    limits.recordByteCountMax = 100
    limits.commitByteCountMax = 2_000
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal(
      limits: limits)
    let writer = try store.beginWrite()
    let wanted: JournalError.Code? = difference > 0 ? .refused : nil
    func outcome(_ draft: CommitDraft) -> JournalError.Code? {
      code { _ = try writer.append(draft) }
    }
    let long = String(repeating: "x", count: 256 + difference)
    #expect(outcome(draft([], author: long)) == wanted)
    var sourced = draft([])
    sourced.source = long
    #expect(outcome(sourced) == wanted)
    var keyed = draft([])
    keyed.idempotencyKey = text(long)
    keyed.requestDigest = .zero
    #expect(outcome(keyed) == wanted)
    let many = (1...UInt64(10 + difference)).map { noteInsertion($0) }
    #expect(outcome(draft(many)) == wanted)
    // A record of 100 bytes: a tag, a length and 98 bytes.
    var large = noteInsertion(1)
    large.after = record([1: [UInt8](repeating: 0, count: 98 + difference)])
    #expect(outcome(draft([large])) == wanted)
    #expect(outcome(draft([])) == nil)
    writer.abort()
    try store.close()
  }

  @Test func keysNeedContentAndADigest() throws {
    let scratch = Scratch()
    let store = try StoreFolder.create(at: scratch.ledger, isFlushed: false).openJournal()
    let writer = try store.beginWrite()
    var keyed = draft([])
    keyed.idempotencyKey = []
    keyed.requestDigest = .zero
    #expect(code { _ = try writer.append(keyed) } == .refused)
    keyed.idempotencyKey = [1]
    keyed.requestDigest = nil
    #expect(code { _ = try writer.append(keyed) } == .refused)
    writer.abort()
    try store.close()
  }

  @Test func unknownKindsMakeItReadOnly() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal()
    let figure = Change(
      kind: .figure, id: EntityID(high: 0, low: 1), number: 1, before: nil, after: Record())
    try store.record(draft([figure]))
    try store.record(draft([noteInsertion(1)]))
    try store.close()
    let older = Schema([KindDefinition(kind: .figure, name: "figure")])
    store = try folder.openJournal(schema: older)
    #expect(store.readOnlyReason?.sequence == 2)
    #expect(message { _ = try store.beginWrite() }.contains("kind 64 (note) at sequence 2"))
    #expect(code { _ = try store.beginWrite() } == .unknownKind)
    var seen: [UInt64] = []
    let fault = code {
      try store.forEachCommit(after: 0) { commit in
        seen.append(commit.sequence)
        return true
      }
    }
    #expect(fault == .unknownKind && seen == [1])
    try store.close()
    store = try folder.openJournal()
    #expect(store.readOnlyReason == nil)
    try store.record(draft([noteInsertion(2)]))
    try store.close()
  }

  @Test func olderVersionsOfKindsAreReadAndNewerOnesRefused() throws {
    func schema(_ version: UInt8) -> Schema {
      Schema([
        KindDefinition(kind: .note, name: "note", personalTags: [2], newestVersion: version)
      ])
    }
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var store = try folder.openJournal(schema: schema(1))
    try store.record(draft([noteInsertion(1, "old")]))
    try store.close()
    store = try folder.openJournal(schema: schema(2))
    #expect(store.readOnlyReason == nil)
    try store.record(draft([noteInsertion(2, "new")]))
    for sequence in 1...2 as ClosedRange<UInt64> {
      #expect(try store.commit(at: sequence).changes[0].properties.map(\.tag) == [1, 2])
    }
    #expect(try store.verifyChain().commitCount == 2)
    try store.close()
    store = try folder.openJournal(schema: schema(1))
    #expect(store.readOnlyReason?.sequence == 2)
    #expect(code { _ = try store.beginWrite() } == .unknownKind)
    #expect(code { _ = try store.commit(at: 2) } == .unknownKind)
    try store.close()
  }

  @Test func readOnlyStoresDoNotWrite() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    let store = try folder.openJournal(readOnly: true)
    #expect(code { _ = try store.beginWrite() } == .readOnly)
    #expect(try store.head().sequence == 0)
    try store.close()
  }
}
