// Goal: what comes of a large batch is what was decided, whatever is dropped, refused or read on the way.
// Method: requests that share a batch, of which some change much and then throw; figures by hand and the full
// verification; a projection that keeps what it was told of recording numbers.

import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@testable import DaybookEngine

/// Keeps the recording number that State gives for each reading.
private struct Numbered: Projection {
  static let name = "Numbered"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("numbers", .rows)]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == readingKind else { return }
    var key = TableKey()
    key.append(u64: change.id.low)
    guard change.after != nil else { return tables.remove(0, key) }
    let number = try state.number(of: change.id, kind: readingKind) ?? 0
    tables.put(0, key, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
  }

  static func number(_ low: UInt64, _ store: EventStore) throws -> Int? {
    try store.read { view in
      let table = try view.tables(of: Numbered.self)[0]
      var key = TableKey()
      key.append(u64: low)
      var number: Int?
      try view.forEachRow(in: table, from: key, to: key.afterPrefix ?? key) { _, value in
        number = value.copied().reduce(0) { $0 << 8 | Int($1) }
        return false
      }
      return number
    }
  }
}

@Suite struct LargeBatchTests {
  private struct Refused: Error {}

  private func open(_ scratch: Scratch) async throws -> EventStore {
    var options = EventStoreOptions()
    // However large a batch is, it is applied and not rebuilt from.
    options.bulkChangeCountMin = 20_000
    options.bulkShare = 1_000
    return try await EventStore.open(
      at: scratch.path, schema: toySchema,
      projections: [GroupTotals.self, ApartTotals.self, Numbered.self], options: options)
  }

  private func check(_ store: EventStore) async throws {
    for projector in store.projectors { #expect(await projector.health == .current) }
    #expect(try store.verify().findings == [])
  }

  private func totalApart(_ group: UInt32, _ store: EventStore) throws -> Sums {
    try store.read { view in
      let tables = try view.tables(of: ApartTotals.self)
      return try view.sums(GroupTotals().key(group), in: tables[0]) ?? Sums()
    }
  }

  @Test func whatIsDroppedLeavesNoTrace() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    try await store.append { try $0.add([Reading(group: 1, amount: 1)], ids: 0) }
    let before = try await store.inOneBatch(
      [
        { try $0.add((0..<100).map { _ in Reading(group: 1, amount: 2) }, ids: 1_000) },
        {
          // Two projections would throw at the first of these.
          try $0.add([Reading(group: 1, amount: -666)], ids: 2_000)
          try $0.add((0..<300).map { _ in Reading(group: 1, amount: 3) }, ids: 2_001)
          try $0.amend(0, to: nil)
          throw Refused()
        },
        // The ids of the one that was dropped, with other numbers and another amount.
        {
          try $0.add([Reading(group: 3, amount: 9)], ids: 5_000)
          try $0.add((0..<200).map { _ in Reading(group: 2, amount: 4) }, ids: 2_000)
          try $0.amend(0, to: Reading(group: 2, amount: 5).record)
        },
      ])
    #expect(before == [false, true, false])
    for total in [store.total, { try totalApart($0, store) }] {
      #expect(try total(1) == Sums(200, 100))
      #expect(try total(2) == Sums(805, 201))
      #expect(try total(3) == Sums(9, 1))
    }
    #expect(try Numbered.number(1_000, store) == 2 && Numbered.number(1_099, store) == 101)
    #expect(try Numbered.number(5_000, store) == 102)
    #expect(try Numbered.number(2_000, store) == 103 && Numbered.number(2_199, store) == 302)
    #expect(try Numbered.number(2_200, store) == nil)
    try await check(store)
    try await store.close()
  }

  @Test func aBatchOfWhichAllIsDroppedIsNothing() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    let refused = try await store.inOneBatch(
      (0..<3).map { _ in
        {
          try $0.add([Reading(group: 1, amount: -666)], ids: 0)
          try $0.add((0..<500).map { _ in Reading(group: 1, amount: 2) }, ids: 1)
          throw Refused()
        }
      })
    #expect(refused == [true, true, true])
    #expect(try store.token().sequence == 0)
    try await store.append { try $0.add([Reading(group: 1, amount: 7)], ids: 400) }
    #expect(try Numbered.number(400, store) == 1)
    #expect(try store.total(1) == Sums(7, 1))
    try await check(store)
    try await store.close()
  }

  /// Decisions find State and tables as they were before the batch, also long records in parts.
  @Test func decisionsReadWhatWasBefore() async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    var writer = RecordWriter()
    writer.put(1) { $0.u32be(1) }
    writer.put(2) { $0.zigzag(1) }
    writer.put(3) { $0.raw([UInt8](repeating: 7, count: 5_000)) }
    let long = writer.record
    try await store.append {
      try $0.apply(
        Change(
          kind: readingKind, id: EntityID(high: 7, low: 0),
          number: try $0.nextNumber(readingKind), before: nil, after: long))
      try $0.add((0..<500).map { _ in Reading(group: 1, amount: 1) }, ids: 1)
    }
    // The tables hold it once somebody has read it.
    #expect(try store.total(1) == Sums(501, 501))
    let refused = try await store.inOneBatch(
      [
        {
          try $0.add((0..<200).map { _ in Reading(group: 1, amount: 1) }, ids: 1_000)
          // Without having read it, so that whoever reads it next finds what is stored.
          try $0.apply(
            Change(
              kind: readingKind, id: EntityID(high: 7, low: 0), number: 1, before: long,
              after: Reading(group: 2, amount: 1).record))
          try $0.add((0..<200).map { _ in Reading(group: 1, amount: 1) }, ids: 1_200)
          throw Refused()
        },
        { context in
          let kept = try context.entity(readingKind, EntityID(high: 7, low: 0))?.record
          #expect(kept == long)
          for low in 1...500 as ClosedRange<UInt64> {
            try context.amend(low, to: Reading(group: 2, amount: 2).record)
            if low % 100 != 0 { continue }
            try context.withCommittedTables(of: GroupTotals.self) { tables, handle in
              let (from, to) = (GroupTotals().key(0), GroupTotals().key(9))
              var sums: [Sums] = []
              try tables.forEachRow(in: handle[0], from: from, to: to) { _, value in
                sums.append(try Sums(value, fieldCount: 2))
                return true
              }
              #expect(sums == [Sums(501, 501)])
            }
          }
          try context.amend(0, to: nil)
        },
      ])
    #expect(refused == [true, false])
    #expect(try store.total(1) == Sums() && store.total(2) == Sums(1_000, 500))
    try await check(store)
    try await store.close()
  }

  /// What State cannot take is refused before it is recorded.
  @Test(arguments: [1, 100]) func whatStateCannotTakeIsNotRecorded(count: Int) async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    try await store.append { try $0.add([Reading(group: 1, amount: 1)], ids: 0) }
    var writer = RecordWriter()
    writer.put(1) { $0.raw([1, 2]) }
    let short = writer.record
    await #expect(throws: (any Error).self) {
      try await store.append { context in
        for _ in 0..<count {
          try context.apply(
            Change(
              kind: readingKind, id: context.newID(),
              number: try context.nextNumber(readingKind), before: nil, after: short))
        }
      }
    }
    #expect(try store.token().sequence == 1)
    try await store.append { try $0.add([Reading(group: 1, amount: 7)], ids: 400) }
    #expect(try Numbered.number(400, store) == 2)
    #expect(try store.total(1) == Sums(8, 2))
    try await check(store)
    try await store.close()
  }

  /// Sizes around those from which the projectors begin, and appends are held up.
  @Test(arguments: [63, 64, 65, 1_999, 2_000, 2_001, 20_001, 20_100]) func allAreApplied(
    count: Int
  ) async throws {
    let scratch = Scratch()
    let store = try await open(scratch)
    try await store.append { context in
      try context.add((0..<count).map { Reading(group: 1, amount: Int64($0)) }, ids: 0)
    }
    let sum = Sums(Int128(count * (count - 1) / 2), Int128(count))
    #expect(try store.total(1) == sum && totalApart(1, store) == sum)
    try await check(store)
    try await store.close()
  }
}
