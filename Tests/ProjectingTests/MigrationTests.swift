// Goal: a store of an older format is migrated when it is opened, without losing anything; where that
// fails, its files are as they were and it opens for reading with the reason; a newer one is refused.
// Method: there is one format so far, so the tests bring a second and a third of their own: they have a
// table with a row for each commit. Programs that know only the first stand in for older ones.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

/// Formats that are not: the second has a table of commits, the third a row that counts them.
enum InventedFormats {
  static func toSecond(_ environment: Environment) throws {
    let commits = try environment.database(named: "commits")
    let list = try environment.database(named: "list", create: true)
    try environment.write { transaction in
      var keys: [[UInt8]] = []
      try transaction.view.forEach(in: commits) { key, _ in
        keys.append(key.copied())
        return true
      }
      for key in keys { try transaction.put(key, [1], in: list) }
    }
  }

  private static func toThird(_ environment: Environment) throws {
    let list = try environment.database(named: "list")
    let meta = try environment.mainDatabase()
    try environment.write { transaction in
      let key = JournalTables.metaKey("listed")
      let count = UInt8(try transaction.count(of: list))
      try transaction.put(key, sealed([count], under: key), in: meta)
    }
  }

  static let second = FormatSupport(version: 2) { copy, _ in try toSecond(copy) }
  static let third = FormatSupport(version: 3) { copy, version in
    if version < 2 { try toSecond(copy) }
    try toThird(copy)
  }

  static func support(_ version: UInt32) -> FormatSupport {
    version == 1 ? .current : version == 2 ? second : third
  }
}

@Suite struct MigrationTests {
  struct Failure: Error {}

  private func open(
    _ scratch: Scratch, _ formats: FormatSupport, readOnly: Bool = false
  ) async throws -> EventStore {
    var options = EventStoreOptions()
    options.formats = formats
    options.isReadOnly = readOnly
    return try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
  }

  /// What there is to be lost.
  private struct Everything: Equatable {
    var commits: [Commit] = []
    var totals: [Sums] = []
    var consumers: [Consumer] = []
    var value: [UInt8]?
    var token: Token

    init(_ store: EventStore) throws {
      token = try store.token()
      var history = try store.history().cursor()
      while let commit = try history.next() { commits.append(commit) }
      totals = try (1...9).map { try store.total($0) }
      consumers = try store.consumers()
      value = try store.value([1], ofConsumer: "phone")
    }
  }

  private func make(_ scratch: Scratch) async throws -> Everything {
    let store = try await open(scratch, .current)
    var ids: [EntityID] = []
    for group in 1...9 as ClosedRange<UInt32> {
      ids += try await store.record((1...4).map { Reading(group: group, amount: Int64($0)) })
    }
    for id in ids.prefix(9) { try await store.amend(id, to: Reading(group: 9, amount: 1)) }
    var purge = PurgeOptions()
    purge.policy = .count(12)
    _ = try await store.purge(purge)
    try await store.register(consumer: "phone")
    try await store.acknowledge(
      store.token(at: store.token().sequence - 3), by: "phone", putting: [[1]: [2, 3]])
    _ = try await CompactionTests.keyed(store, 7, 70)
    let everything = try Everything(store)
    try await store.close()
    return everything
  }

  private func bytes(_ scratch: Scratch) throws -> [String: Data] {
    let folder = try StoreFolder.open(at: scratch.path)
    let journal = folder.journalPath(try folder.current().journal)
    return try Dictionary(
      uniqueKeysWithValues: [journal + "/data.mdb", scratch.path + "/FORMAT"].map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: $0)))
      })
  }

  @Test(arguments: [2, 3] as [UInt32]) func nothingIsLost(version: UInt32) async throws {
    let scratch = Scratch()
    let before = try await make(scratch)
    let formats = InventedFormats.support(version)
    let store = try await open(scratch, formats)
    #expect(store.readOnlyReason == nil)
    #expect(try Everything(store) == before)
    #expect(try store.verify().findings == [])
    #expect(try store.storeStatistics().formatVersion == version)
    #expect(try await CompactionTests.keyed(store, 7, 70).sequence == before.token.sequence)
    // All that replaces generations goes on in the new format.
    _ = try await store.record([Reading(group: 3, amount: 3)])
    try await store.compact()
    try await store.rebuild()
    #expect(try store.verify().findings == [])
    try await store.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names.count { $0.hasPrefix("journal-") } == 1, "\(names)")
    let again = try await open(scratch, formats)
    #expect(try again.token().sequence == before.token.sequence + 1)
    try again.backup(to: scratch.path + "-copy")
    try await again.close()
    #expect(
      try StoreFolder.open(at: scratch.path + "-copy", supporting: formats).current().format
        == version)
    try FileManager.default.removeItem(atPath: scratch.path + "-copy")
    // The step has been taken, once: there is a row for each chunk that was there.
    let folder = try StoreFolder.open(at: scratch.path, supporting: formats)
    let journal = folder.journalPath(try folder.current().journal)
    let environment = try Environment.open(path: journal)
    let list = try environment.database(named: "list")
    #expect(try environment.read { try $0.count(of: list) } == before.commits.count)
    try environment.close()
  }

  @Test func aLedgerIsMigratedAgain() async throws {
    let scratch = Scratch()
    let before = try await make(scratch)
    try await open(scratch, InventedFormats.second).close()
    let store = try await open(scratch, InventedFormats.third)
    #expect(try Everything(store) == before)
    #expect(try store.verify().findings == [])
    #expect(try store.storeStatistics().formatVersion == 3)
    try await store.close()
  }

  @Test func olderProgramsRefuseAMigratedLedger() async throws {
    let scratch = Scratch()
    _ = try await make(scratch)
    let older = try await open(scratch, .current)
    try await older.close()
    try await open(scratch, InventedFormats.second).close()
    for readOnly in [false, true] {
      let error = await #expect(throws: JournalError.self) {
        try await self.open(scratch, .current, readOnly: readOnly)
      }
      #expect(error?.code == .newerFormat)
      #expect(error?.message.contains("format 2") == true)
    }
    #expect(throws: JournalError.self) { try EventStore.examine(at: scratch.path) }
  }

  /// Migrations that fail, each in its own way.
  static let faults: [(name: String, migrate: @Sendable (Environment) throws -> Void)] = [
    ("throws", { _ in throw Failure() }),
    (
      "throws later",
      {
        try InventedFormats.toSecond($0)
        throw Failure()
      }
    ),
    (
      "loses a commit",
      { environment in
        let commits = try environment.database(named: "commits")
        try environment.write { transaction in
          var cursor = try transaction.writeCursor(in: commits)
          _ = try cursor.next()
          _ = try cursor.next()
          try cursor.deleteCurrent()
        }
      }
    ),
    (
      "changes a row",
      { environment in
        let meta = try environment.mainDatabase()
        try environment.write { try $0.put(JournalTables.headKey, [1, 2, 3], in: meta) }
      }
    ),
  ]

  @Test(arguments: 0..<faults.count) func aFailureLeavesTheFilesAsTheyWere(index: Int) async throws
  {
    let (name, migrate) = Self.faults[index]
    let scratch = Scratch()
    let before = try await make(scratch)
    let files = try bytes(scratch)
    let formats = FormatSupport(version: 2) { copy, _ in try migrate(copy) }
    let store = try await open(scratch, formats)
    #expect(store.readOnlyReason?.code == .migrationFailed, "\(name)")
    #expect(store.readOnlyReason?.cause != nil, "\(name)")
    #expect(try Everything(store) == before, "\(name)")
    let refusal = await #expect(throws: ProjectingError.self) {
      try await store.record([Reading(group: 1, amount: 1)])
    }
    #expect(refusal?.code == .readOnly)
    #expect((refusal?.cause as? JournalError)?.code == .migrationFailed, "\(name)")
    try await store.close()
    #expect(try bytes(scratch) == files, "\(name)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names.count { $0.hasPrefix("journal-") || $0.hasPrefix("removed-") } == 1, "\(names)")
    // Older programs go on; and so does this one once it can.
    let older = try await open(scratch, .current)
    _ = try await older.record([Reading(group: 1, amount: 1)])
    try await older.close()
    let newer = try await open(scratch, InventedFormats.second)
    #expect(newer.readOnlyReason == nil)
    #expect(try newer.token().sequence == before.token.sequence + 1)
    try await newer.close()
  }

  @Test func aReaderMigratesNothing() async throws {
    let scratch = Scratch()
    let before = try await make(scratch)
    let files = try bytes(scratch)
    let reader = try await open(scratch, InventedFormats.second, readOnly: true)
    #expect(try Everything(reader) == before)
    #expect(reader.readOnlyReason?.code == .readOnly)
    try await reader.close()
    #expect(try bytes(scratch) == files)
  }

  @Test func aNewStoreIsOfTheNewestFormat() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, InventedFormats.third)
    _ = try await store.record([Reading(group: 1, amount: 1)])
    try await store.close()
    let folder = try StoreFolder.open(at: scratch.path, supporting: InventedFormats.third)
    #expect(try folder.current().format == 3)
    let again = try await open(scratch, InventedFormats.third)
    #expect(try again.total(1) == Sums(1, 1))
    try await again.close()
  }

  /// A program of the older version that has the store open meanwhile.
  @Test func anOlderProgramThatHasItOpenStopsWithTheReason() async throws {
    let scratch = Scratch()
    _ = try await make(scratch)
    let older = try await open(scratch, .current)
    let newer = try StoreFolder.open(at: scratch.path, supporting: InventedFormats.second)
    // The journal is open in this process already, so the flip alone is played.
    let number = try newer.withWriter { lock in
      let number = try newer.reserveGeneration(holding: lock)
      var current = try newer.current()
      current.format = 2
      current.journal = number
      try newer.setCurrent(current, holding: lock)
      return number
    }
    #expect(number > 1)
    let error = await #expect(throws: JournalError.self) {
      try await older.record([Reading(group: 1, amount: 1)])
    }
    #expect(error?.code == .newerFormat)
    try await older.close()
  }
}
