// Goal: a projection that puts more into its tables than they hold is set aside with the reason, and nothing
// ends: appends go on, other projections answer, a rebuild builds the others. Method: a projection that does
// each such thing where a reading's group says so, told live, in a rebuild and when it is added later; totals
// that only the table, or only the sorter, sees to be too large; questions with keys that are too long.

import DaybookEntities
import DaybookJournal
import Testing

@testable import DaybookEngine

/// Does in a reading's group what its number stands for.
private struct Beyond: Projection {
  static let name = "Beyond"
  static let version: UInt32 = 1
  static let tables = [
    TableDefinition("rows", .rows), TableDefinition("totals", .sums(fields: 1)),
    TableDefinition("bits", .bitmaps), TableDefinition("places", .places),
    TableDefinition("wide", .sums(fields: 5)),
  ]

  /// What a group stands for, and what the reason for setting the projection aside says.
  static let deeds: [(what: String, reason: String)] = [
    ("key", "table 0: a key has more than 31 bytes"),
    ("value", "table 0: a value has 1901 bytes; the maximum is 1900"),
    ("removed key", "table 0: a key has more than 31 bytes"),
    ("sum", "table 1: a total is beyond 128 bits"),
    ("sum of a long key", "table 1: a key has more than 31 bytes"),
    ("least sum twice", "table 1: a total is beyond 128 bits"),
    ("fields", "table 4: a table of sums has 1 to 4 fields, but this one has 5"),
    ("no table", "table 5: there is no such table; the projection has 5"),
    ("negative table", "table -1: there is no such table; the projection has 5"),
    ("number", "table 2: a bitmap has numbers from 0 to 8191"),
    ("first of a mask", "table 2: a bitmap has numbers from 0 to 8191"),
    ("tail", "table 2: a bitmap has numbers from 0 to 8191"),
    ("head", "table 2: a key has more than 31 bytes"),
    ("no place", "table 3: a key does not end in a place"),
    ("place with a value", "table 3: a key does not end in a place"),
    ("row in a table of sums", "table 1: its rows are of a different kind"),
    ("sum in a table of rows", "table 0: its rows are of a different kind"),
    ("flip in a table of rows", "table 0: its rows are of a different kind"),
  ]

  static func key(_ byteCount: Int) -> TableKey {
    var key = TableKey()
    for _ in 0..<byteCount { key.append(u8: 7) }
    return key
  }

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == readingKind, let after = change.after else { return }
    let group = Int(try Reading(after).group)
    guard Beyond.deeds.indices.contains(group) else { return }
    let (short, long) = (Beyond.key(31), Beyond.key(32))
    switch Beyond.deeds[group].what {
    case "key": tables.put(0, long)
    case "value": tables.put(0, short, [UInt8](repeating: 1, count: 1_901))
    case "removed key": tables.remove(0, long)
    case "sum":
      tables.add(1, short, Sums(.max))
      tables.add(1, short, Sums(1))
    case "sum of a long key": tables.add(1, long, Sums(1))
    case "least sum twice":
      tables.add(1, short, Sums(.min))
      tables.add(1, short, -Sums(.min))
    case "fields": tables.add(4, short, Sums(1))
    case "no table": tables.put(Beyond.tables.count, short)
    case "negative table": tables.add(-1, short, Sums(1))
    case "number": tables.flip(2, short, 8_192)
    case "first of a mask": tables.flip(2, short, from: 8_161, 1)
    case "tail": tables.flip(2, TableKey(), tails: [1, 1 << 24], 1)
    case "head": tables.flip(2, Beyond.key(29), tails: [1], 1)
    case "no place": tables.put(3, Beyond.key(8))
    case "place with a value": tables.put(3, short, [1])
    case "row in a table of sums": tables.put(1, short)
    case "sum in a table of rows": tables.add(0, short, Sums(1))
    case "flip in a table of rows": tables.flip(0, short, 1)
    default: break
    }
  }
}

/// Adds 2¹²⁶ for each unit of a reading's amount.
private struct Vast: Projection {
  static let name = "Vast"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("totals", .sums(fields: 2))]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == readingKind else { return }
    for (record, sign) in [(change.before, -1), (change.after, 1)] {
      guard let record else { continue }
      tables.add(
        0, Beyond.key(2), Sums(0, Int128(sign) * Int128(try Reading(record).amount) << 126))
    }
  }

  static func total(_ store: EventStore) throws -> Sums? {
    try store.read { try $0.sums(Beyond.key(2), in: $0.tables(of: Vast.self)[0]) }
  }
}

/// Asks its source for a table that the source does not have.
private struct Lost: DerivedProjection {
  static let name = "Lost"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("totals", .sums(fields: 1))]
  static let sources: [any Projection.Type] = [GroupTotals.self]

  func settle(_ reading: any SettledReading, to tables: inout ProjectionTables) throws {
    try reading.forEachSum(
      in: GroupTotals.tables.count, of: GroupTotals.self, from: TableKey(), to: Beyond.key(1)
    ) { _, _ in true }
  }
}

@Suite struct TableLimitTests {
  private func open(_ scratch: Scratch, _ types: [any Projection.Type]) async throws -> EventStore {
    try await EventStore.open(at: scratch.path, schema: toySchema, projections: types)
  }

  private func reason(_ store: EventStore, _ place: Int) async -> String {
    switch await store.projectors[place].health {
    case .quarantined(_, let reason): reason
    case .building: "it is being built"
    case .current: "it is current"
    }
  }

  @Test(arguments: Beyond.deeds.indices)
  func whatATableCannotHoldSetsAside(deed: Int) async throws {
    let (what, expected) = Beyond.deeds[deed]
    let scratch = Scratch()
    let store = try await open(scratch, [Beyond.self, GroupTotals.self])
    _ = try await store.record([Reading(group: 90, amount: 1)])
    #expect(await store.projectors[0].health == .current)
    let bad = try await store.record([Reading(group: UInt32(deed), amount: 2)])
    let told = await reason(store, 0)
    #expect(told.hasPrefix(expected), "\(what): \(told)")
    #expect(await store.projectors[1].health == .current)
    let error = #expect(throws: ProjectingError.self) {
      try store.read { _ = try $0.tables(of: Beyond.self) }
    }
    #expect(error?.code == .quarantined && error?.message.contains(expected) == true)
    #expect(try store.total(UInt32(deed)) == Sums(2, 1))
    // Told by sorting it is the same, and the others are built.
    try await store.rebuild()
    let again = await reason(store, 0)
    #expect(again.hasPrefix(expected), "\(what): \(again)")
    #expect(try store.total(UInt32(deed)) == Sums(2, 1))
    // That it stands aside is all that is found.
    #expect(try store.verify().findings.count == 1)
    try await store.amend(bad[0], to: nil)
    try await store.rebuild()
    #expect(await store.projectors[0].health == .current)
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  @Test func addedLaterItIsSetAside() async throws {
    let scratch = Scratch()
    let without = try await open(scratch, [GroupTotals.self])
    _ = try await without.record([Reading(group: 0, amount: 1)])
    try await without.close()
    let store = try await open(scratch, [GroupTotals.self, Beyond.self, Lost.self])
    #expect(await reason(store, 1).hasPrefix(Beyond.deeds[0].reason))
    #expect(await reason(store, 2) == "table 2: there is no such table; the projection has 2")
    #expect(try store.total(0) == Sums(1, 1))
    _ = try await store.record([Reading(group: 0, amount: 1)])
    #expect(try store.total(0) == Sums(2, 2))
    try await store.close()
  }

  @Test func aDerivedOneIsSetAsideLive() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [GroupTotals.self, Lost.self])
    _ = try await store.record([Reading(group: 4, amount: 1)])
    #expect(await reason(store, 1) == "table 2: there is no such table; the projection has 2")
    #expect(try store.total(4) == Sums(1, 1))
    try await store.close()
  }

  /// Each batch fits by itself; the table sees that they do not together.
  @Test func totalsThatGrowTooLargeSetAside() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [Vast.self, GroupTotals.self])
    let first = try await store.record([Reading(group: 1, amount: 1)])
    #expect(try Vast.total(store) == Sums(0, 1 << 126))
    _ = try await store.record([Reading(group: 1, amount: 1)])
    let expected = "table 0: a total is beyond 128 bits"
    #expect(await reason(store, 0) == expected)
    #expect(throws: ProjectingError.self) { try Vast.total(store) }
    #expect(try store.total(1) == Sums(2, 2))
    _ = try await store.record([Reading(group: 1, amount: 1)])
    try await store.rebuild()
    #expect(await reason(store, 0) == expected)
    #expect(try store.total(1) == Sums(3, 3))
    try await store.amend(first[0], to: Reading(group: 1, amount: -1))
    try await store.rebuild()
    #expect(try Vast.total(store) == Sums(0, 1 << 126))
    #expect(try store.verify().findings == [])
    try await store.close()
  }

  /// Of two runs, and of two sorters, each fits by itself.
  @Test func totalsThatTheSorterSeesToBeTooLarge() throws {
    let folder = try TemporaryFolder()
    func sorter(_ counts: [Int128]) throws -> TableSorter {
      let sorter = TableSorter(.sums(fields: 1), folder: folder.path, runEntryCountMax: 1)
      for count in counts {
        var buffer = TableBuffer(.sums(fields: 1))
        buffer.add(Beyond.key(2), Sums(count))
        try sorter.absorb(&buffer)
      }
      return sorter
    }
    let whole = try sorter([.max, -1])
    var found: [Int128] = []
    try whole.drain { found.append(try Sums($1, fieldCount: 1)[0]) }
    #expect(found == [.max - 1])
    #expect(throws: TableFault.self) { try sorter([.max, 1]).drain { _, _ in } }
    let (one, other) = (try sorter([.min]), try sorter([-1]))
    try one.take(over: other)
    #expect(throws: TableFault.self) { try one.drain { _, _ in } }
  }

  @Test func keysThatAreTooLongAreMarked() {
    for count in [TableKey.byteCountMax - 1, TableKey.byteCountMax] {
      #expect(Beyond.key(count).count == count && !Beyond.key(count).isTooLong)
    }
    var long = Beyond.key(TableKey.byteCountMax + 1)
    #expect(long.isTooLong && long.count == TableKey.byteCountMax)
    // It stays so, whatever comes after.
    long.append(u8: 1)
    #expect(long.isTooLong && long != Beyond.key(TableKey.byteCountMax))
    var part = Beyond.key(28)
    part.append(u32: 1)
    part.append(u8: 1)
    #expect(part.isTooLong && part.count == 28)
    let bytes = [UInt8](repeating: 7, count: 4_000)
    #expect(TableKey(bytes: bytes.span.bytes).isTooLong)
  }

  @Test func questionsWithKeysThatAreTooLongAreRefused() async throws {
    let scratch = Scratch()
    let store = try await open(scratch, [Beyond.self, GroupTotals.self])
    _ = try await store.record([Reading(group: 90, amount: 1)])
    let (short, long) = (Beyond.key(31), Beyond.key(32))
    func expectRefusal(_ body: (borrowing View, ProjectionHandle) throws -> Void) {
      let error = #expect(throws: ProjectingError.self) {
        try store.read { try body($0, $0.tables(of: Beyond.self)) }
      }
      #expect(error?.code == .limit)
    }
    expectRefusal { _ = try $0.row(long, in: $1[0]) }
    expectRefusal { _ = try $0.withRow(long, in: $1[0]) { _ in } }
    expectRefusal { _ = try $0.sums(long, in: $1[1]) }
    expectRefusal { try $0.forEachRow(in: $1[0], from: long, to: short) { _, _ in true } }
    expectRefusal { try $0.forEachSum(in: $1[1], from: short, to: long) { _, _ in true } }
    expectRefusal { try $0.forEachPlace(in: $1[3], head: Beyond.key(23)) { _ in true } }
    try await store.close()
  }
}
