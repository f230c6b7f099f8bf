// Goal: what is on disk is what Docs/Format.md says, byte by byte.
// Method: the vectors in that document are computed from fixed salts and compared with its blocks.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@Suite struct FormatTests {
  /// The blocks of the document by name: their lines, without the fences.
  static let blocks: [String: String] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Docs/Format.md").path
    guard let document = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
    var blocks: [String: String] = [:]
    var name: String?
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```hex ") || line.hasPrefix("```text ") {
        name = line.split(separator: " ").last.map(String.init)
        if let name { blocks[name] = "" }
      } else if line == "```" {
        name = nil
      } else if let name {
        blocks[name, default: ""] += line + "\n"
      }
    }
    return blocks
  }()

  private func expectHex(_ name: String, _ bytes: [UInt8]) {
    let digits = Self.blocks[name]?.filter { !$0.isWhitespace }
    #expect(digits == hexText(bytes), "VECTOR hex \(name) \(hexText(bytes))")
  }

  private func expectText(_ name: String, _ text: String) {
    #expect(Self.blocks[name] == text, "VECTOR text \(name) \(text)")
  }

  static let store = EntityID(high: 0x0001_0203_0405_0607, low: 0x0809_0a0b_0c0d_0e0f)
  static let wall: Int64 = 1_700_000_000_000_000

  static func drafts() -> [CommitDraft] {
    let figure = Change(
      kind: .figure, id: EntityID(high: 0, low: 0x0a0b), number: 1, before: nil,
      after: record([1: [7]]))
    let id = EntityID(high: 0, low: 0x0c)
    let tea = record([1: [1], 2: text("tea")])
    let cake = record([1: [2], 2: text("cake")])
    func note(_ before: Record?, _ after: Record?) -> Change {
      Change(kind: .note, id: id, number: 1, before: before, after: after)
    }
    return [
      CommitDraft(changes: [figure], source: "cli", wallMicroseconds: wall),
      CommitDraft(
        changes: [note(nil, tea), note(tea, cake), note(cake, nil)], author: "Ada", source: "cli",
        idempotencyKey: text("k1"), requestDigest: Hash256(hashing: text("request")),
        wallMicroseconds: wall + 1_000),
    ]
  }

  @Test func commits() throws {
    var encoder = CommitEncoder(
      schema: sampleSchema,
      salts: SaltSource { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } })
    var clock = HybridClock(last: 0)
    var link = JournalTables.firstLink(store: Self.store)
    expectHex("first-link", link.bytes)
    for (index, draft) in Self.drafts().enumerated() {
      let sequence = UInt64(index + 1)
      let hlc = clock.tick(wallMicroseconds: draft.wallMicroseconds)
      let digest = try encoder.encode(
        draft, origin: .init(hlc: hlc, replica: 0x0102_0304_0506_0708, sequence: sequence))
      link = JournalTables.link(after: link, sequence, digest)
      encoder.finish(link: link)
      expectHex("commit-\(sequence)", encoder.stored.bytes)
      let stored = Array(encoder.stored.bytes.dropFirst(4))
      let view = try CommitView(stored.span.bytes, sequence: sequence, schema: sampleSchema)
      #expect(try view.copied().changes == draft.changes.map(expected))
      guard sequence == 2 else { continue }
      expectHex("commit-2-erased", encoder.erased.bytes)
      expectHex("commit-2-digest", digest.bytes)
      expectHex("commit-2-link", link.bytes)
      let token = Token(store: Self.store, lineage: 255, sequence: 2, linkPrefix: link.prefix)
      expectText("token", token.text + "\n")
    }
  }

  @Test func values() {
    var writer = ByteWriter()
    writer.varint(300)
    writer.zigzag(-3)
    writer.zigzag(64)
    writer.string("é")
    expectHex("values", writer.bytes)
    expectHex("record", record([1: [7], 2: text("tea")]).bytes)
    let generation = Generation(kind: .journal, number: 1)
    expectHex("identity", GenerationMark(store: Self.store, generation: generation).bytes)
    expectHex("idempotency-key", JournalTables.idempotencyKey(text("k1"), store: Self.store))
  }

  @Test func textFiles() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, identity: Self.store)
    let lock = try folder.lockWriter()
    let current = Current(journal: 1, views: 3, lineage: 255, highest: 3)
    try folder.setCurrent(current, holding: lock)
    func content(_ name: String) throws -> String {
      try String(contentsOfFile: scratch.ledger + "/" + name, encoding: .utf8)
    }
    expectText("FORMAT", try content("FORMAT"))
    expectText("CURRENT", try content("CURRENT"))
    let session = TextFile(
      title: "daybook session",
      lines: [
        ("boot", "6f1c6a34-9d2e-4c3b-8a51-0c2b7d9e4f60"), ("device", "2049"), ("inode", "131077"),
      ])
    expectText("SESSION", String(decoding: session.bytes, as: UTF8.self))
    lock.release()
  }

  @Test func theDatabasesAreAsDocumented() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, identity: Self.store)
    let store = try folder.openJournal()
    for draft in Self.drafts() { try store.record(draft) }
    var kinds: [[UInt8]] = []
    var keys: [[UInt8]] = []
    var heads: [UInt8]?
    try store.environment.read { transaction in
      let view = transaction.view
      let prefix: [UInt8] = [0] + text("kind")
      try view.forEach(in: store.tables.meta, prefix: prefix.span.bytes) { key, value in
        kinds.append(key.copied() + value.copied())
        return true
      }
      try view.forEach(in: store.tables.keys) { key, value in
        keys.append(key.copied() + value.copied())
        return true
      }
      heads = try view.bytes(for: [0] + text("head"), in: store.tables.meta)
    }
    func row(_ kind: UInt8, next: UInt64, sequence: UInt64, _ name: String) -> [UInt8] {
      var writer = ByteWriter()
      writer.u8(0)
      writer.raw("kind".utf8)
      writer.u8(kind)
      writer.u8(1)
      writer.u64be(next)
      writer.u64be(sequence)
      writer.string(name)
      let key = [UInt8](writer.bytes.prefix(6))
      return key + sealed([UInt8](writer.bytes.dropFirst(6)), under: key)
    }
    #expect(
      kinds == [
        row(64, next: 2, sequence: 2, "note"), row(65, next: 2, sequence: 1, "figure"),
      ])
    var key = ByteWriter()
    key.raw(JournalTables.idempotencyKey(text("k1"), store: Self.store))
    key.u64be(2)
    key.raw(Hash256(hashing: text("request")).bytes)
    key.u64be(UInt64(Self.wall + 1_000))
    #expect(
      keys == [
        Array(key.bytes.prefix(32))
          + sealed(Array(key.bytes.dropFirst(32)), under: Array(key.bytes.prefix(32)))
      ])
    var head = ByteWriter()
    head.u64be(2)
    head.raw(try store.head().link.bytes)
    head.u64be((UInt64(Self.wall + 1_000) / 1_000) << 16)
    head.u64be(UInt64(Self.wall + 1_000))
    #expect(heads == sealed(head.bytes, under: [0] + text("head")))
    expectHex("seal", sealed(text("value"), under: text("key")))
    try store.close()
  }
}
