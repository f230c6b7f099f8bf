// Goal: views built from the journal are those that grew with it, however the work is divided between
// threads; what fails on one of them ends the other, and is what is told. Method: a history of insertions, amendments and
// deletions, built with ranges of State of every size, each table compared row by row with the live one.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@testable import DaybookEngine

/// Asks State of every reading: by its number, it keeps the group that it finds there.
private struct Asker: Projection {
  static let name = "Asker"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("groups", .rows), TableDefinition("flags", .bitmaps)]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    var key = TableKey()
    key.append(u40: change.number)
    var flags = TableKey()
    flags.append(u8: 1)
    if change.before != nil {
      tables.remove(0, key)
      tables.flip(1, flags, Int(change.number % 64))
    }
    guard change.after != nil else { return }
    guard try state.number(of: change.id, kind: change.kind) == change.number,
      let record = try state.record(of: change.id, kind: change.kind)
    else { throw GroupTotals.Unlucky() }
    tables.put(0, key, [UInt8(truncatingIfNeeded: try Reading(record).group)])
    tables.flip(1, flags, Int(change.number % 64))
  }
}

@Suite struct LoaderTests {
  private static let types: [any Projection.Type] = [
    GroupTotals.self, ApartTotals.self, Asker.self, Population.self,
  ]

  /// A store with 117 readings of 130 left, in seven groups.
  private func grown(_ path: String, unlucky: Bool = false) async throws -> EventStore {
    let store = try await EventStore.open(
      at: path, schema: toySchema, projections: LoaderTests.types)
    for round in 0..<13 {
      let readings = (0..<10).map {
        Reading(group: UInt32((round * 3 + $0) % 7), amount: Int64(round * 10 + $0))
      }
      let ids = try await store.record(readings)
      try await store.amend(ids[round % 10], to: Reading(group: UInt32(round % 5), amount: 5))
      try await store.amend(ids[(round + 1) % 10], to: nil)
    }
    if unlucky { _ = try await store.record([Reading(group: 3, amount: -666)]) }
    // Who reads waits until the views have everything.
    try store.read { _ in }
    return store
  }

  private func loader(
    _ store: EventStore, in folder: TemporaryFolder, rangeRowCount: Int = 3
  ) throws -> ProjectionLoader {
    let target = try ViewsStore(
      path: folder.path + "/views", generation: 0, folder: store.folder,
      projections: LoaderTests.types, options: store.options.environmentOptions(.deferred))
    let open = try store.openStore()
    let head = try open.journal.head()
    var loader = ViewsBuild(
      journal: open.journal, clusterTags: ClusterTags(toySchema), target: target,
      newerVersions: [], progress: nil
    ).loader(through: Checkpoint(sequence: head.sequence, link: head.link))
    loader.rangeRowCount = rangeRowCount
    return loader
  }

  private func rows(_ store: ViewsStore, _ projection: Int, _ table: Int) throws -> [[[UInt8]]] {
    try store.environment.read { transaction in
      var rows: [[[UInt8]]] = []
      let database = store.registered[projection].handle[table].database
      try transaction.view.forEach(in: database) { key, value in
        rows.append([key.copied(), value.copied()])
        return true
      }
      return rows
    }
  }

  @Test(arguments: [1, 2, 7, 50, 116, 117, 118, 1_000])
  func theTablesAreTheLiveOnes(rangeRowCount: Int) async throws {
    let scratch = Scratch()
    let store = try await grown(scratch.path)
    let folder = try TemporaryFolder()
    let loader = try loader(store, in: folder, rangeRowCount: rangeRowCount)
    try loader.load()
    let live = try store.openStore().views
    for (place, type) in LoaderTests.types.enumerated() {
      for table in type.tables.indices {
        let expected = try rows(live, place, table)
        #expect(!expected.isEmpty)
        #expect(try rows(loader.target, place, table) == expected, "\(type.name) \(table)")
      }
    }
    #expect(try StateRanges(loader.target).rowCount == 117)
    try await store.close()
  }

  @Test(arguments: [1, 1_000])
  func whatThrowsInOneRangeIsQuarantined(rangeRowCount: Int) async throws {
    let scratch = Scratch()
    let store = try await grown(scratch.path, unlucky: true)
    let folder = try TemporaryFolder()
    let loader = try loader(store, in: folder, rangeRowCount: rangeRowCount)
    try loader.load()
    let statuses = try loader.target.statuses()
    #expect(statuses["GroupTotals"]?.condition == .quarantined)
    #expect(statuses["ApartTotals"]?.condition == .quarantined)
    #expect(statuses["Asker"]?.condition == .current)
    #expect(try rows(loader.target, 0, 0).isEmpty && rows(loader.target, 1, 1).isEmpty)
    try await store.close()
  }

  @Test func whereStateCannotBeFilledNobodyWaitsForIt() async throws {
    let scratch = Scratch()
    let store = try await grown(scratch.path)
    let folder = try TemporaryFolder()
    let loader = try loader(store, in: folder)
    struct Refused: Error {}
    var refusing = loader
    refusing.filling = loader.filling.map { filling in
      StateLoader(
        journal: filling.journal, clusterTags: filling.clusterTags, target: filling.target,
        through: 256, progress: { _ in throw Refused() })
    }
    for _ in 0..<230 { _ = try await store.record([Reading(group: 1, amount: 1)]) }
    #expect(throws: Refused.self) { try refusing.load() }
    // What the other thread fails with before ends this one at its next look, 256 commits on.
    let isUnderWay = Lock(false)
    let reached = Lock(0.0)
    refusing.filling = loader.filling.map { filling in
      StateLoader(
        journal: filling.journal, clusterTags: filling.clusterTags, target: filling.target,
        through: 256,
        progress: { progress in
          isUnderWay.withLock { $0 = true }
          for _ in 0..<2_000 where reached.withLock({ $0 }) == 0 { usleep(10_000) }
          usleep(1_000_000)
          reached.withLock { $0 = max($0, progress) }
        })
    }
    #expect(throws: Refused.self) {
      _ = try refusing.feed { _ in
        for _ in 0..<2_000 where !isUnderWay.withLock({ $0 }) { usleep(10_000) }
        reached.withLock { $0 = 0.1 }
        throw Refused()
      }
    }
    #expect(reached.withLock { $0 } == 0.5)
    loader.cancellation.cancel()
    #expect(throws: CancellationError.self) { try loader.load() }
    try await store.close()
  }
}
