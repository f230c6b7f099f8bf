// Goal: where an entity is can be read back whatever its cluster and number; and State as an older program wrote
// it is read, and built anew.
// Method: places at the edges of the short form; views of a closed store are turned into older ones by hand.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@testable import DaybookEngine

@Suite struct StateTableTests {
  @Test(arguments: [
    (0x8000_0000 as UInt32, 0 as UInt64, 5), (0x8000_ffff, 1 << 24 - 1, 5),
    (0x8000_4d3a, 1_000_000, 5), (0x8001_0000, 7, 9), (0x7fff_ffff, 7, 9), (0, 7, 9),
    (.max, StatePosition.greatest.number, 9), (0x8000_4d3a, 1 << 24, 9),
  ]) func placesAreReadBack(cluster: UInt32, number: UInt64, byteCount: Int) throws {
    let position = StatePosition(cluster: cluster, number: number)
    let value = StateTable.idValue(position)
    #expect(value.count == byteCount)
    let again = try value.withBytes { (bytes) throws in try StateTable.position(inIDValue: bytes) }
    #expect(again == position)
  }

  /// A cluster and numbers that the short form is for.
  private static let group: UInt32 = 0x8000_4d3a

  @Test func olderStateIsReadAndBuiltAnew() async throws {
    let scratch = Scratch()
    let first = try await RebuildTests.open(scratch)
    let ids = try await first.record((0..<20).map { Reading(group: Self.group, amount: $0) })
    #expect(try first.verify().findings == [])
    try await first.close()
    let path = try viewsPath(scratch)
    try age(path)

    var reading = EventStoreOptions()
    reading.isReadOnly = true
    let reader = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: reading)
    for id in ids { #expect(try reader.read { try $0.entity(readingKind, id) } != nil) }
    #expect(try reader.total(Self.group) == Sums(190, 20))
    // Nobody is accused of what an older program wrote in its own way.
    let findings = try reader.verify().findings
    #expect(findings.count == 1 && findings[0].message.contains("older version"), "\(findings)")
    try await reader.close()

    let store = try await RebuildTests.open(scratch)
    #expect(try viewsPath(scratch) != path, "nothing was built")
    #expect(try store.verify().findings == [])
    for id in ids { #expect(try store.read { try $0.entity(readingKind, id) } != nil) }
    #expect(try store.total(Self.group) == Sums(190, 20))
    try await store.close()
    let again = try viewsPath(scratch)
    try await RebuildTests.open(scratch).close()
    #expect(try viewsPath(scratch) == again, "it was built twice")
  }

  /// An older program that was building while a newer one opened the ledger may put its views in place later.
  @Test func olderViewsThatComeLaterAreBuiltAnew() async throws {
    let scratch = Scratch()
    let store = try await RebuildTests.open(scratch)
    _ = try await store.record((0..<20).map { Reading(group: Self.group, amount: $0) })
    let folder = try StoreFolder.open(at: scratch.path)
    try folder.withWriter { lock in
      var next = try folder.current()
      let made = try folder.reserveGeneration(holding: lock)
      let path = folder.viewsPath(made)
      // Empty views, as of commit 0, by another program.
      let views = try ViewsStore(
        path: path, generation: made, folder: folder, projections: [GroupTotals.self],
        options: EnvironmentOptions())
      try views.environment.close()
      try mark(path, version: 1)
      next = try folder.current()
      next.views = made
      try folder.setCurrent(next, holding: lock)
    }
    _ = try await store.record([Reading(group: Self.group, amount: 10)])
    #expect(try store.total(Self.group) == Sums(200, 21))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func newerViewsAreLeftAlone() async throws {
    let scratch = Scratch()
    let first = try await RebuildTests.open(scratch)
    _ = try await first.record([Reading(group: Self.group, amount: 1)])
    try await first.close()
    let path = try viewsPath(scratch)
    try mark(path, version: UInt8(StateTable.version) + 1)
    for isReadOnly in [true, false] {
      var options = EventStoreOptions()
      options.isReadOnly = isReadOnly
      let error = await #expect(throws: JournalError.self) {
        try await EventStore.open(
          at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
      }
      #expect(error?.code == .newerFormat)
    }
    #expect(try viewsPath(scratch) == path)
  }

  private func viewsPath(_ scratch: Scratch) throws -> String {
    let folder = try StoreFolder.open(at: scratch.path)
    return folder.viewsPath(try folder.current().views)
  }

  /// Writes `ids` as the first version did.
  private func age(_ path: String) throws {
    let environment = try Environment.open(path: path)
    let table = try environment.database(named: "ids")
    var rows: [(key: [UInt8], value: [UInt8])] = []
    try environment.read { transaction in
      try transaction.view.forEach(in: table) { key, value in
        let position = try StateTable.position(inIDValue: value)
        let whole = StateTable.rowKey(readingKind, position).withBytes { $0.copied() }.dropFirst()
        rows.append((key.copied(), Array(whole)))
        return true
      }
    }
    try environment.write { transaction in
      for row in rows { try transaction.put(row.key, row.value, in: table) }
    }
    try environment.close()
    #expect(rows.allSatisfy { $0.value.count == 9 } && rows.count == 20)
    try mark(path, version: 1)
  }

  /// Has views say that State is of another version.
  private func mark(_ path: String, version: UInt8) throws {
    let environment = try Environment.open(path: path)
    let meta = try environment.mainDatabase()
    try environment.write { transaction in
      var bytes = try #require(try transaction.bytes(for: GenerationMark.key, in: meta))
      bytes[0] = version
      try transaction.put(GenerationMark.key, bytes, in: meta)
    }
    try environment.close()
  }
}
