// Goal: what differs from history is named, with the commit that brought the row; and nothing is named
// where nothing differs.
// Method: single rows of the views of a closed store are changed, removed or added by hand.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import Foundation
import Testing

@testable import DaybookEngine

/// Changes rows of the views of a closed store, as nothing but damage or a fault would.
struct ViewsKnife {
  let path: String

  /// Gives the views' write transaction and a table of them to `body`.
  func cut(
    _ table: String, _ body: (inout WriteTransaction, Database) throws -> Void
  ) throws {
    let folder = try StoreFolder.open(at: path)
    let environment = try Environment.open(path: folder.viewsPath(try folder.current().views))
    let database = try environment.database(named: table)
    try environment.write { try body(&$0, database) }
    try environment.close()
  }

  /// The first row of a table whose key begins so.
  func row(_ table: String, prefix: [UInt8] = []) throws -> (key: [UInt8], value: [UInt8]) {
    var found: (key: [UInt8], value: [UInt8])?
    try cut(table) { transaction, database in
      try transaction.view.forEach(in: database, from: prefix.span.bytes) { key, value in
        found = (key.copied(), value.copied())
        return false
      }
    }
    return try #require(found)
  }

  func put(_ table: String, _ key: [UInt8], _ value: [UInt8]) throws {
    try cut(table) { try $0.put(key, value, in: $1) }
  }

  func remove(_ table: String, _ key: [UInt8]) throws {
    try cut(table) { _ = try $0.delete(key, in: $1) }
  }
}

/// Keeps a bit for each reading of a group.
private struct Flags: Projection {
  static let name = "Flags"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("flags", .bitmaps)]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    for record in [change.before, change.after] {
      guard let record else { continue }
      tables.flip(0, GroupTotals().key(try Reading(record).group), Int(change.number))
    }
  }
}

@Suite struct VerificationTests {
  /// A store of nine commits: groups 1 and 2 by commits 1 and 2, then changes of the first reading.
  private func store(_ scratch: Scratch) async throws -> [EntityID] {
    let store = try await RebuildTests.open(scratch)
    var ids = try await store.record((1...5).map { Reading(group: 1, amount: Int64($0)) })
    ids += try await store.record((1...5).map { Reading(group: 2, amount: Int64($0)) })
    for amount in 3...8 as ClosedRange<Int64> {
      try await store.amend(ids[0], to: Reading(group: 1, amount: amount * 10))
    }
    try await store.amend(ids[9], to: nil)
    #expect(try store.verify().isSound)
    try await store.close()
    return ids
  }

  private func open(
    _ scratch: Scratch, _ adjust: (inout EventStoreOptions) -> Void
  ) async throws -> EventStore {
    var options = EventStoreOptions()
    adjust(&options)
    return try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
  }

  private func findings(_ scratch: Scratch) async throws -> [VerificationReport.Finding] {
    let store = try await RebuildTests.open(scratch)
    let report = try store.verify()
    try await store.close()
    return report.findings
  }

  @Test func aChangedTotalNamesTheLastCommitThatChangedIt() async throws {
    for (group, commit) in [(1, 8), (2, 9)] as [(UInt8, UInt64)] {
      let scratch = Scratch()
      let ids = try await store(scratch)
      let knife = ViewsKnife(path: scratch.path)
      var row = try knife.row("GroupTotals.totals", prefix: [0, 0, 0, group])
      row.value[row.value.count - 1] ^= 4
      try knife.put("GroupTotals.totals", row.key, row.value)
      let found = try await findings(scratch)
      #expect(found.map(\.sequence) == [commit])
      let entity = group == 1 ? ids[0] : ids[9]
      #expect(
        found.first?.message.contains("changed last by commit \(commit) (reading \(entity))")
          == true, "\(found)")
    }
  }

  @Test func aRowThatIsMissingNamesItsCommit() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    let member = try knife.row("GroupTotals.members", prefix: [0, 0, 0, 2])
    try knife.remove("GroupTotals.members", member.key)
    #expect(try await findings(scratch).map(\.sequence) == [2])
  }

  @Test func aRowOfStateNamesItsCommit() async throws {
    let scratch = Scratch()
    let ids = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("state", prefix: [readingKind.rawValue])
    row.value[row.value.count - 1] ^= 2
    try knife.put("state", row.key, row.value)
    let found = try await findings(scratch)
    #expect(found.map(\.sequence) == [8])
    #expect(found.first?.message.contains("\(ids[0])") == true, "\(found)")
  }

  @Test func aRowThatNobodyWroteIsSaidToBeSo() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let knife = ViewsKnife(path: scratch.path)
    try knife.put("GroupTotals.members", [0, 0, 0, 9, 0, 0, 0, 0, 1], [])
    let found = try await findings(scratch)
    #expect(found.map(\.sequence) == [nil])
    #expect(found.first?.message.contains("no commit ever wrote such a row") == true, "\(found)")
  }

  @Test func whatWasPurgedIsSaidToBeSo() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let store = try await RebuildTests.open(scratch)
    var options = PurgeOptions()
    options.policy = .count(2)
    _ = try await store.purge(options)
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var changed = try knife.row("GroupTotals.totals", prefix: [0, 0, 0, 2])
    changed.value[changed.value.count - 1] ^= 4
    try knife.put("GroupTotals.totals", changed.key, changed.value)
    let member = try knife.row("GroupTotals.members", prefix: [0, 0, 0, 1, 0, 0, 0, 0, 2])
    try knife.remove("GroupTotals.members", member.key)
    let found = try await findings(scratch)
    // Commit 9 is kept, and took from group 2; what the first commit wrote is history that is gone.
    #expect(found.map(\.sequence) == [9, nil], "\(found)")
    #expect(found.last?.message.contains("no commit since the purge up to 7") == true, "\(found)")
  }

  /// What the views are to be rebuilt from is purged before that begins.
  @Test func aPurgeInTheMidstAccusesNobody() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let gate = Gate("verify checked journal")
    let store = try await open(scratch) { $0.trace = { gate.pass($0) } }
    async let verified = onThread { try store.verify() }
    await gate.arrival(at: "verify checked journal")
    for amount in 1...5 as ClosedRange<Int64> {
      _ = try await store.record([Reading(group: 3, amount: amount)])
    }
    var purge = PurgeOptions()
    purge.policy = .count(2)
    _ = try await store.purge(purge)
    gate.open("verify checked journal")
    let report = try await verified
    // The commit that was newest at first is gone, so it was begun again with what is left.
    #expect(report.commitCount < 9)
    #expect(report.findings == [])
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// Commits that come while it is checked make no difference, and the rebuilt views are gone afterwards.
  @Test func writersGoOn() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let gate = Gate("verify built views")
    let store = try await open(scratch) { $0.trace = { gate.pass($0) } }
    async let verified = onThread { try store.verify() }
    await gate.arrival(at: "verify built views")
    _ = try await store.record((1...5).map { Reading(group: 1, amount: Int64($0)) })
    #expect(try generationCount(scratch) == 3)
    gate.open("verify built views")
    #expect(try await verified.findings == [])
    #expect(try generationCount(scratch) == 2)
    try await store.close()
  }

  private func generationCount(_ scratch: Scratch) throws -> Int {
    try StoreFolder.open(at: scratch.path).generations().count
  }

  /// Without room for the rebuilt views it says so, and leaves the ledger as it was.
  @Test func aFullDiskIsSaidToBeFull() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let disk = FaultyDisk()
    let store = try await open(scratch) { $0.disk = disk }
    disk.isFull = true
    let error = #expect(throws: ProjectingError.self) { _ = try store.verify() }
    #expect(error?.message.contains("no space to verify") == true, "\(error as Any)")
    disk.isFull = false
    #expect(try store.verify().isSound)
    #expect(try generationCount(scratch) == 2)
    try await store.close()
  }

  /// A ledger that is open for reading only is verified with views in a temporary folder.
  @Test func aReaderVerifiesWithoutWriting() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let before = try StoreFolder.open(at: scratch.path).current()
    let sound = try await open(scratch) { $0.isReadOnly = true }
    #expect(try sound.verify().isSound)
    try await sound.close()
    #expect(try StoreFolder.open(at: scratch.path).current() == before)
    let knife = ViewsKnife(path: scratch.path)
    try knife.put("GroupTotals.members", [0, 0, 0, 9, 0, 0, 0, 0, 1], [])
    let damaged = try await open(scratch) { $0.isReadOnly = true }
    #expect(try !damaged.verify().isSound)
    try await damaged.close()
  }

  /// What is done to the views.
  enum Cut: CaseIterable {
    case total, extraTotal, missingTotal, member, extraMember, property, lostEntity, lostID
  }

  private func apply(_ cut: Cut, to scratch: Scratch) throws {
    let knife = ViewsKnife(path: scratch.path)
    let (totals, members) = ("GroupTotals.totals", "GroupTotals.members")
    switch cut {
    case .total:
      var row = try knife.row(totals, prefix: [0, 0, 0, 2])
      row.value[row.value.count - 1] ^= 4
      try knife.put(totals, row.key, row.value)
    case .extraTotal: try knife.put(totals, [0, 0, 9, 9], knife.row(totals).value)
    case .missingTotal: try knife.remove(totals, knife.row(totals, prefix: [0, 0, 0, 2]).key)
    case .member: try knife.remove(members, knife.row(members, prefix: [0, 0, 0, 2]).key)
    case .extraMember: try knife.put(members, [0, 0, 9, 0, 0, 0, 0, 0, 1], [])
    case .property:
      var row = try knife.row("state", prefix: [readingKind.rawValue, 0, 0, 0, 2])
      row.value[row.value.count - 1] ^= 2
      try knife.put("state", row.key, row.value)
    case .lostEntity:
      try knife.remove("state", knife.row("state", prefix: [readingKind.rawValue]).key)
    case .lostID: try knife.remove("ids", knife.row("ids", prefix: [readingKind.rawValue]).key)
    }
  }

  @Test(arguments: Cut.allCases, [false, true])
  func everyCutIsFound(cut: Cut, purging: Bool) async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    if purging {
      let store = try await RebuildTests.open(scratch)
      var options = PurgeOptions()
      options.policy = .count(3)
      _ = try await store.purge(options)
      try await store.close()
    }
    try apply(cut, to: scratch)
    #expect(try await !findings(scratch).isEmpty)
  }

  /// A bit that no entity puts, in a row that others put and in one of its own.
  @Test(arguments: [false, true]) func aBitTooManyIsFound(isNewRow: Bool) async throws {
    let scratch = Scratch()
    func open() async throws -> EventStore { try await RebuildTests.open(scratch, [Flags.self]) }
    let store = try await open()
    for group in 1...3 as ClosedRange<UInt32> {
      _ = try await store.record((0..<9).map { Reading(group: group, amount: $0) })
    }
    #expect(try store.verify().isSound)
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("Flags.flags")
    var bitmap = isNewRow ? Bitmap() : try Bitmap(row.value.span.bytes)
    bitmap.flip(4_000)
    if isNewRow { row.key[3] = 9 }
    try knife.put("Flags.flags", row.key, bitmap.bytes)
    let again = try await open()
    #expect(try !again.verify().isSound)
    try await again.close()
  }

  @Test func aChangedCommitIsNamed() async throws {
    let scratch = Scratch()
    _ = try await store(scratch)
    let folder = try StoreFolder.open(at: scratch.path)
    let journal = folder.journalPath(try folder.current().journal)
    let environment = try Environment.open(path: journal)
    let commits = try environment.database(named: "commits")
    let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]
    try environment.write { transaction in
      var chunk = try #require(try transaction.view.bytes(for: key, in: commits))
      chunk[chunk.count - 1] ^= 1
      try transaction.put(key, chunk, in: commits)
    }
    try environment.close()
    #expect(try await findings(scratch).map(\.sequence) == [3])
  }

  /// Ways in which a row of places can be wrong.
  enum PlaceDamage: CaseIterable {
    case level, lastPlace, cutOff, noNumber, missing, besides, moved
  }

  @Test(arguments: PlaceDamage.allCases) func damagedPlacesAreFound(damage: PlaceDamage)
    async throws
  {
    let scratch = Scratch()
    func open() async throws -> EventStore {
      try await EventStore.open(at: scratch.path, schema: toySchema, projections: [Placed.self])
    }
    let store = try await open()
    for round in 1...3 as ClosedRange<UInt64> {
      try await store.place(
        (1...100).map { (number: UInt64) in
          let place = StatePosition(
            cluster: UInt32(number * 7 % 50), number: round * 1_000 + number)
          return (0, place)
        })
    }
    #expect(try store.verify().isSound)
    try await store.close()
    let knife = ViewsKnife(path: scratch.path)
    var row = try knife.row("Placed.lists")
    switch damage {
    case .level: row.value[0] += 1
    case .lastPlace: row.value[row.value.count - 1] ^= 4
    case .cutOff: row.value.removeLast()
    case .noNumber: row.value.append(3)
    case .missing: try knife.remove("Placed.lists", row.key)
    case .besides: row.key[row.key.count - 2] += 1
    case .moved:
      try knife.remove("Placed.lists", row.key)
      row.key[row.key.count - 5] += 1
    }
    if damage != .missing { try knife.put("Placed.lists", row.key, row.value) }
    let damaged = try await open()
    #expect(try !damaged.verify().isSound)
    try await damaged.rebuild()
    #expect(try damaged.verify().isSound)
    try await damaged.close()
  }
}
