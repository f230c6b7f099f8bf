// Goal: a copy of the journal that is not equal to it is never taken, and one that a purge has overtaken is
// made anew.
// Method: copies are changed, or the journal is purged, between copying and the proof.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Testing

@Suite struct CopyProofTests {
  /// A journal with commits, a baseline and a key, of a store that is closed.
  static func filled(_ scratch: Scratch) async throws {
    let store = try await RebuildTests.open(scratch)
    for index in 0..<8 {
      _ = try await store.record((0...index).map { Reading(group: 1, amount: Int64($0)) })
    }
    _ = try await CompactionTests.keyed(store, 1, 5)
    var options = PurgeOptions()
    options.policy = .count(3)
    _ = try await store.purge(options)
    try await store.close()
  }

  @Test(arguments: ["commits", "baseline", "keys"])
  func aCopyThatIsAnotherIsNotTaken(table: String) async throws {
    let scratch = Scratch()
    try await Self.filled(scratch)
    let (source, number, building) = try CompactionTests.reserve(scratch)
    try source.copyCompacted(as: number)
    let path = source.folder.journalPath(number)
    let copy = try Environment.open(path: path)
    let database = try copy.database(named: table)
    try copy.write { transaction in
      var last: (key: [UInt8], value: [UInt8])?
      try transaction.view.forEach(in: database) { key, value in
        last = (key.copied(), value.copied())
        return true
      }
      var (key, value) = try #require(last)
      value[value.count - 1] ^= 1
      try transaction.put(key, value, in: database)
    }
    try copy.close()
    if table == "keys" {
      #expect(try source.openCopy(as: number) == nil)
    } else {
      let error = #expect(throws: JournalError.self) { try source.openCopy(as: number) }
      #expect(error?.code == .brokenChain)
      #expect(error?.message.contains("in table \(table)") == true)
    }
    building.release()
    try source.close()
  }

  @Test func aPurgeBeforeTheProofHasItBeginAgain() async throws {
    let scratch = Scratch()
    try await Self.filled(scratch)
    let (source, number, building) = try CompactionTests.reserve(scratch)
    try source.copyCompacted(as: number)
    let floor = try source.floor().sequence
    _ = try source.purgeSlice(through: floor + 2, now: 0, changeCountMax: 500)
    #expect(try source.openCopy(as: number) == nil)
    building.release()
    try source.close()
  }

  @Test func bytesThatAPurgeRemovesBeforeTheProofHaveItBeginAgain() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    // Each commit has more bytes than one slice removes.
    for _ in 0..<3 {
      try await store.append { context in
        for _ in 0..<700 {
          var writer = RecordWriter()
          writer.put(1) { $0.u32be(1) }
          writer.put(2) { $0.zigzag(1) }
          writer.put(3) { $0.raw([UInt8](repeating: 7, count: 1_700)) }
          try context.apply(
            Change(
              kind: readingKind, id: context.newID(), number: try context.nextNumber(readingKind),
              before: nil, after: writer.record))
        }
      }
    }
    try await store.close()
    let (source, number, building) = try CompactionTests.reserve(scratch)
    let folded = try source.purgeSlice(through: 2, now: 0, changeCountMax: 5_000)
    #expect(folded.untrimmed && folded.floor == 2)
    try source.copyCompacted(as: number)
    _ = try source.purgeSlice(through: 2, now: 0)
    #expect(try source.openCopy(as: number) == nil)
    building.release()
    try source.close()
  }
}
