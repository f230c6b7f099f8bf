// Goal: where an entity is can be read back whatever its cluster and number; and State as an older program wrote
// it is read, and built anew.
// Method: places at the edges of the short form; views of a closed store are turned into older ones by hand.

import Entities
import Foundation
import Journal
import LMDB
import Testing

@testable import Projecting

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

  @Test func olderStateIsReadAndBuiltAnew() async throws {
    let scratch = Scratch()
    let first = try await RebuildTests.open(scratch)
    let ids = try await first.record((0..<20).map { Reading(group: 1, amount: $0) })
    try await first.close()
    let path = try viewsPath(scratch)
    try age(path)

    var reading = EventStoreOptions()
    reading.isReadOnly = true
    let reader = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: reading)
    for id in ids { #expect(try reader.read { try $0.entity(readingKind, id) } != nil) }
    try await reader.close()

    let store = try await RebuildTests.open(scratch)
    #expect(try viewsPath(scratch) != path, "nothing was built")
    #expect(try store.verify().findings == [])
    for id in ids { #expect(try store.read { try $0.entity(readingKind, id) } != nil) }
    try await store.close()
    let again = try viewsPath(scratch)
    try await RebuildTests.open(scratch).close()
    #expect(try viewsPath(scratch) == again, "it was built twice")
  }

  private func viewsPath(_ scratch: Scratch) throws -> String {
    let folder = try StoreFolder.open(at: scratch.path)
    return folder.viewsPath(try folder.current().views)
  }

  /// Writes `ids` as the first version did.
  private func age(_ path: String) throws {
    let environment = try Environment.open(path: path)
    let table = try environment.database(named: "ids")
    let meta = try environment.mainDatabase()
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
      let key = StateTable.versionKey
      let wasThere = try transaction.delete(key.span.bytes, in: meta)
      #expect(wasThere)
    }
    try environment.close()
  }
}
