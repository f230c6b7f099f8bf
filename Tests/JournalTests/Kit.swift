// Goal: what the tests of the journal share: folders that go away, seeded randomness, sample kinds
// and sample changes.
// Method: everything random comes from one seed, which a failing test prints.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import DaybookRandom
import Foundation
import Testing

/// A folder that is removed with the value.
final class Scratch {
  let path: String

  init() {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? NSTemporaryDirectory()
    path = "\(base)/journal-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a ledger in it.
  var ledger: String { path + "/Test.daybook" }
}

extension SeededGenerator {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

extension EntityKind {
  static let note = EntityKind(rawValue: 64)
  static let figure = EntityKind(rawValue: 65)
}

/// Notes have personal text in the tags 2 and 200; figures have none.
let sampleSchema = Schema([
  KindDefinition(kind: .note, name: "note", personalTags: [2, 200]),
  KindDefinition(kind: .figure, name: "figure"),
])

func record(_ properties: [UInt8: [UInt8]]) -> Record {
  var writer = RecordWriter()
  for (tag, value) in properties.sorted(by: { $0.key < $1.key }) {
    writer.put(tag) { $0.raw(value) }
  }
  return writer.record
}

func text(_ text: String) -> [UInt8] { Array(text.utf8) }

/// An insertion of a note with a text.
func noteInsertion(_ number: UInt64, _ words: String = "a note") -> Change {
  Change(
    kind: .note, id: EntityID(high: 7, low: number), number: number, before: nil,
    after: record([1: [UInt8(truncatingIfNeeded: number)], 2: text(words)]))
}

func draft(_ changes: [Change], wall: Int64 = 1_700_000_000_000_000, author: String = "")
  -> CommitDraft
{
  CommitDraft(changes: changes, author: author, source: "tests", wallMicroseconds: wall)
}

/// Inserts a figure with a value of so many bytes.
func figure(_ number: UInt64, byteCount: Int) -> Change {
  Change(
    kind: .figure, id: EntityID(high: 1, low: number), number: number, before: nil,
    after: record([1: [UInt8](repeating: 7, count: byteCount)]))
}

/// A world of entities that random changes are made in.
struct RandomWorld {
  var generator: SeededGenerator
  var entities: [EntityID: (kind: EntityKind, number: UInt64, record: Record)] = [:]
  var numbers: [EntityKind: UInt64] = [:]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func randomRecord() -> Record {
    var properties: [UInt8: [UInt8]] = [:]
    for tag in [1, 2, 3, 127, 128, 200, 255] as [UInt8] where Bool.random(using: &generator) {
      let count =
        Int.random(in: 0..<10, using: &generator) == 0
        ? Int.random(in: 100...300, using: &generator) : Int.random(in: 0...12, using: &generator)
      properties[tag] = generator.bytes(count)
    }
    return packed(properties)
  }

  mutating func randomChange() -> Change {
    let known = entities.keys.sorted()
    let choice = Int.random(in: 0..<10, using: &generator)
    if known.isEmpty || choice < 5 {
      let kind: EntityKind = Bool.random(using: &generator) ? .note : .figure
      let number = numbers[kind, default: 1]
      numbers[kind] = number + 1
      let id = EntityID(high: generator.next(), low: generator.next())
      let after = randomRecord()
      entities[id] = (kind, number, after)
      return Change(kind: kind, id: id, number: number, before: nil, after: after)
    }
    let id = known[Int.random(in: 0..<known.count, using: &generator)]
    guard let entity = entities[id] else { return noteInsertion(1) }
    let after: Record? = choice < 8 ? randomRecord() : nil
    entities[id] = after.map { (entity.kind, entity.number, $0) }
    return Change(
      kind: entity.kind, id: id, number: entity.number, before: entity.record, after: after)
  }

  mutating func randomChanges(_ count: Int) -> [Change] { (0..<count).map { _ in randomChange() } }
}

func packed(_ properties: [UInt8: [UInt8]]) -> Record { record(properties) }

/// The properties of a packed record.
func properties(of record: Record?) -> [UInt8: [UInt8]] {
  var found: [UInt8: [UInt8]] = [:]
  guard let record else { return found }
  for tag in UInt8.min...UInt8.max {
    if let value = record[tag] { found[tag] = value }
  }
  return found
}

/// What the journal should keep of a change.
func expected(_ change: Change) -> JournalChange {
  let before = properties(of: change.before)
  let after = properties(of: change.after)
  let tags = Set(before.keys).union(after.keys).sorted()
  return JournalChange(
    kind: change.kind, id: change.id, number: change.number,
    operation: change.before == nil ? .insert : change.after == nil ? .delete : .update,
    properties: tags.filter { before[$0] != after[$0] }.map {
      PropertyChange(tag: $0, before: before[$0], after: after[$0])
    })
}

extension StoreFolder {
  /// Opens the live journal of the folder.
  func openJournal(
    schema: Schema = sampleSchema, readOnly: Bool = false, limits: JournalLimits = .standard,
    redoing: RedoPolicy = .standard, bootIdentity: String? = nil
  ) throws -> JournalStore {
    try JournalStore.open(
      self, try current(), schema: schema, readOnly: readOnly, limits: limits, redoing: redoing,
      bootIdentity: bootIdentity)
  }
}

extension JournalStore {
  /// Appends one commit and makes it durable.
  @discardableResult
  func record(_ draft: CommitDraft) throws -> CommitHeader {
    try folder.withWriter { _ in
      let writer = try beginWrite()
      let header = try writer.append(draft)
      try writer.commit()
      return header
    }
  }

  /// The bytes of a commit's chunks.
  func chunks(of sequence: UInt64) throws -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    try environment.read { transaction in
      let first = JournalTables.chunkKey(sequence, 0)
      let end = JournalTables.chunkKey(sequence + 1, 0)
      try transaction.view.forEach(
        in: tables.commits, from: first.span.bytes, to: end.span.bytes
      ) { _, value in
        chunks.append(value.copied())
        return true
      }
    }
    return chunks
  }

  /// Puts other bytes in the place of a chunk.
  func tamper(_ sequence: UInt64, chunk: UInt32 = 0, _ bytes: [UInt8]) throws {
    let key = JournalTables.chunkKey(sequence, chunk)
    let table = tables.commits
    try environment.write { transaction in
      try transaction.put(key, bytes, in: table)
    }
  }
}

/// The code of the journal's error that `body` throws.
func code(_ body: () throws -> Void) -> JournalError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? JournalError)?.code
  }
}

/// The message of the journal's error that `body` throws.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return (error as? JournalError)?.message ?? "\(error)"
  }
}

extension ChangeView {
  /// The record after an insertion, copied.
  var packedCopy: [UInt8]? {
    guard let packed = packedRecord else { return nil }
    return packed.copied()
  }
}

extension JournalStore {
  /// Purges the commits up to `sequence`, as a later version will; effective when opened anew.
  func moveFloorForTests(to sequence: UInt64) throws {
    let link = try commit(at: sequence).header.link
    var floor = ByteWriter()
    floor.u64be(sequence)
    floor.raw(link.bytes)
    try environment.write { transaction in
      let row = sealed(floor.bytes, under: JournalTables.floorKey)
      try transaction.put(JournalTables.floorKey, row, in: tables.meta)
      for old in 1...sequence {
        try transaction.delete(JournalTables.chunkKey(old, 0), in: tables.commits)
      }
    }
  }
}
