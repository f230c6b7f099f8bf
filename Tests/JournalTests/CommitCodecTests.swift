// Goal: what is encoded is what is decoded, and bytes of any kind are never trusted.
// Method: random changes are encoded, decoded and compared with a naive difference of property
// dictionaries; random bytes and damaged commits are decoded and must throw or give values, never
// trap.

import DaybookEntities
import DaybookJournal
import DaybookRandom
import Testing

@Suite struct CommitCodecTests {
  static func encoded(_ draft: CommitDraft, schema: Schema = sampleSchema) throws
    -> (stored: [UInt8], digest: Hash256)
  {
    var encoder = CommitEncoder(schema: schema)
    let digest = try encoder.encode(draft, origin: .init(hlc: 5, replica: 6, sequence: 7))
    encoder.finish(link: .zero)
    return (Array(encoder.stored.bytes.dropFirst(4)), digest)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var world = RandomWorld(seed: seed)
    let changes = world.randomChanges(30)
    var draft = draft(changes, wall: -5, author: seed.isMultiple(of: 2) ? "Ada" : "")
    if seed.isMultiple(of: 3) {
      draft.idempotencyKey = [1, 2, 3]
      draft.requestDigest = Hash256(hashing: [9])
    }
    let (stored, digest) = try Self.encoded(draft)
    let view = try CommitView(stored.span.bytes, sequence: 7, schema: sampleSchema)
    let commit = try view.copied()
    #expect(commit.changes == changes.map(expected), "seed \(seed)")
    #expect(commit.header.author == (draft.author.isEmpty ? nil : draft.author))
    #expect(commit.header.source == "tests")
    #expect(commit.header.idempotencyKey == draft.idempotencyKey)
    #expect(commit.header.requestDigest == draft.requestDigest)
    #expect(commit.header.wallMicroseconds == -5)
    #expect(commit.header.hlc == 5 && commit.header.replica == 6)
    #expect(commit.header.originSequence == 7 && commit.header.changeCount == 30)
    var scratch = DigestScratch()
    #expect(try view.bodyDigest(scratch: &scratch) == digest)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func foldingGivesTheRecordsAfter(seed: UInt64) throws {
    var world = RandomWorld(seed: seed)
    let changes = world.randomChanges(60)
    let (stored, _) = try Self.encoded(draft(changes))
    let view = try CommitView(stored.span.bytes, sequence: 1, schema: sampleSchema)
    var records: [EntityID: [UInt8]] = [:]
    try view.forEachChange { change in
      var bytes = records[change.id] ?? []
      try change.apply(to: &bytes)
      records[change.id] = change.operation == .delete ? nil : bytes
      return true
    }
    #expect(records == world.entities.mapValues(\.record.bytes), "seed \(seed)")
  }

  @Test func insertionsAreThePackedRecord() throws {
    let change = noteInsertion(3)
    let (stored, _) = try Self.encoded(draft([change]))
    let view = try CommitView(stored.span.bytes, sequence: 1, schema: sampleSchema)
    try view.forEachChange { change in
      let packed = change.packedCopy
      #expect(packed == noteInsertion(3).after?.bytes)
      return true
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func erasedTextLeavesTheDigest(seed: UInt64) throws {
    var world = RandomWorld(seed: seed)
    let changes = world.randomChanges(20)
    let (stored, digest) = try Self.encoded(draft(changes, author: "Ada"))
    let view = try CommitView(stored.span.bytes, sequence: 1, schema: sampleSchema)
    for part in 0..<3 {
      var scratch = DigestScratch()
      var index = 0
      try view.putErased(into: &scratch, header: part != 1) { _ in
        index += 1
        return part == 0 || index.isMultiple(of: 2)
      }
      let bytes = Array(stored.prefix(32)) + scratch.body.bytes
      let erased = try CommitView(bytes.span.bytes, sequence: 1, schema: sampleSchema)
      #expect(try erased.bodyDigest(scratch: &scratch) == digest, "seed \(seed) part \(part)")
      let commit = try erased.copied()
      #expect(commit.header.isErased == (part != 1))
      #expect(commit.header.author == (part == 1 ? "Ada" : nil))
      guard part == 0 else { continue }
      for (change, whole) in zip(commit.changes, changes.map(expected)) {
        let personal = whole.properties.filter {
          change.kind == .note && ($0.tag == 2 || $0.tag == 200)
        }
        #expect(change.isErased == !personal.isEmpty)
        #expect(
          change.properties.filter(\.isErased).map(\.tag) == personal.map(\.tag), "seed \(seed)")
        let plain = whole.properties.filter { !personal.contains($0) }
        #expect(change.properties.filter { !$0.isErased } == plain)
      }
    }
  }

  @Test func erasedInsertionsFoldWithoutTheText() throws {
    let (stored, _) = try Self.encoded(draft([noteInsertion(9)]))
    let view = try CommitView(stored.span.bytes, sequence: 1, schema: sampleSchema)
    var scratch = DigestScratch()
    try view.putErased(into: &scratch)
    let bytes = Array(stored.prefix(32)) + scratch.body.bytes
    let erased = try CommitView(bytes.span.bytes, sequence: 1, schema: sampleSchema)
    try erased.forEachChange { change in
      var folded: [UInt8] = [1, 1, 1]
      try change.apply(to: &folded)
      #expect(folded == record([1: [9]]).bytes)
      let packed = change.packedCopy
      #expect(packed == nil)
      return true
    }
  }

  @Test func randomBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<200, using: &generator)
      var bytes = generator.bytes(count)
      // Most of them with a version and flags that let the decoder go on.
      if count > 34, Bool.random(using: &generator) {
        bytes[32] = 1
        bytes[33] &= 3
      }
      Self.decodeAll(bytes)
    }
  }

  @Test func damagedCommitsNeverTrap() throws {
    var world = RandomWorld(seed: 12)
    let (stored, _) = try Self.encoded(draft(world.randomChanges(12), author: "Ada"))
    var generator = SeededGenerator(seed: 13)
    for position in stored.indices {
      for _ in 0..<4 {
        var bytes = stored
        bytes[position] = UInt8(truncatingIfNeeded: generator.next())
        Self.decodeAll(bytes)
      }
    }
    for count in stored.indices { Self.decodeAll(Array(stored.prefix(count))) }
  }

  private static func decodeAll(_ bytes: [UInt8]) {
    guard
      let view = try? CommitView(
        bytes.span.bytes, sequence: 1, schema: sampleSchema, checkingKinds: false)
    else { return }
    _ = try? view.copied()
    var scratch = DigestScratch()
    _ = try? view.bodyDigest(scratch: &scratch)
    try? view.forEachChange { change in
      var folded: [UInt8] = [1, 1, 5, 200, 0]
      try? change.apply(to: &folded)
      return true
    }
  }
}
